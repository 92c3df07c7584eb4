"""The title of the cited work."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.model.record import MatchKind, Record
from citeproof.verification.validation.claim import Form, recorded_form
from citeproof.verification.validation.compare.titles import EQUAL, compare_titles, title_words
from citeproof.verification.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.verification.validation.case import Case
    from citeproof.verification.validation.work import Comparison

CODES = {
    "title.word_changed": "A content word of the title is changed, added or missing.",
    "title.different": "Authors and identifier lead to a work of another title.",
    "title.spelling": "Plural, British or American spelling, a function word, one typo.",
    "title.misspelt": "A letter of the title is wrong: so spelled, hardly any title of the database has the word.",
    "title.subtitle": "One of the two titles lacks the subtitle or the series prefix of the other.",
}

_REWORDED = 0.7
"""Minimum similarity of the titles of two versions."""
_BEGINNING = 3
"""Minimum words of a book's shortened title, or of a title after a name and a colon."""
_NAME = 2
"""Maximum words of a system's name."""
_NAMED = re.compile(r":\s+")


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare the titles word by word; the title of a record found by identifier may be quite different."""
    best = case.best
    if best is None:
        return ()
    if any(item.title == EQUAL for item in case.work):
        return ()
    if not best.title.same and _is_shortened_book(case.reference.title, best.record):
        return (
            Difference("title.subtitle", case.reference.title, best.record.title, "one of the titles is shortened"),
        )
    by_identifier = best.candidate.match in (MatchKind.DOI, MatchKind.ARXIV_ID)
    if not best.title.same and by_identifier and (case.cited or best.candidate.similarity < _REWORDED):
        recorded = best.record.title
        explanation = f"authors and identifier are those of a work of another title: {recorded}"
        return (Difference("title.different", case.reference.title, recorded, explanation),)
    if best.title.same_stems and case.explained and case.has_cited_page(best.record):
        return tuple(replace(item, code="title.spelling") for item in best.title.differences)
    held = best.title.same or (case.cited and not _has_another_name(case, best) and not case.is_preprint_elsewhere)
    return best.title.differences if held else tuple(item.of_another_version() for item in best.title.differences)


def _has_another_name(case: Case, best: Comparison) -> bool:
    """Return whether all authors agree, and the titles except the name before the colon: a system was renamed."""
    ours, theirs = (_NAMED.split(title, maxsplit=1) for title in (case.reference.title, best.record.title))
    if len(ours) + len(theirs) < 4 or len(title_words(ours[1])) < _BEGINNING:
        return False
    if max(len(title_words(ours[0])), len(title_words(theirs[0]))) > _NAME:
        return False
    everyone = best.authors_agree and best.authors.share == 1 and not best.authors.uncited
    return everyone and compare_titles(ours[1], theirs[1]).same and not best.title.other_number


def _is_shortened_book(cited: str, record: Record) -> bool:
    """Return whether the record is of a book and one title begins the other: catalogues shorten titles."""
    ours, theirs = title_words(cited), title_words(record.title)
    length = min(len(ours), len(theirs))
    if recorded_form(record) is not Form.BOOK or length < _BEGINNING:
        return False
    return compare_titles(" ".join(ours[:length]), " ".join(theirs[:length])).same
