"""Facts about the work that do not change the status: a retraction, an expression of concern."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.models import MatchKind
from citeproof.text.normalize import normalize_title
from citeproof.validation.compare.titles import title_form

if TYPE_CHECKING:
    from citeproof.models import Candidate, Findings, Record, Verdict

FLAGS = {
    "retracted": "The work was retracted; the best match links to the notice.",
    "expression_of_concern": "Its publisher voiced concern about the work; the best match links to the notice.",
    "weak_web_match": "Confirmed by a web search alone: an equal title and one more agreeing fact.",
}
"""Every flag with its meaning, in the order of the documentation."""

_SAME_TITLE = 0.9


def flagged(verdict: Verdict, findings: Findings) -> Verdict:
    """Return ``verdict`` with the flags of its best match; a notice that another source knows goes to its record."""
    best = verdict.best_match
    if best is None or not _is_the_cited_work(best):
        return verdict
    same = [c.record for c in findings.candidates if _same_work(best.record, c.record)]
    retraction = best.record.retraction or next((record.retraction for record in same if record.retraction), "")
    concern = best.record.concern or next((record.concern for record in same if record.concern), "")
    flags = [*verdict.flags, *(["retracted"] if retraction else []), *(["expression_of_concern"] if concern else [])]
    record = replace(best.record, retraction=retraction, concern=concern)
    return replace(verdict, best_match=replace(best, record=record), flags=tuple(flags))


def _is_the_cited_work(best: Candidate) -> bool:
    """What is shown to explain a conflict or a miss is another work, and its notices concern that one."""
    return best.similarity >= _SAME_TITLE or best.match in {MatchKind.MAIN_TITLE, MatchKind.SAME_WORDS}


def _same_work(record: Record, other: Record) -> bool:
    """A DOI decides where both state one; otherwise title and authors must be the same to the letter."""
    if record.doi and other.doi:
        return record.doi.lower() == other.doi.lower()
    same_title = title_form(record.title).normal == title_form(other.title).normal
    return same_title and [*map(normalize_title, record.authors)] == [*map(normalize_title, other.authors)]
