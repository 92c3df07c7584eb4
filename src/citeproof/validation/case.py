"""A case: one reference and all that is known about it, with everything derived once that several rules ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from citeproof.models import MatchKind
from citeproof.text.placeholders import is_placeholder
from citeproof.validation.compare.titles import TitleForm, title_form
from citeproof.validation.compare.venues import VenueAgreement, compare_venue
from citeproof.validation.policy import DEFAULT, Policy
from citeproof.validation.venues import NO_VENUES, Venues
from citeproof.validation.work import Comparison, compare_all, misquoted, twins, work_meant

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from citeproof.models import Findings, Record, Reference, Volume


@dataclass(frozen=True, slots=True)
class Case:
    """What the rules look at. They add nothing to it and look nothing up."""

    reference: Reference
    title: TitleForm
    """The cited title as it is compared."""
    findings: Findings
    venues: Venues
    """What the data teach about venues."""
    policy: Policy
    today: date
    placeholders: tuple[str, ...]
    """The cited names that are no person's."""
    compared: tuple[Comparison, ...]
    """Every record that was found, held against the reference, best first; without what only explains a miss."""
    work: tuple[Comparison, ...]
    """The records of the work that is meant, the best first; empty where none of them can be it."""
    records: tuple[Record, ...]
    """The same as plain records."""
    venue: VenueAgreement
    """How the cited venue relates to those of the work."""
    cited_venues: frozenset[str]
    """The venues that the cited name may mean; empty when unknown."""
    holders_of_doi: tuple[Record, ...]
    """Records of other works that were found by the cited DOI, where no record of the work was."""
    holders_of_arxiv_id: tuple[Record, ...]

    @classmethod
    def of(
        cls,
        reference: Reference,
        findings: Findings,
        today: date,
        venues: Venues = NO_VENUES,
        policy: Policy = DEFAULT,
    ) -> Self:
        """Compare ``reference`` with every record of ``findings`` and settle which work it means."""
        compared = compare_all(reference, findings.candidates)
        best = work_meant(reference, compared, venues) or misquoted(reference, findings.candidates, venues)
        work = twins(best, compared) if best else ()
        strangers = [item for item in compared if item not in work]
        records = tuple(item.record for item in work)
        return cls(
            reference=reference,
            title=title_form(reference.title),
            findings=findings,
            venues=venues,
            policy=policy,
            today=today,
            placeholders=tuple(filter(is_placeholder, reference.authors)),
            compared=tuple(compared),
            work=work,
            records=records,
            venue=compare_venue(reference.venue, records, venues) if work else VenueAgreement.NOT_COMPARABLE,
            cited_venues=venues.resolve(reference.venue),
            holders_of_doi=_holders(MatchKind.DOI, work, strangers),
            holders_of_arxiv_id=_holders(MatchKind.ARXIV_ID, work, strangers),
        )

    @property
    def best(self) -> Comparison | None:
        """The best record of the work."""
        return self.work[0] if self.work else None

    @property
    def volumes(self) -> tuple[Volume, ...]:
        """The volumes that the reference may claim to be in, as far as a source holds them."""
        return self.findings.volumes

    @property
    def held_volume(self) -> Volume | None:
        """A claimed volume that would show the work if it had appeared there."""
        return next((volume for volume in self.volumes if volume.completeness >= self.policy.held), None)

    @property
    def cited_place(self) -> str:
        """Venue and year as a reader would say them; many a name of proceedings has the year in it."""
        reference, year = self.reference, str(self.reference.year or "")
        return reference.venue if year in reference.venue else f"{reference.venue} {year}"

    def is_complete(self, volume: Volume) -> bool:
        """Whether what ``volume`` lacks is not in it."""
        return volume.completeness >= self.policy.complete


def _holders(match: MatchKind, work: Sequence[Comparison], strangers: Sequence[Comparison]) -> tuple[Record, ...]:
    if any(item.candidate.match is match for item in work):
        return ()
    return tuple(item.record for item in strangers if item.candidate.match is match)
