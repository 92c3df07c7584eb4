"""The title of the work that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import MatchKind
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.validation.case import Case

CODES = {
    "title.word_changed": "A content word of the title is changed, added or missing.",
    "title.different": "Authors and identifier lead to a work of another title.",
    "title.spelling": "Plural, British or American spelling, a function word, one typo.",
    "title.misspelt": "A letter of the title is wrong: so spelled, hardly any title of the database has the word.",
    "title.subtitle": "One of the two titles lacks the subtitle or the series prefix of the other.",
}


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare the titles word by word; a record that an identifier found may have nothing of the cited one."""
    best = case.best
    if best is None:
        return ()
    if best.title.same or best.candidate.match not in (MatchKind.DOI, MatchKind.ARXIV_ID):
        return best.title.differences
    recorded = best.record.title
    explanation = f"authors and identifier are those of a work of another title: {recorded}"
    return (Difference("title.different", case.reference.title, recorded, explanation),)
