"""Flags of a verdict: a retraction, an expression of concern, or a web search as the only confirmation."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from citeproof.model.findings import Findings
from citeproof.model.record import MatchKind, Record
from citeproof.model.verdict import Status, Verdict
from citeproof.text.normalize import normalize_title
from citeproof.verification.certainty.calibration import confidence
from citeproof.verification.validation.compare.titles import title_form

FLAGS = {
    "retracted": "The work was retracted; the best match, or else the verdict, links to the notice.",
    "expression_of_concern": "Its publisher voiced concern about the work; the notice is linked in the same place.",
    "weak_web_match": "Confirmed by a web search alone: an equal title and one more agreeing fact.",
}
"""Flags and their meanings, in the order of the documentation."""
_OF_KINDS = {"retraction": "retracted", "concern": "expression_of_concern"}  # flag by kind of notice
_OPEN = frozenset({"title_not_found", "found_nowhere", "out_of_scope", "common_title"})
"""Reasons of verdicts that a web search hit may replace: no record confirms or contradicts the reference."""
_SAME_TITLE = 0.9


def flagged(verdict: Verdict, findings: Findings) -> Verdict:
    """Return ``verdict`` with flags for retractions and concerns about the cited work.

    Its records or notices state these; they are added to the best match. Without a record, only notices count.
    """
    best, notices = verdict.best_match, findings.notices
    cited = best and (best.similarity >= _SAME_TITLE or best.match in {MatchKind.MAIN_TITLE, MatchKind.SAME_WORDS})
    if best is None or not cited:  # another work, which explains the verdict
        return _with(verdict, {notice.kind for notice in notices}, notices=notices) if notices else verdict
    records = [candidate.record for candidate in (best, *findings.candidates)]
    if not notices and not any(record.retraction or record.concern for record in records):
        return verdict
    same = [best.record, *(record for record in records[1:] if _same_work(best.record, record))]
    known = {kind: next(filter(None, (getattr(record, kind) for record in same)), "") for kind in _OF_KINDS}
    known |= {notice.kind: notice.url for notice in reversed(notices) if not known[notice.kind]}
    noted = replace(best.record, retraction=known["retraction"], concern=known["concern"])
    return _with(verdict, {kind for kind, url in known.items() if url}, best_match=replace(best, record=noted))


def _with(verdict: Verdict, kinds: Collection[str], **found: Any) -> Verdict:
    flags = (*verdict.flags, *(flag for kind, flag in _OF_KINDS.items() if kind in kinds))
    return replace(verdict, flags=flags, **found)


def _same_work(record: Record, other: Record) -> bool:
    """Return whether two records describe one work: equal DOIs or, without DOIs, equal title and authors."""
    if record.doi and other.doi:
        return record.doi.lower() == other.doi.lower()
    same_title = title_form(record.title).normal == title_form(other.title).normal
    return same_title and [*map(normalize_title, record.authors)] == [*map(normalize_title, other.authors)]


def with_web_hits(verdict: Verdict, findings: Findings) -> Verdict:
    """Return ``verdict``. If a web search hit agrees in the title and one more fact, it becomes VALID with a flag."""
    if verdict.reason not in _OPEN:
        return verdict
    hits = [candidate for candidate in findings.candidates if candidate.match is MatchKind.WEB]
    best = max(hits, key=lambda hit: (len(hit.facts), hit.similarity), default=None)
    if best is None or not best.facts:
        return verdict
    weak = "weak_web_match"
    valid = replace(verdict, status=Status.VALID, reason=weak, confidence=confidence(weak), best_match=best)
    return replace(valid, flags=(*verdict.flags, weak))
