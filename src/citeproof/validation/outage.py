"""What a failed source does to a verdict: it may turn it into ERROR, and into nothing else.

A source that could not be asked might hold the record that agrees, so nothing but VALID survives
it, and that not if it rests on a web search. VALID survives where every cited identifier is on a
record of the work, because the failed source might have said that an identifier names something else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.models import MatchKind, Outcome, Status
from citeproof.validation.calibration import confidence
from citeproof.validation.identifiers import arxiv_id_of
from citeproof.validation.web import FLAG

if TYPE_CHECKING:
    from citeproof.models import Findings, Record, Reference, Verdict

REASON = "source_failed"
_WITHOUT_SOURCES = frozenset({"no_title"})
"""Reasons that no answer of any source could change."""


def after_failures(verdict: Verdict, findings: Findings) -> Verdict:
    """Return ``verdict``, or ERROR where a source failed whose answer might have changed it.

    What was found so far stays in the verdict: issues, best match and nearest works.
    """
    if not any(inquiry.outcome is Outcome.FAILED for inquiry in findings.inquiries):
        return verdict
    if verdict.reason in _WITHOUT_SOURCES:
        return verdict
    strong = verdict.status is Status.VALID and FLAG not in verdict.flags
    if strong and _identifiers_confirmed(verdict.reference, findings):
        return verdict
    return replace(verdict, status=Status.ERROR, reason=REASON, confidence=confidence(REASON))


def _identifiers_confirmed(reference: Reference, findings: Findings) -> bool:
    """Whether each cited identifier stands on a record with the cited title."""
    records = [c.record for c in findings.candidates if c.match is not MatchKind.NEARBY and c.similarity >= 0.9]
    arxiv_id = arxiv_id_of(reference).lower()
    doi_is_arxivs = bool(arxiv_id) and reference.doi.lower().endswith(arxiv_id)
    doi = "" if doi_is_arxivs else reference.doi.lower()
    return (not doi or _any_states(records, "doi", doi)) and (
        not arxiv_id or _any_states(records, "arxiv_id", arxiv_id)
    )


def _any_states(records: list[Record], name: str, identifier: str) -> bool:
    return any(getattr(record, name).lower() == identifier for record in records)
