"""A case is the input of the rules: a reference, its findings, and values computed from them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import chain
from typing import Self

from citeproof.model.findings import Agreement, FieldName, Findings
from citeproof.model.record import MatchKind, Record, Volume
from citeproof.model.reference import Reference
from citeproof.text.names import is_placeholder
from citeproof.text.title_words import telling_words
from citeproof.text.venue_names import is_beside
from citeproof.text.years import years_in
from citeproof.verification.validation import identity
from citeproof.verification.validation.claim import (
    Form,
    cites_no_conference,
    claimed_form,
    is_unsigned,
)
from citeproof.verification.validation.compare.authors import compare_authors
from citeproof.verification.validation.compare.identifiers import is_dated
from citeproof.verification.validation.compare.venues import (
    VenueAgreement,
    Venues,
    is_preprint,
)
from citeproof.verification.validation.comparison import NEAR, Comparison
from citeproof.verification.validation.identity import (
    Comparer,
    agrees_but_for_title,
    compare_all,
    same_work,
    works_meant,
)
from citeproof.verification.validation.policy import Policy

REGISTRARS = frozenset({"crossref", "doi_org"})
"""Sources that state to which work a DOI belongs, because their records come from the registrars of
DOIs.
"""


@dataclass(frozen=True)
class Case:
    """Input of the rules: a reference, the findings for the reference, and values computed from
    them.
    """

    reference: Reference
    findings: Findings
    today: date
    venues: Venues
    policy: Policy
    compared: tuple[Comparison, ...]
    """Comparisons of the reference with each record that was found, the best match first."""
    work: tuple[Comparison, ...] = ()
    """Comparisons with the records of the work that is assumed to be cited, the best match first.

    Empty if no work is assumed to be cited.
    """

    @classmethod
    def of(
        cls,
        reference: Reference,
        findings: Findings,
        today: date,
        venues: Venues,
        policy: Policy,
        comparer: Comparer = identity.compared,
    ) -> Self:
        """Return a case that compares ``reference`` with each record in ``findings``.

        The field ``work`` is empty.
        """
        if is_unsigned(reference):
            reference = replace(reference, authors=())
        items = compare_all(reference, findings.candidates, venues, findings.title_counts, comparer)
        return cls(reference, findings, today, venues, policy, tuple(items))

    def about(self, best: Comparison) -> Self:
        """Return a copy of the case that assumes that the reference cites the work of the record in
        ``best``.
        """
        others = (item for item in self.compared if item is not best and same_work(best, item))
        return replace(self, work=(best, *others))

    def by_work(self) -> Iterator[Self]:
        """Yield a case for each work that may be cited, the most likely work first.

        If there is no such work, yield this case.
        """
        cases = map(self.about, works_meant(self.compared))
        return chain([next(cases, self)], cases)

    def by_explanation(self) -> list[Self]:
        """Return a case for each work that agrees in authors, and in the DOI or in venue and year.

        The title may differ.
        """
        return [self.about(item) for item in self.compared if agrees_but_for_title(item)]

    @cached_property
    def form(self) -> Form:
        """Publication form of the cited version, such as paper, preprint or book."""
        return claimed_form(self.reference)

    @cached_property
    def placeholders(self) -> tuple[str, ...]:
        """Cited author names that are not names of persons, such as "Anonymous"."""
        return tuple(filter(is_placeholder, self.reference.authors))

    @cached_property
    def cited_venues(self) -> frozenset[str]:
        """Identifiers of venues that the cited name may mean, such as ``conf/acl``.

        Empty if the name is unknown.
        """
        return self.venues.resolve(self.reference.venue)

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """Records of the work that is assumed to be cited."""
        return tuple(item.record for item in self.work)

    @cached_property
    def dated(self) -> tuple[Record, ...]:
        """Records of the work whose years are compared with the cited year.

        If the cited DOI, or the cited volume and page, identify a version at the cited venue, these
        are only the records of this version. Otherwise, these are all records of the work.
        """
        named = tuple(
            item.record
            for item in self.work
            if item.has_cited_venue and (item.doi or item.has_cited_place)
        )
        return named or self.records

    @cached_property
    def years(self) -> frozenset[int | None]:
        """Years of the records of the work, and of the printed proceedings that contain it."""
        return frozenset((*(one.year for one in self.dated), *map(self.venues.printed, self.dated)))

    @cached_property
    def cited(self) -> tuple[Record, ...]:
        """Records of the cited version of the work, such as the preprint.

        Empty if no such record was found.
        """
        return tuple(item.record for item in self.work if item.is_cited)

    @cached_property
    def published(self) -> tuple[Comparison, ...]:
        """Comparisons with the records of published versions of the work, which are all records
        except those of preprints.
        """
        return tuple(item for item in self.work if not is_preprint(item.record))

    @cached_property
    def venue(self) -> VenueAgreement:
        """The best of the agreements between the cited venue and the venues of the records of the
        work. Records without a venue, such as those of theses, do not count.
        """
        stated = [item.venue for item in self.work if item.record.venue]
        found = stated or [VenueAgreement.NOT_COMPARABLE]
        return next(agreement for agreement in VenueAgreement if agreement in found)

    def holders_of(self, match: MatchKind) -> tuple[Comparison, ...]:
        """Return the comparisons with records of other works that have the cited identifier.
        ``match`` is DOI or ARXIV_ID.

        Empty if a record of the cited work was found by this identifier. If a record of the cited
        work was found in another way and states the identifier, the sources contradict each other.
        Then only records of the registrar are returned, and only if their title differs by more
        than added words, such as a subtitle.
        """
        if any(item.candidate.match is match for item in self.work):
            return ()
        name: FieldName = "doi" if match is MatchKind.DOI else "arxiv_id"
        is_stated = any(item.field(name).agreement is Agreement.SAME for item in self.work)
        return tuple(
            item
            for item in self.compared
            if item.candidate.match is match
            and (not is_stated or (item.record.source in REGISTRARS and not item.title.one_side))
        )

    @property
    def best(self) -> Comparison | None:
        """Comparison with the best record of the work. None if no work is assumed to be cited."""
        return self.work[0] if self.work else None

    @cached_property
    def best_authors(self) -> Comparison | None:
        """The comparison, among those with records of the work, in which the authors agree best.
        Records of the cited version or year are preferred.

        None if no work is assumed to be cited.
        """
        near = [item for item in self.work if item.is_cited or item.year_gap <= NEAR]
        works = near or self.work
        return min(works, key=lambda item: len(item.authors.differences), default=None)

    @property
    def found(self) -> tuple[Comparison, ...]:
        """Comparisons with records that were found by title or identifier, or that have the cited
        title.
        """
        return tuple(
            item
            for item in self.compared
            if item.title.same or item.candidate.match is not MatchKind.AUTHORS
        )

    @property
    def is_preprint_elsewhere(self) -> bool:
        """Whether the reference cites an arXiv id of about the cited year, but all records of the
        work are of other versions than the preprint.
        """
        return is_dated(self.reference) and not any(map(is_preprint, self.records))

    @cached_property
    def volumes(self) -> tuple[Volume, ...]:
        """Volumes that may be cited, such as proceedings of one year.

        Empty if the cited name is not a usual name of the venue, such as an acronym that other
        venues may have.
        """
        name = self.reference.venue
        if not all(self.venues.is_usual(name, venue) for venue in self.cited_venues):
            return ()
        beside, no_conference = is_beside(name), cites_no_conference(self.reference)
        return tuple(
            one
            for one in self.findings.volumes
            if (beside or ":" not in one.venue)
            and not (no_conference and one.venue.startswith("conf/"))
        )

    @cached_property
    def held_volumes(self) -> tuple[Volume, ...]:
        """All volumes that may be cited, if the database has nearly all papers of each volume;
        otherwise empty.

        Also empty if a workshop or companion is cited, or if the name of the venue contains another
        year than the cited year.
        """
        reference, named = self.reference, years_in(self.reference.venue)
        other_year = named and reference.year and reference.year not in named
        if other_year or is_beside(f"{reference.venue} {reference.note}"):
            return ()
        meant = self.cited_venues
        volumes = tuple(
            one for one in self.volumes if one.venue in meant and one.year == reference.year
        )
        complete = {
            one.venue
            for one in volumes
            if one.completeness >= self.policy.complete and ":" not in one.venue
        }
        return volumes if complete == meant else ()

    @property
    def lacks_companion(self) -> bool:
        """Whether the database lacks the workshops or the companion volume of one of the
        :attr:`held_volumes`.
        """
        return any(
            self.venues.companion_not_held(one.venue, one.year, self.policy.complete)
            for one in self.held_volumes
        )

    @property
    def complete_volume(self) -> Volume | None:
        """A volume that may be cited and of which the database has nearly all papers.

        None if there is no such volume.
        """
        return next(
            (volume for volume in self.volumes if volume.completeness >= self.policy.held), None
        )

    def by_same_authors(self, streams: Collection[str]) -> Record | None:
        """Return a record of a paper by the cited authors, of the cited year, at one of the venues
        ``streams`` (``conf/acl``). The title must share a word with the cited title.

        None if there is no such record.
        """
        # authors alone are not enough: 18 of the 606 invented references in the data set HALLMARK
        # have the authors of another paper
        words = set(telling_words(self.reference.title))
        for record in (candidate.record for candidate in self.findings.candidates):
            if record.year == self.reference.year and not self.venues.of_record(record).isdisjoint(
                streams
            ):
                match = compare_authors(self.reference, record)
                alike = not words.isdisjoint(telling_words(record.title))
                if match.all_cited and 2 * match.cited > match.recorded and alike:
                    return record
        return None
