"""Choose the work that a reference cites from the records that were found."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.text.similarity import differing_words
from citeproof.verification.validation.claim import NO_PAPER, Relation, relation
from citeproof.verification.validation.compare.authors import AuthorMatch, compare_authors
from citeproof.verification.validation.compare.identifiers import doi_agrees
from citeproof.verification.validation.compare.titles import (
    TitleComparison,
    compare_titles,
    title_form,
    title_words,
)
from citeproof.verification.validation.compare.venues import (
    NO_VENUES,
    VenueAgreement,
    Venues,
    compare_venue,
)

_HEADING_LIST = """
a an and by for from in of on s the to editorial editorials editor editors guest introduction
preface foreword message chair chairs column letter letters comment comments reply erratum errata
corrigendum correction review reviews book news issue special section welcome note notes president
obituary report index contents abstracts announcement calendar
"""
_HEADINGS = frozenset(_HEADING_LIST.split())
"""Words in headings that recur in each issue of a journal, such as "Editorial"."""
# minimum number of common words, without words of headings, of two titles that differ in one word
_TELLING = 2
_SHORT_TITLE = 4
"""Minimum number of words of a title for accepting a record without a common author.

In DBLP, 6 %, 2 %, 0.5 % and 0.2 % of the titles of one, two, three and four words are shared by
works without a common author.
"""
_DISTINCTIVE_TITLE = 6  # minimum number of words of a title that other authors rarely use (0.03 %)
# records that were found in these ways are not compared
_UNCOMPARED = frozenset({MatchKind.NEARBY, MatchKind.WEB})
# minimum title similarity for accepting another word if authors, venue and year agree
_SURELY_ALIKE = 0.9
ALIKE = 0.65
"""Minimum similarity of two titles that count as similar, 0 to 1.

Less similar titles only share some words.
"""
_MOST_WORKS = 10  # maximum number of works that are considered as the cited work
Counts = tuple[tuple[str, int], ...]
"""Pairs: a word, and the number of titles in the database that contain the word."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_BEGINNING = 3  # minimum number of words of a title that may be the beginning of a longer title


@dataclass(frozen=True)
class Comparison:
    """A comparison of a reference with one record."""

    reference: Reference
    candidate: Candidate
    title: TitleComparison
    authors: AuthorMatch
    doi: bool  # whether the record states the cited DOI
    year_gap: int  # number of years between the reference and the record; 0 if a year is missing
    venue: VenueAgreement

    @cached_property
    def relation(self) -> Relation:
        """What the record describes: the cited version, another version, or a text about the
        work.
        """
        return relation(self)

    @property
    def record(self) -> Record:
        """Record with which the reference is compared."""
        return self.candidate.record

    @property
    def authors_agree(self) -> bool:
        """Whether the reference and the record both have authors, and the authors agree."""
        return self.authors.comparable and self.authors.agrees

    @property
    def is_cited(self) -> bool:
        """Whether the record describes the version that is cited, such as the preprint."""
        return self.relation is Relation.CITED

    @property
    def decides(self) -> bool:
        """Whether title and DOI agree, or title, year and venue.

        Other works of the same title are then not cited.
        """
        same_place = self.venue is VenueAgreement.SAME and self.is_cited and not self.year_gap
        return self.title.same and (self.doi or same_place)

    def rank(self) -> tuple[float, ...]:
        """Return a sort key. The comparison that agrees best comes first."""
        title, authors = self.title, self.authors
        differences = len(title.differences) + len(authors.differences)
        agreeing = (title.same, authors.agrees, self.doi, authors.share, self.is_cited)
        return (
            *(-value for value in agreeing),
            differences,
            self.year_gap,
            -self.candidate.similarity,
        )


def compare_all(
    reference: Reference,
    candidates: Iterable[Candidate],
    counts: Counts = (),
    venues: Venues = NO_VENUES,
) -> list[Comparison]:
    """Compare a reference with records, best match first.

    Skip records without authors and records of reviews.
    """
    title = title_form(reference.title).normal
    seen: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        if candidate.match in _UNCOMPARED or not candidate.record.authors:
            continue
        if candidate.match is MatchKind.AUTHORS and not is_alike(title, candidate):
            continue
        identity = (candidate.record.source, candidate.record.key)
        known = seen.get(identity)
        if not known or known.match is MatchKind.AUTHORS or known.similarity < candidate.similarity:
            seen[identity] = candidate
    every = (_compare(reference, candidate, counts, venues) for candidate in seen.values())
    return sorted(
        (item for item in every if item.relation is not Relation.ABOUT), key=Comparison.rank
    )


def is_alike(title: str, candidate: Candidate) -> bool:
    """Return whether a record has a title similar to ``title``, or one title begins with the other
    title.
    """
    return candidate.similarity >= ALIKE or begins_alike(
        title, title_form(candidate.record.title).normal
    )


def begins_alike(title: str, recorded: str) -> bool:
    """Return whether the longer of two normalised titles begins with the shorter title.

    It must have three words.
    """
    short, long_title = sorted((title, recorded), key=len)
    return short.count(" ") >= _BEGINNING - 1 and long_title.startswith(short + " ")


def works_meant(compared: Sequence[Comparison]) -> Iterator[Comparison]:
    """Yield the best comparison for each work that may be cited, best work first.

    Title and authors must agree. If authors differ, the title must be distinctive, or venue and
    year must agree. A slightly different title is accepted if authors, venue and year agree.
    """
    works: list[Comparison] = []
    deciding = [item for item in compared if item.decides]
    for item in deciding or compared:
        if any(same_work(work, item) for work in works):
            continue
        if _has_title(item) or _has_venue(item):
            works.append(item)
            yield item
        if len(works) == _MOST_WORKS:
            break


def agrees_but_for_title(item: Comparison) -> bool:
    """Return whether all cited authors agree, and the DOI or both venue and year.

    The title may differ.
    """
    dated = item.reference.year is not None and item.record.year is not None and item.year_gap <= 1
    same_place = item.doi or (dated and item.venue is VenueAgreement.SAME)
    return item.authors_agree and item.authors.share == 1 and same_place


def _has_title(item: Comparison) -> bool:
    words, is_heading = (
        title_form(item.reference.title).length,
        _HEADINGS.issuperset(title_words(item.record.title)),
    )
    if not item.title.same or (item.year_gap and is_heading):
        return False
    if item.authors.agrees:
        return item.authors.comparable or words >= _SHORT_TITLE
    # "On the Complex Backpropagation Algorithm" is not "The Complex Backpropagation Algorithm" by
    # others
    another = item.title.part_missing or (item.title.differences and not item.authors.agreeing)
    if another or NO_PAPER.match(item.record.title):
        return False
    # once in a volume, unlike "Guest Editorial"
    unique = item.year_gap == 0 and words > 1 and not is_heading
    distinctive = words >= _DISTINCTIVE_TITLE or (words >= _SHORT_TITLE and _corroborated(item))
    return distinctive or item.doi or (item.venue is VenueAgreement.SAME and unique)


def _has_venue(item: Comparison) -> bool:
    if item.title.same or item.title.other_number or not item.authors_agree or item.year_gap > 1:
        return False
    if (
        item.year_gap
        and item.venue is VenueAgreement.SAME
        and item.record.pub_type == "inproceedings"
        and not item.doi
    ):
        return False  # a paper with a similar title at the next edition
    if item.candidate.match in {MatchKind.DOI, MatchKind.ARXIV_ID}:
        return _corroborated(item)
    if item.candidate.similarity >= _SURELY_ALIKE:
        return _corroborated(item) and item.authors.everyone
    return item.venue is VenueAgreement.SAME and _misquoted(item)


def _corroborated(item: Comparison) -> bool:
    """Return whether DOI or venue agrees.

    If venues cannot be compared, return whether the year agrees.
    """
    near = item.year_gap <= 1 and item.venue is VenueAgreement.NOT_COMPARABLE
    return item.doi or near or item.venue is VenueAgreement.SAME


def _misquoted(item: Comparison) -> bool:
    """Return whether one title word is wrong, while all authors, the year and two other title words
    agree.

    Of 34,000 papers of the ACL Anthology that are not in DBLP's sample, none matched another work
    by this rule.
    """
    cited, recorded, year = item.reference.title, item.record.title, item.reference.year
    if year is None or year != item.record.year or not item.authors.everyone:
        return False
    ours, theirs = differing_words(cited, recorded)
    one = sum(differs for _, differs in ours) == sum(differs for _, differs in theirs) == 1
    common = set(title_words(cited)) & set(title_words(recorded)) - _HEADINGS
    return one and len(ours) == len(theirs) and len(common) >= _TELLING


def _compare(
    reference: Reference, candidate: Candidate, counts: Counts, venues: Venues
) -> Comparison:
    record, year = candidate.record, reference.year
    if not year:  # the only year in the name of the venue
        named = set(_YEAR.findall(reference.venue))
        year = int(named.pop()) if len(named) == 1 else None
    return Comparison(
        reference,
        candidate,
        compare_titles(reference.title, record.title, counts),
        compare_authors(reference, record),
        doi_agrees(reference, (record,)),
        abs(year - record.year) if year and record.year else 0,
        compare_venue(reference.venue, (record,), venues),
    )


def is_stranger(reference: Reference, record: Record) -> bool:
    """Return whether a record has none of the cited authors and less than half of the words of the
    shorter title.
    """
    ours, theirs = set(title_words(reference.title)), set(title_words(record.title))
    match = compare_authors(reference, record)
    return not match.agreeing and 2 * len(ours & theirs) < min(len(ours), len(theirs))


def same_work(best: Comparison, other: Comparison) -> bool:
    """Return whether two records agree in title and authors. Equal DOIs are not enough."""
    ours, theirs = best.record.authors, other.record.authors
    by_cited = other.authors.agrees and best.authors.agrees and other.authors.comparable
    same_people = not ours or not theirs or ours == theirs or by_cited
    return same_people and compare_titles(best.record.title, other.record.title).same
