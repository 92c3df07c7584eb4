"""Decide the relation of a record to a reference: the cited version of a work, another version, a
text about the work, or another work.

Two tables decide. In each table, the first row whose condition holds applies. This module is used
wherever the relation matters: for verdicts, explanations, corrections, readings of text and answers
of online sources.

Only records of the cited version can contradict the cited year, venue, DOI, volume and pages.

Example: ``journal = {arXiv preprint arXiv:1711.05101}, year = 2017`` cites the preprint. A record
with the same title and authors at ICLR 2019 is another version. So the cited year 2017 is not
wrong.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from citeproof.model.findings import Agreement
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import differing_words
from citeproof.text.title_words import begins_text_about, is_of_text_about, title_form, title_words
from citeproof.text.years import years_in
from citeproof.verification.validation.claim import (
    CHAPTERS,
    KINDS,
    NO_PAPER,
    Form,
    claimed_form,
    recorded_form,
)
from citeproof.verification.validation.compare.authors import compare_authors
from citeproof.verification.validation.compare.identifiers import doi_agrees
from citeproof.verification.validation.compare.titles import EQUAL, Counts, compare_titles
from citeproof.verification.validation.compare.venues import (
    NO_VENUES,
    VenueAgreement,
    Venues,
    is_preprint,
)
from citeproof.verification.validation.comparison import (
    ALIKE,
    NEAR,
    Comparison,
    Identity,
)

_HEADING_LIST = """
a an and by for from in of on s the to editorial editorials editor editors guest introduction
preface foreword message chair chairs column letter letters comment comments reply erratum errata
corrigendum correction review reviews book news issue special section welcome note notes president
obituary report index contents abstracts announcement calendar
"""
_HEADINGS = frozenset(_HEADING_LIST.split())
"""Words in headings that appear in every issue of a journal, such as "Editorial"."""
# minimum number of common words, without words of headings, of two titles that differ in one word
_TELLING = 2
_SHORT_TITLE = 4
"""Minimum number of words of a title for accepting a record without a common author.

In DBLP, works without a common author share 6 % of the titles of one word, 2 % of two words, 0.5 %
of three words and 0.2 % of four words.
"""
_DISTINCTIVE_TITLE = 6  # minimum number of words of a title that works of other authors rarely have
# records that were found in these ways are not compared
_UNCOMPARED = frozenset({MatchKind.NEARBY, MatchKind.WEB})
# minimum title similarity for accepting another word if authors, venue and year agree
_SURELY_ALIKE = 0.9
_ONE_PAGE = re.compile(r"([a-z]?\d{1,4}(?:\.\d)?)(?:-\1)?", re.IGNORECASE)
_OF_WORK = frozenset({Identity.CITED, Identity.VERSION})
ELSEWHERE = frozenset({VenueAgreement.DIFFERENT, VenueAgreement.UNKNOWN, VenueAgreement.BESIDE})
"""Results of :func:`compare_venue` that are normal if the record does not describe the cited
version.
"""


_MOST_WORKS = 10  # maximum number of works that are tried as the cited work
_BEGINNING = 3  # minimum number of words of a title that may be the beginning of a longer title


class Row(NamedTuple):
    """A row of a table of identity."""

    identity: Identity
    because: str
    """Condition of the row, as a sentence about the record and the reference."""
    holds: Callable[[Comparison], bool]


def _everyone_near(item: Comparison) -> bool:
    return item.authors.everyone and item.year_gap <= NEAR


def _is_itself(item: Comparison) -> bool:
    """Return whether all authors, venue and year agree, so that the record is the work itself and
    not a text about the work.
    """
    return item.authors.everyone and item.has_cited_venue and not item.year_gap


def _is_about(item: Comparison) -> bool:
    record = item.record
    if record.publtype == "encyclopedia" or record.key.startswith("reference/"):
        return True
    if is_of_text_about(record.title) and not is_of_text_about(item.reference.title):
        return True
    # a single page may be an article number, so it is used only if authors or years differ too
    one_page = record.pub_type == "article" and _ONE_PAGE.fullmatch(record.pages) is not None
    return (
        one_page and not is_preprint(record) and (not item.authors.agrees or item.year_gap > NEAR)
    )


def _is_of_a_book(item: Comparison) -> bool:
    is_book = claimed_form(item.reference) is Form.BOOK
    return is_book and recorded_form(item.record) is not Form.BOOK


def _is_of_other_years(item: Comparison) -> bool:
    """Return whether the years differ by more than one, and the record may be of another edition or
    of an extended version.

    A chapter may also be cited from another edition of its book.
    """
    reference, record = item.reference, item.record
    both = {KINDS.get(reference.entry_type), record.pub_type} == {"article", "inproceedings"}
    extended = both and (record.pub_type == "article" or bool(reference.volume))
    in_book = claimed_form(reference) is Form.BOOK or reference.entry_type in CHAPTERS
    return item.year_gap > NEAR and (in_book or item.title.part_missing or extended)


def _is_of_its_form(item: Comparison) -> bool:
    return recorded_form(item.record) is claimed_form(item.reference)


def _is_no_paper(item: Comparison) -> bool:
    return claimed_form(item.reference) not in (Form.PAPER, Form.UNSTATED)


def _is_preprint_of_paper(item: Comparison) -> bool:
    return recorded_form(item.record) is Form.PREPRINT and bool(item.reference.venue)


def _names_no_venue(item: Comparison) -> bool:
    return not item.reference.venue and item.reference.entry_type in KINDS


def _is_of_its_kind(item: Comparison) -> bool:
    return item.record.pub_type in {"", KINDS.get(item.reference.entry_type)}


def _is_book_of_chapter(item: Comparison) -> bool:
    """Return whether a chapter is cited, and the record is of the book, which has other authors."""
    is_book = recorded_form(item.record) is Form.BOOK
    return item.reference.entry_type in CHAPTERS and is_book and not item.authors.agrees


VERSIONS = (
    Row(Identity.CITED, "The record states the cited DOI.", lambda item: item.doi),
    Row(
        Identity.ABOUT,
        "The record is of an encyclopaedia entry, a review, an erratum or a text of one page.",
        lambda item: not _is_itself(item) and _is_about(item),
    ),
    Row(
        Identity.ABOUT,
        "A chapter is cited, and the record is the book that contains it.",
        _is_book_of_chapter,
    ),
    Row(
        Identity.VERSION,
        "A book is cited, and the record is of a paper of about the same year by the same authors.",
        lambda item: _is_of_a_book(item) and _everyone_near(item),
    ),
    Row(
        Identity.ABOUT,
        "A book is cited, and the record is of a paper of another year or by other authors.",
        _is_of_a_book,
    ),
    Row(
        Identity.VERSION,
        "The years are two or more apart, and the record may be of another edition, an extended"
        " version or a work with another subtitle.",
        _is_of_other_years,
    ),
    Row(
        Identity.CITED,
        "A preprint, report, thesis, book or data set is cited, and the record is of this form.",
        lambda item: _is_no_paper(item) and _is_of_its_form(item),
    ),
    Row(
        Identity.VERSION,
        "A preprint, report, thesis, book or data set is cited, and the record is of another form.",
        _is_no_paper,
    ),
    Row(
        Identity.VERSION,
        "A venue is cited, and the record is of a preprint.",
        _is_preprint_of_paper,
    ),
    Row(
        Identity.CITED,
        "The record is of the cited venue.",
        lambda item: item.has_cited_venue,
    ),
    Row(
        Identity.CITED,
        "No venue is cited, and the publication type of the record fits the entry type.",
        lambda item: _names_no_venue(item) and _is_of_its_kind(item),
    ),
    Row(
        Identity.VERSION,
        "No venue is cited, and the publication type of the record does not fit the entry type.",
        _names_no_venue,
    ),
    Row(
        Identity.CITED,
        "The years differ by at most one, and the record is not known to be of another venue.",
        lambda item: item.year_gap <= NEAR and item.venue not in ELSEWHERE,
    ),
    Row(Identity.VERSION, "The record is of another venue or year.", lambda _: True),
)
"""Table that decides which version of the cited work a record describes: CITED, VERSION or
ABOUT.
"""


def _is_heading(item: Comparison) -> bool:
    return _HEADINGS.issuperset(title_words(item.record.title))


def _words(item: Comparison) -> int:
    return title_form(item.reference.title).length


def _is_anothers_title(item: Comparison) -> bool:
    # "On the Complex Backpropagation Algorithm" is not "The Complex Backpropagation Algorithm" by
    # other authors
    differs = item.title.differences and not item.authors.agreeing
    return bool(item.title.part_missing or differs or NO_PAPER.match(item.record.title))


def _is_corroborated(item: Comparison) -> bool:
    """Return whether the DOI or the venue agrees.

    If the venues cannot be compared, the year may agree instead, with a gap of at most one year.
    """
    near = item.year_gap <= 1 and item.venue is VenueAgreement.NOT_COMPARABLE
    return item.doi or near or item.has_cited_venue


def _is_unique_there(item: Comparison) -> bool:
    """Return whether venue and year agree, and the title occurs only once in a volume. "Guest
    Editorial" may occur several times.
    """
    unique = item.year_gap == 0 and _words(item) > 1 and not _is_heading(item)
    return item.has_cited_venue and unique


def _is_of_another_edition(item: Comparison) -> bool:
    """Return whether the record may be of a paper with a similar title at another edition of the
    conference.
    """
    in_proceedings = item.record.pub_type == "inproceedings" and item.has_cited_venue
    return bool(item.year_gap) and in_proceedings and not item.doi


def _is_found_by_identifier(item: Comparison) -> bool:
    return item.candidate.match in {MatchKind.DOI, MatchKind.ARXIV_ID}


def _is_as_similar(item: Comparison) -> bool:
    """Return whether the titles are very similar, or the record was found by its title.

    A record is found by its title if the similarity is at least the setting ``bib_threshold``. If
    the title is not very similar, the record must be of the same year.
    """
    found = item.candidate.match is MatchKind.TITLE and not item.year_gap
    return found or item.candidate.similarity >= _SURELY_ALIKE


def _is_misquoted(item: Comparison) -> bool:
    """Return whether one word of the title is wrong, but all authors, the year and at least two
    other words of the title agree.

    The rule was tested with 34,000 papers of the ACL Anthology that are not in a sample of DBLP.
    None of them matched another work in the sample.
    """
    cited, recorded = item.reference.title, item.record.title
    same_year = item.field("year").agreement is Agreement.SAME
    ours, theirs = differing_words(cited, recorded)
    one = sum(differs for _, differs in ours) == sum(differs for _, differs in theirs) == 1
    common = set(title_words(cited)) & set(title_words(recorded)) - _HEADINGS
    is_alike = one and len(ours) == len(theirs) and len(common) >= _TELLING
    return same_year and item.authors.everyone and is_alike


def _cites_text_about(item: Comparison) -> bool:
    """Return whether the cited title is the title of a text about the recorded work: "Correction
    to: ...".
    """
    cited, recorded = item.reference.title, item.record.title
    return begins_text_about(cited) and not begins_text_about(recorded)


SAME_TITLE = (
    Row(
        Identity.ANOTHER,
        "The reference cites a correction or review of the recorded work.",
        _cites_text_about,
    ),
    Row(
        Identity.ANOTHER,
        "The title is a heading that recurs in each issue, and the years differ.",
        lambda item: bool(item.year_gap) and _is_heading(item),
    ),
    Row(Identity.CITED, "The authors agree.", lambda item: item.authors_agree),
    Row(
        Identity.CITED,
        "The title has four or more words, and the reference or the record has no authors.",
        lambda item: item.authors.agrees and _words(item) >= _SHORT_TITLE,
    ),
    Row(
        Identity.ANOTHER,
        "The title has fewer words, and the reference or the record has no authors.",
        lambda item: item.authors.agrees,
    ),
    Row(
        Identity.ANOTHER,
        "The authors differ, and the titles differ in a detail or are titles of front matter.",
        _is_anothers_title,
    ),
    Row(
        Identity.CITED,
        "The authors differ, but different works rarely have the same title of six or more words.",
        lambda item: _words(item) >= _DISTINCTIVE_TITLE,
    ),
    Row(
        Identity.CITED,
        "The title has four or more words, and the DOI, the venue or the year agrees.",
        lambda item: _words(item) >= _SHORT_TITLE and _is_corroborated(item),
    ),
    Row(Identity.CITED, "The DOI agrees.", lambda item: item.doi),
    Row(
        Identity.CITED,
        "Venue and year agree, and the title is not a heading or a single word.",
        _is_unique_there,
    ),
)
"""Table that decides whether a record with the cited title describes the cited work (CITED) or
another work (ANOTHER). If no row holds, the record describes another work.
"""
OTHER_TITLE = (
    Row(
        Identity.ANOTHER,
        "Only numbers in the titles differ, or the authors differ, or the years are two or more"
        " apart.",
        lambda item: item.title.other_number or not item.authors_agree or item.year_gap > 1,
    ),
    Row(
        Identity.ANOTHER,
        "The record is of a paper at another edition of the conference.",
        _is_of_another_edition,
    ),
    Row(
        Identity.CITED,
        "The record was found by the cited identifier, and the DOI, the venue or the year agrees.",
        lambda item: _is_found_by_identifier(item) and _is_corroborated(item),
    ),
    Row(
        Identity.ANOTHER,
        "The record was found by the cited identifier, but the venue does not agree.",
        _is_found_by_identifier,
    ),
    Row(
        Identity.CITED,
        "The titles are similar enough, all authors agree, and the DOI, the venue or the year"
        " agrees.",
        lambda item: _is_as_similar(item) and _is_corroborated(item) and item.authors.everyone,
    ),
    Row(
        Identity.CITED,
        "One word of the title differs, and all authors, venue and year agree.",
        lambda item: item.has_cited_venue and _is_misquoted(item),
    ),
)
"""Table that decides whether a record with another title than the cited title describes the cited
work (CITED) or another work (ANOTHER). If no row holds, the record describes another work.
"""


def _first(rows: Iterable[Row], item: Comparison) -> Identity:
    return next((row.identity for row in rows if row.holds(item)), Identity.ANOTHER)


def compared(
    reference: Reference, candidate: Candidate, venues: Venues = NO_VENUES, counts: Counts = ()
) -> Comparison:
    """Compare a reference with the record of ``candidate``.

    ``counts`` states how many titles contain each word that may be misspelt.
    """
    record, year = candidate.record, reference.year
    if not year:  # use the year in the name of the venue if there is exactly one
        named = years_in(reference.venue)
        year = named.pop() if len(named) == 1 else None
    return Comparison(
        reference,
        candidate,
        counts,
        compare_authors(reference, record),
        doi_agrees(reference, (record,)),
        abs(year - record.year) if year and record.year else 0,
        venues,
        partial(_first, VERSIONS),
    )


Comparer = Callable[[Reference, Candidate, Venues, Counts], Comparison]
"""Type of the function :func:`compared`, and of :class:`Comparisons`."""


class Comparisons:
    """The function :func:`compared` with a memory for one reference.

    The same records are compared again after each search.
    """

    def __init__(self) -> None:
        # a comparison keeps its reference and candidate, so their ids are not used again
        self._made: dict[tuple[int, int, Counts], Comparison] = {}

    def __call__(
        self, reference: Reference, candidate: Candidate, venues: Venues, counts: Counts
    ) -> Comparison:
        """Return the comparison, which is made once."""
        asked = id(reference), id(candidate), counts
        if asked not in self._made:
            self._made[asked] = compared(reference, candidate, venues, counts)
        return self._made[asked]


def identify(item: Comparison) -> Identity:
    """Return the relation of a record to a reference, such as CITED (the cited version) or ANOTHER
    (another work).
    """
    if item.version is Identity.ABOUT:
        return Identity.ABOUT
    is_work = _first(SAME_TITLE if item.title.same else OTHER_TITLE, item) is Identity.CITED
    return item.version if is_work else Identity.ANOTHER


def is_of_work(item: Comparison) -> bool:
    """Return whether a record is of the cited work, in any version."""
    return identify(item) in _OF_WORK


def is_surely_of(reference: Reference, candidate: Candidate) -> bool:
    """Return whether a record is of the cited work, has the cited title, and does not have other
    authors.

    False for web pages.
    """
    if candidate.match in _UNCOMPARED:
        return False
    item = compared(reference, candidate)
    return is_of_work(item) and item.title == EQUAL and item.authors.agrees


def decides(item: Comparison) -> bool:
    """Return whether the record certainly describes the cited work: the title agrees, and also the
    DOI or year and venue.

    Other works with the same title can then be ignored.
    """
    same_place = item.has_cited_venue and item.is_cited and not item.year_gap
    return item.title.same and (item.doi or same_place)


def rank(item: Comparison) -> tuple[float, ...]:
    """Return a sort key by which the comparison that agrees best comes first."""
    title, authors = item.title, item.authors
    differences = len(title.differences) + len(authors.differences)
    agreeing = (title.same, authors.agrees, item.doi, authors.share, item.is_cited)
    return (
        *(-value for value in agreeing),
        differences,
        item.year_gap,
        -item.candidate.similarity,
    )


def compare_all(
    reference: Reference,
    candidates: Iterable[Candidate],
    venues: Venues = NO_VENUES,
    counts: Counts = (),
    comparer: Comparer = compared,
) -> list[Comparison]:
    """Compare a reference with records. Return the comparisons, the best match first.

    Records without authors and texts about the work are left out.
    """
    title = title_form(reference.title).normal
    seen: dict[Hashable, Candidate] = {}
    for candidate in candidates:
        if candidate.match in _UNCOMPARED or not candidate.record.authors:
            continue
        if candidate.match is MatchKind.AUTHORS and not is_alike(title, candidate):
            continue
        identity = candidate.record.identity
        known = seen.get(identity)
        if not known or known.match is MatchKind.AUTHORS or known.similarity < candidate.similarity:
            seen[identity] = candidate
    every = (comparer(reference, candidate, venues, counts) for candidate in seen.values())
    return sorted((item for item in every if item.version is not Identity.ABOUT), key=rank)


def is_alike(title: str, candidate: Candidate) -> bool:
    """Return whether the title of a record is similar to ``title``, or the longer of the two titles
    begins with the shorter title.
    """
    return candidate.similarity >= ALIKE or begins_alike(
        title, title_form(candidate.record.title).normal
    )


def begins_alike(title: str, recorded: str) -> bool:
    """Return whether the longer of two normalised titles begins with the shorter title.

    The shorter title must have at least three words.
    """
    short, long_title = sorted((title, recorded), key=len)
    return short.count(" ") >= _BEGINNING - 1 and long_title.startswith(short + " ")


def works_meant(items: Sequence[Comparison]) -> Iterator[Comparison]:
    """Yield the best of the comparisons ``items`` for each work that may be cited, the best work
    first.
    """
    works: list[Comparison] = []
    deciding = [item for item in items if decides(item)]
    for item in deciding or items:
        if any(same_work(work, item) for work in works):
            continue
        if is_of_work(item):
            works.append(item)
            yield item
        if len(works) == _MOST_WORKS:
            break


def same_work(best: Comparison, other: Comparison) -> bool:
    """Return whether two records agree in title and authors. Equal DOIs are not enough."""
    ours, theirs = best.record.authors, other.record.authors
    by_cited = other.authors.agrees and best.authors.agrees and other.authors.comparable
    return (ours == theirs or by_cited) and compare_titles(
        best.record.title, other.record.title
    ).same


def agrees_but_for_title(item: Comparison) -> bool:
    """Return whether all cited authors agree, and also the DOI or both venue and year.

    The title may differ.
    """
    same_place = item.doi or (item.has_near_year and item.has_cited_venue)
    return item.authors.all_cited and same_place


def is_stranger(item: Comparison) -> bool:
    """Return whether a record has no cited author, and the titles share less than half of the words
    of the shorter title.
    """
    ours, theirs = (set(title_words(one.title)) for one in (item.reference, item.record))
    return not item.authors.agreeing and 2 * len(ours & theirs) < min(len(ours), len(theirs))


def confirms(item: Comparison) -> bool:
    """Return whether title and authors agree, and also the DOI or the year. The year agrees only if
    both reference and record state it.

    Such a record confirms a reading of a text.
    """
    return item.title.same and item.authors_agree and (item.has_near_year or item.doi)


def may_be_retitled(item: Comparison) -> bool:
    """Return whether the recorded work has all cited authors, and the years differ by at most one.
    The titles are not compared.
    """
    return item.year_gap <= NEAR and item.authors.all_cited


def are_versions(record: Record, other: Record) -> bool:
    """Return whether two records have equal DOIs or, without DOIs, equal titles and authors."""
    if record.doi and other.doi:
        return record.doi.lower() == other.doi.lower()
    ours, theirs = ([*map(normalize_title, (one.title, *one.authors))] for one in (record, other))
    return ours == theirs
