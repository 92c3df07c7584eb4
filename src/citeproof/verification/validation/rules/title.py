"""Compare the cited title with the titles of the work's records."""

import re
from collections.abc import Sequence
from dataclasses import replace

from citeproof.model.record import MatchKind, Record
from citeproof.text.title_words import is_of_text_about, title_words
from citeproof.text.venue_names import is_preprint_server
from citeproof.text.years import YEAR
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import Form, recorded_form
from citeproof.verification.validation.compare.titles import EQUAL, compare_titles
from citeproof.verification.validation.compare.venues import VenueAgreement, compare_venue
from citeproof.verification.validation.comparison import Comparison
from citeproof.verification.validation.policy import Difference, found

_REWORDED = 0.7  # minimum similarity of the titles of two versions of a work
_BEGINNING = 3  # minimum number of words of a shortened book title, or of a title after the colon
_NAME = 2  # maximum number of words before the colon of a title, such as the name of a system


def rule(case: Case) -> Sequence[Difference]:
    """Return the differences between the cited title and the titles of the work's records. Titles
    are compared word by word.

    A record found by its DOI or arXiv id may have a very different title. Reviews of books have
    several titles: ``Book Review: On Lamps by A. Lee``, ``On Lamps A. Lee Oil Press, 2009, 300 pp;
    ISBN ...``.
    """
    best = case.best
    if best is None or any(item.title == EQUAL for item in case.work):
        return ()
    same, cited, recorded = best.title.same, case.reference.title, best.record.title
    are_reviews = is_of_text_about(cited) and is_of_text_about(recorded)
    if not same and (are_reviews or _is_shortened_book(cited, best.record)):
        return (found("title.subtitle/book", cited, recorded),)
    by_identifier = best.candidate.match in (MatchKind.DOI, MatchKind.ARXIV_ID)
    if not same and by_identifier and (case.cited or best.candidate.similarity < _REWORDED):
        return (found("title.different", cited, recorded),)
    lost = best.title.one_side and best.doi and best.has_cited_page
    with_place = best.title.part_added and _goes_on_with_place(case, best)
    if lost or with_place or (best.title.same_stems and best.has_cited_page):
        return [replace(item, code="title.spelling") for item in best.title.differences]
    if (same and (case.cited or not best.title.part_added)) or (
        case.cited and not _has_another_name(cited, best) and not case.is_preprint_elsewhere
    ):
        return best.title.differences
    return [item.of_another_version() for item in best.title.differences]


def _goes_on_with_place(case: Case, best: Comparison) -> bool:
    """Return whether the cited title is the recorded title, followed only by the venue or year of
    the record, or by a preprint server.

    Example: ``Attention is all you need. In NIPS, 2017``.
    """
    record, title = best.record, case.reference.title
    recorded, without = title_words(record.title), rf"^in:? |[, ]*\b{record.year}\W*$"
    for stop in re.finditer(r"\. ", title):
        if title_words(title[: stop.start()]) == recorded:
            place = re.sub(without, "", title[stop.end() :], flags=re.IGNORECASE)
            agreement = compare_venue(place, record, case.venues)
            is_place = agreement is VenueAgreement.SAME or is_preprint_server(place)
            return not place or (is_place and not YEAR.search(place))
    return False


def _has_another_name(cited: str, best: Comparison) -> bool:
    """Return whether the title ``cited`` differs from the recorded title only before the colon, and
    all authors agree.

    The words before the colon are then taken as the name of a system that was renamed.
    """
    ours, theirs = (re.split(r":\s+", title, maxsplit=1) for title in (cited, best.record.title))
    if len(ours) + len(theirs) < 4 or len(title_words(ours[1])) < _BEGINNING:
        return False
    if max(len(title_words(name)) for name in (ours[0], theirs[0])) > _NAME:
        return False
    return (
        best.authors.everyone
        and compare_titles(ours[1], theirs[1]).same
        and not best.title.other_number
    )


def _is_shortened_book(cited: str, record: Record) -> bool:
    """Return whether ``record`` is of a book, and either the title ``cited`` or the recorded title
    begins with the other.

    Such titles may be of one book, because catalogues shorten titles.
    """
    ours, theirs = title_words(cited), title_words(record.title)
    length = min(len(ours), len(theirs))
    if recorded_form(record) is not Form.BOOK or length < _BEGINNING:
        return False
    return compare_titles(" ".join(ours[:length]), " ".join(theirs[:length])).same
