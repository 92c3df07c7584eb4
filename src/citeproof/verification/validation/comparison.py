"""Compare a reference with one record, field by field.

Rules, identity, explanation, corrections and strategies read this comparison. No field is compared
a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from citeproof.model.findings import Agreement, FieldComparison, FieldName
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.text.identifiers import doi_says_nothing, is_aside
from citeproof.text.numbers import first_pages, numbers_in
from citeproof.text.similarity import differing_words, runs
from citeproof.verification.validation.compare.authors import AuthorMatch
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.compare.titles import Counts, TitleComparison, compare_titles
from citeproof.verification.validation.compare.venues import (
    VenueAgreement,
    Venues,
    compare_venue,
)

NEAR = 1  # usual maximum number of years between preprint, conference paper and printed volume
ALIKE = 0.65
"""Minimum similarity, 0 to 1, of two titles that are called similar.

Titles with a lower similarity only share some words.
"""
SHOWN: tuple[FieldName, ...] = ("title", "authors", "year", "venue", "doi", "arxiv_id")
"""Fields of a comparison that reports show, in this order."""
_VENUES = {
    VenueAgreement.SAME: Agreement.SAME,
    VenueAgreement.NOT_COMPARABLE: Agreement.UNCLEAR,
    VenueAgreement.LIKE: Agreement.UNCLEAR,
}
"""Map from a result of :func:`compare_venue` to an agreement. For all other results, the agreement
is DIFFERENT.
"""


class Identity(Enum):
    """Relation of a record to a reference. :mod:`identity` decides the relation."""

    CITED = "the cited version of the work"
    VERSION = "another version of the work"
    ABOUT = "a text about the work, such as a review"
    ANOTHER = "another work"


@dataclass(frozen=True)
class Comparison:
    """A comparison of a reference with one record."""

    reference: Reference
    candidate: Candidate
    counts: Counts  # numbers of titles that contain words that may be misspelt
    authors: AuthorMatch
    doi: bool  # whether the record states the cited DOI
    year_gap: int  # number of years between the reference and the record; 0 if a year is missing
    venues: Venues
    versions: Callable[[Comparison], Identity]

    @cached_property
    def title(self) -> TitleComparison:
        """Result of comparing the titles. It is computed when it is first asked for."""
        return compare_titles(self.reference.title, self.record.title, self.counts)

    @cached_property
    def venue(self) -> VenueAgreement:
        """Result of comparing the venues. It is computed when it is first asked for."""
        return compare_venue(self.reference.venue, self.record, self.venues)

    @cached_property
    def version(self) -> Identity:
        """Relation of the record to the reference, assuming that the record is of the cited work:
        CITED, VERSION or ABOUT.
        """
        return self.versions(self)

    @property
    def has_cited_venue(self) -> bool:
        """Whether the venue of the record is the cited venue."""
        return self.venue is VenueAgreement.SAME

    @property
    def has_cited_page(self) -> bool:
        """Whether the first page of the record is the first cited page."""
        return self.field("pages").agreement is Agreement.SAME

    @property
    def has_cited_place(self) -> bool:
        """Whether the volume and the first page of the record are the cited volume and page."""
        return self.has_cited_page and self.field("volume").agreement is Agreement.SAME

    @property
    def is_cited(self) -> bool:
        """Whether the record describes the version that is cited, such as the preprint."""
        return self.version is Identity.CITED

    @property
    def record(self) -> Record:
        """Record with which the reference is compared."""
        return self.candidate.record

    @property
    def has_near_year(self) -> bool:
        """Whether reference and record both state a year, and the years differ by at most
        :data:`NEAR`.
        """
        years = self.reference.year, self.record.year
        return None not in years and self.year_gap <= NEAR

    @property
    def authors_agree(self) -> bool:
        """Whether the reference and the record both have authors, and the authors agree."""
        return self.authors.comparable and self.authors.agrees

    def field(self, name: FieldName) -> FieldComparison:
        """Return the comparison of one field. It is computed at the first call."""
        if name not in self._fields:
            self._fields[name] = _FIELDS[name](self, name)
        return self._fields[name]

    def shown(self) -> tuple[FieldComparison, ...]:
        """Return the comparisons of the fields in :data:`SHOWN`."""
        return tuple(map(self.field, SHOWN))

    @cached_property
    def _fields(self) -> dict[FieldName, FieldComparison]:
        return {}


def _title(item: Comparison, name: FieldName) -> FieldComparison:
    cited, recorded = item.reference.title, item.record.title
    if not cited or item.title.same:
        agreement = Agreement.SAME if cited else Agreement.ABSENT
        return FieldComparison(name, agreement, cited, recorded)
    sides = differing_words(cited, recorded)
    only = [tuple(text for text, differs in runs(words) if differs) for words in sides]
    alike = item.candidate.similarity >= ALIKE
    agreement = Agreement.PARTLY if alike else Agreement.DIFFERENT
    return FieldComparison(name, agreement, cited, recorded, *only)


def _authors(item: Comparison, name: FieldName) -> FieldComparison:
    match = item.authors
    cited, recorded = "; ".join(item.reference.authors), "; ".join(item.record.authors)
    if not match.comparable:
        return FieldComparison(name, Agreement.ABSENT, cited, recorded)
    agreement = Agreement.PARTLY if match.agreeing else Agreement.DIFFERENT
    if match.everyone and not match.absent:
        agreement = Agreement.SAME
    return FieldComparison(name, agreement, cited, recorded, match.absent, match.uncited)


def _venue(item: Comparison, name: FieldName) -> FieldComparison:
    cited, recorded = item.reference.venue, item.record.venue
    agreement = _VENUES.get(item.venue, Agreement.DIFFERENT)
    agreement = agreement if cited and recorded else Agreement.ABSENT
    return FieldComparison(name, agreement, cited, recorded)


def _identifier(item: Comparison, name: FieldName) -> FieldComparison:
    if name == "doi":
        cited = item.reference.doi.lower()
        unclear = doi_says_nothing(cited) or is_aside(item.record.doi)
    else:
        cited, unclear = arxiv_id_of(item.reference).lower(), False
    return _equal(
        name,
        cited,
        getattr(item.record, name).lower(),
        Agreement.UNCLEAR if unclear else Agreement.DIFFERENT,
    )


def _year(item: Comparison, name: FieldName) -> FieldComparison:
    return _equal(name, str(item.reference.year or ""), str(item.record.year or ""))


def _equal(
    name: FieldName, cited: str, recorded: str, otherwise: Agreement = Agreement.DIFFERENT
) -> FieldComparison:
    """Compare two values. The agreement is SAME if they are equal, ABSENT if one is empty, and else
    ``otherwise``.
    """
    agreement = Agreement.SAME if cited == recorded else otherwise
    agreement = agreement if cited and recorded else Agreement.ABSENT
    return FieldComparison(name, agreement, cited, recorded)


def _numbered(item: Comparison, name: FieldName) -> FieldComparison:
    """Compare pages, volumes or issue numbers. Pages agree if the first page is the same. Volumes
    and issue numbers agree if they have a number in common.
    """
    cited, recorded = getattr(item.reference, name), getattr(item.record, name)
    read = first_pages if name == "pages" else numbers_in
    ours, theirs = read(cited), read(recorded)
    agreement = Agreement.SAME if ours & theirs else Agreement.DIFFERENT
    agreement = agreement if ours and theirs else Agreement.ABSENT
    return FieldComparison(name, agreement, cited, recorded)


_FIELDS: Mapping[FieldName, Callable[[Comparison, FieldName], FieldComparison]] = {
    "title": _title,
    "authors": _authors,
    "year": _year,
    "venue": _venue,
    "doi": _identifier,
    "arxiv_id": _identifier,
    "volume": _numbered,
    "number": _numbered,
    "pages": _numbered,
}
