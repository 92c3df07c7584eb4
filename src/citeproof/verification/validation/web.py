"""Confirm a work, weakly, by a web search hit with an equal title and one more agreeing fact."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.model.record import MatchKind
from citeproof.model.verdict import Status
from citeproof.verification.validation.calibration import confidence

if TYPE_CHECKING:
    from citeproof.model.findings import Findings
    from citeproof.model.verdict import Verdict

FLAG = "weak_web_match"
_OPEN = frozenset({"title_not_found", "found_nowhere", "out_of_scope", "common_title"})
"""Reasons that a hit may overcome: no record confirms or contradicts the reference."""


def with_web_hits(verdict: Verdict, findings: Findings) -> Verdict:
    """Return VALID with a flag if a hit agrees in title and one more fact, else ``verdict``."""
    if verdict.reason not in _OPEN:
        return verdict
    hits = [candidate for candidate in findings.candidates if candidate.match is MatchKind.WEB]
    if not hits:
        return verdict
    best = max(hits, key=lambda hit: (len(hit.facts), hit.similarity))
    if not best.facts:
        return verdict
    return replace(
        verdict,
        status=Status.VALID,
        reason=FLAG,
        confidence=confidence(FLAG),
        best_match=best,
        flags=(*verdict.flags, FLAG),
    )
