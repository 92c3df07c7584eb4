"""What a hit of a web search can do: an equal title and one more agreeing fact confirm a work, weakly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.models import MatchKind, Status
from citeproof.validation.calibration import confidence

if TYPE_CHECKING:
    from citeproof.models import Findings, Verdict

FLAG = "weak_web_match"
_OPEN = frozenset({"title_not_found", "found_nowhere", "out_of_scope", "common_title"})
"""Reasons that a hit may overcome: nothing contradicts the reference, and no record confirms it."""


def with_web_hits(verdict: Verdict, findings: Findings) -> Verdict:
    """Return VALID with a flag where a hit agrees in title and one more fact."""
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
