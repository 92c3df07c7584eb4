"""The work that a reference means, among all records that were found for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.models import Candidate, MatchKind
from citeproof.text.differences import differing_words
from citeproof.validation.compare.authors import AuthorMatch, compare_authors
from citeproof.validation.compare.identifiers import doi_agrees
from citeproof.validation.compare.titles import TitleMatch, compare_titles, title_form, title_words
from citeproof.validation.compare.venues import VenueAgreement, compare_venue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.models import Record, Reference
    from citeproof.validation.venues import Venues

_HEADING_LIST = """
a an and by for from in of on s the to editorial editorials editor editors guest introduction preface foreword message
chair chairs column letter letters comment comments reply erratum errata corrigendum correction review reviews book
news issue special section welcome note notes president obituary report index contents abstracts announcement calendar
"""
HEADINGS = frozenset(_HEADING_LIST.split())
"""Words of titles that every other issue of a journal carries."""
_TELLING = 2
"""Words that two titles must share, beside those of headings, for one to be the other with a word changed."""
_SHORT_TITLE = 4
"""Titles of fewer words need an author in common: of the titles of one, two and three words in DBLP 6 %, 2 % and
0.5 % are shared by works without a common author, of those of four words 0.2 %."""
_DISTINCTIVE_TITLE = 6
"""From six words on, 0.03 % of titles and fewer are shared by works without a common author."""
_UNCOMPARED = frozenset({MatchKind.NEARBY, MatchKind.AUTHORS, MatchKind.WEB})
"""What only explains a verdict, and what has no fields to compare."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One record, held against the reference."""

    candidate: Candidate
    title: TitleMatch
    authors: AuthorMatch
    doi: bool
    """The record states the cited DOI."""
    year_gap: int
    """Years between the two; 0 where either states none."""
    other_form: bool
    """One of the two is a preprint and the other one is not."""

    @property
    def record(self) -> Record:
        """The record that was compared."""
        return self.candidate.record

    def rank(self) -> tuple[float, ...]:
        """Sort key: what agrees best comes first."""
        differing = len(self.title.differences)
        return (
            -int(self.title.same),
            -int(self.authors.agrees),
            -int(self.doi),
            -self.authors.share,
            differing + len(self.authors.differences),
            self.year_gap,
            int(self.other_form),
            -self.candidate.similarity,
        )


def compare_all(reference: Reference, candidates: Iterable[Candidate]) -> list[Comparison]:
    """Compare every record that was found once, best first; what only explains a miss is left out."""
    seen: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        if candidate.match not in _UNCOMPARED:
            identity = (candidate.record.source, candidate.record.key)
            if identity not in seen or seen[identity].similarity < candidate.similarity:
                seen[identity] = candidate
    return sorted((_compare(reference, candidate) for candidate in seen.values()), key=Comparison.rank)


def work_meant(reference: Reference, compared: Sequence[Comparison], venues: Venues) -> Comparison | None:
    """Return the best record of the cited work, or None when no record can be it.

    The title by its people is the work. So is a distinctive title, whoever is cited for it; a
    common one needs a venue and time that agree. People, venue and time that agree are the work
    under a title that differs.
    """
    words = title_form(reference.title).length
    for item in compared:
        if item.title.same and item.authors.agrees and (item.authors.comparable or words >= _SHORT_TITLE):
            return item
        agreement = compare_venue(reference.venue, (item.record,), venues)
        corroborated = _corroborated(item, agreement)
        distinctive = words >= _DISTINCTIVE_TITLE or (words >= _SHORT_TITLE and corroborated)
        distinctive = distinctive or item.doi or (agreement is VenueAgreement.SAME and _own_title(item, words))
        if item.title.same and not item.authors.agrees and distinctive and not item.title.part_missing:
            return item
        people = item.authors.comparable and item.authors.agrees and item.year_gap <= 1
        if not (item.title.same or item.title.other_number) and people and corroborated:
            return item
    return None


def _own_title(item: Comparison, words: int) -> bool:
    """Whether a short title is a work's own in its volume, unlike ``Guest Editorial``."""
    return item.year_gap == 0 and words > 1 and not HEADINGS.issuperset(title_words(item.record.title))


def _corroborated(item: Comparison, agreement: VenueAgreement) -> bool:
    """Whether venue and time of a record speak for it, whatever its title and people do."""
    return (
        item.doi
        or agreement is VenueAgreement.SAME
        or (item.year_gap <= 1 and agreement is VenueAgreement.NOT_COMPARABLE)
    )


def misquoted(reference: Reference, candidates: Iterable[Candidate], venues: Venues) -> Comparison | None:
    """Return the work of which one word of a short title is cited wrongly, so that the titles are hardly alike.

    Everything else must agree: all names, the very year, and a venue that is known to be the same;
    of the title, two more telling words. Of 34,000 papers of the ACL Anthology that DBLP's sample does not hold, none
    met a work like that.
    """
    for candidate in candidates:
        if candidate.match is not MatchKind.NEARBY or reference.year is None:
            continue
        if candidate.record.year != reference.year or not _one_word_changed(reference.title, candidate.record.title):
            continue
        item = _compare(reference, candidate)
        names_agree = item.authors.comparable and item.authors.share == 1 and not item.authors.uncited
        if item.title.same or item.title.other_number or not names_agree:
            continue
        if compare_venue(reference.venue, (candidate.record,), venues) is VenueAgreement.SAME:
            return item
    return None


def _one_word_changed(cited: str, recorded: str) -> bool:
    """Whether the titles differ in one word as it is written, and share enough that is no usual heading."""
    ours, theirs = differing_words(cited, recorded)
    one = sum(differs for _, differs in ours) == sum(differs for _, differs in theirs) == 1
    common = set(title_words(cited)) & set(title_words(recorded)) - HEADINGS
    return one and len(ours) == len(theirs) and len(common) >= _TELLING


def _compare(reference: Reference, candidate: Candidate) -> Comparison:
    record = candidate.record
    gap = abs(reference.year - record.year) if reference.year and record.year else 0
    return Comparison(
        candidate,
        compare_titles(reference.title, record.title),
        compare_authors(reference, record),
        doi_agrees(reference, (record,)),
        gap,
        bool(reference.arxiv_id) != ("informal" in record.publtype),
    )


def twins(best: Comparison, others: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return the comparisons with records of one work, as preprint and proceedings: one title, one group of people."""
    return (best, *(other for other in others if other is not best and _same_work(best, other)))


def _same_work(best: Comparison, other: Comparison) -> bool:
    if not compare_titles(best.record.title, other.record.title).same:
        return False
    ours, theirs = best.record.authors, other.record.authors
    if not ours or not theirs:
        return True
    if ours == theirs:
        return True
    return other.authors.agrees and best.authors.agrees and other.authors.comparable
