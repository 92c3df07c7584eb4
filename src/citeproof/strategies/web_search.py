"""The web-search strategy: weak evidence, for works that no source of records knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Findings, Outcome
from citeproof.validation.outage import is_open

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Reference, Verdict
    from citeproof.websearch.engine import Engine


class WebSearchStrategy:
    """Asks the configured engines one after the other until one shows the work with an agreeing fact."""

    name = "web_search"

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._engines = tuple(engines)

    def wanted(self, verdict: Verdict) -> bool:
        """Only what nobody knows is searched for: a hit can neither mend nor break another verdict."""
        return is_open(verdict)

    def search(self, reference: Reference) -> Findings:
        """Return the hits with the cited title; where none shows an agreeing fact, the engines that failed too."""
        findings = Findings()
        failed = Findings()
        for engine in self._engines:
            found = engine.search(reference)
            if any(inquiry.outcome is Outcome.FAILED for inquiry in found.inquiries):
                failed += found
                continue
            findings += found
            if any(candidate.facts for candidate in found.candidates):
                return findings
        return findings + failed
