"""The strategy that queries web search engines. A hit is weak evidence, for works of which no source has a record."""

from collections.abc import Sequence

from citeproof.model.findings import Findings, Outcome
from citeproof.model.reference import Reference
from citeproof.model.verdict import Verdict
from citeproof.online.search_engines import Engine
from citeproof.verification.pipeline import Strategy
from citeproof.verification.validation.adjustments import is_open


class WebSearchStrategy(Strategy):
    """Queries the configured engines in turn, until one has a hit in which a fact besides the title agrees."""

    name = "web_search"
    online = True

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._engines = tuple(engines)

    def wanted(self, verdict: Verdict) -> bool:
        """Return whether no source knows the work. A hit cannot change any other verdict."""
        return is_open(verdict)

    def search(self, reference: Reference) -> Findings:
        """Return the hits with the cited title. If no hit agrees in another fact, return also which engines failed."""
        findings = failed = Findings()
        for engine in self._engines:
            found = engine.search(reference)
            if any(inquiry.outcome is Outcome.FAILED for inquiry in found.inquiries):
                failed += found
                continue
            findings += found
            if any(candidate.facts for candidate in found.candidates):
                return findings
        return findings + failed
