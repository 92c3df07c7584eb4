"""A case: one reference and all that is known about it, with everything derived once that several rules ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from citeproof.frozen import changed, frozen
from citeproof.models import MatchKind
from citeproof.text.placeholders import is_placeholder
from citeproof.validation.compare.titles import TitleForm, title_form
from citeproof.validation.compare.venues import VenueAgreement, compare_venue
from citeproof.validation.policy import DEFAULT, Policy
from citeproof.validation.venues import NO_VENUES, Venues
from citeproof.validation.work import Comparison, agrees_but_for_title, compare_all, explaining, twins, works_meant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from citeproof.models import Findings, Record, Reference, Volume


@frozen
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
    cited_venues: frozenset[str]
    """The venues that the cited name may mean; empty when unknown."""
    work: tuple[Comparison, ...] = ()
    """The records of the work that is taken to be meant, the best first; empty where none of them can be it."""
    records: tuple[Record, ...] = ()
    """The same as plain records."""
    venue: VenueAgreement = VenueAgreement.NOT_COMPARABLE
    """How the cited venue relates to those of the work."""
    holders_of_doi: tuple[Record, ...] = ()
    """Records of other works that were found by the cited DOI, where no record of the work was."""
    holders_of_arxiv_id: tuple[Record, ...] = ()

    @classmethod
    def of(
        cls,
        reference: Reference,
        findings: Findings,
        today: date,
        venues: Venues = NO_VENUES,
        policy: Policy = DEFAULT,
    ) -> Self:
        """Compare ``reference`` with every record of ``findings``; no work is taken to be the meant one yet."""
        return cls(
            reference=reference,
            title=title_form(reference.title),
            findings=findings,
            venues=venues,
            policy=policy,
            today=today,
            placeholders=tuple(filter(is_placeholder, reference.authors)),
            compared=tuple(compare_all(reference, findings.candidates, findings.title_counts)),
            cited_venues=venues.resolve(reference.venue),
        )

    def about(self, best: Comparison | None) -> Self:
        """Return this case with the work of ``best`` as the one that is meant."""
        work = twins(best, self.compared) if best else ()
        strangers = [item for item in self.compared if item not in work]
        records = tuple(item.record for item in work)
        return changed(
            self,
            work=work,
            records=records,
            venue=compare_venue(self.reference.venue, records, self.venues) if work else VenueAgreement.NOT_COMPARABLE,
            holders_of_doi=_holders(MatchKind.DOI, work, strangers),
            holders_of_arxiv_id=_holders(MatchKind.ARXIV_ID, work, strangers),
        )

    def by_work(self) -> Iterator[Self]:
        """Yield one case for each work that may be meant, the likeliest first; one without a work where none may."""
        best = None
        for best in works_meant(self.reference, self.compared, self.venues):
            yield self.about(best)
        if best is None:
            yield self.about(None)

    def by_explanation(self) -> list[Self]:
        """Return one case for each work that agrees in all but the title, which is alike."""
        return [self.about(best) for best in explaining(self.reference, self.compared, self.venues)]

    @property
    def best(self) -> Comparison | None:
        """The best record of the work."""
        return self.work[0] if self.work else None

    @property
    def found(self) -> tuple[Comparison, ...]:
        """What was found by title or identifier, and not for its people alone."""
        return tuple(item for item in self.compared if not item.by_people_alone)

    @property
    def looked_up_completely(self) -> bool:
        """Whether each database that was asked for the title proved its answer."""
        proofs = [inquiry.complete for inquiry in self.findings.inquiries if inquiry.method or inquiry.complete]
        return bool(proofs) and all(proofs)

    @property
    def explained(self) -> bool:
        """Whether the work agrees in people, year and venue, under the cited title or one that is alike."""
        return self.best is not None and agrees_but_for_title(self.reference, self.best, self.venues)

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
