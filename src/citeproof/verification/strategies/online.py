"""Strategies that query online sources.

Web search engines are queried for works that no source has.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from operator import itemgetter

from citeproof.model.findings import Findings, Outcome
from citeproof.model.record import MatchKind
from citeproof.model.reference import Reference
from citeproof.model.verdict import Verdict
from citeproof.online.coverage import cited_arxiv_id, coverage_of
from citeproof.online.search_engines import Engine
from citeproof.online.source import Source
from citeproof.text.title_differences import words_a_letter_apart
from citeproof.verification.decision import is_open
from citeproof.verification.pipeline import Strategy
from citeproof.verification.validation.identity import is_surely_of

SIDE_BY_SIDE = 2
"""Number of online sources that are queried at the same time."""
_AGREEING = 2  # number of sources that must have the work before the search ends
# source that repeats answers of registrars such as Crossref; it is not counted as a second source
_REPEATER = "doi_org"


class ApiStrategy(Strategy):
    """Queries online sources in pairs until two sources have the work.

    Cheap and reliable sources come first.
    """

    name = "api"
    online = True

    def __init__(
        self, sources: Sequence[Source], executor: Executor, local: Sequence[Strategy] = ()
    ) -> None:
        """``sources`` are queried in this order.

        ``local`` are strategies that can count the titles with a given word. The counts show
        whether a word may be misspelt, because misspelt words are rare.
        """
        self._sources, self._executor, self._local = tuple(sources), executor, tuple(local)

    def search(self, reference: Reference) -> Findings:
        """Return the findings of all sources that were queried, including failures."""
        findings = Findings(coverage=coverage_of(reference))
        ranked = [
            (rank, source)
            for source in self._sources
            if (rank := source.rank(reference)) is not None
        ]
        ordered = [source for _, source in sorted(ranked, key=itemgetter(0))]
        for start in range(0, len(ordered), SIDE_BY_SIDE):
            wave = ordered[start : start + SIDE_BY_SIDE]
            for found in self._executor.map(lambda source: source.search(reference), wave):
                findings += found
            if settled(reference, findings):
                break
        titles = (candidate.record.title for candidate in findings.candidates)
        words = words_a_letter_apart(reference.title, *titles)
        return findings + Findings(
            title_counts=tuple(one for link in self._local for one in link.title_counts(words))
        )


def settled(reference: Reference, findings: Findings) -> bool:
    """Return whether no further source is needed. This is so if two sources have the work, and all
    cited identifiers were looked up.

    An identifier was looked up if a record of the work has it, or if the registrar of the
    identifier has answered.
    """
    records = [one.record for one in findings.candidates if is_surely_of(reference, one)]
    holding = {record.source for record in records}
    if len(holding - {_REPEATER} or holding) < _AGREEING:
        return False
    matches = {candidate.match for candidate in findings.candidates}
    answered = {
        inquiry.source for inquiry in findings.inquiries if inquiry.outcome is Outcome.ANSWERED
    }
    doi, arxiv_id = reference.doi.lower(), cited_arxiv_id(reference)
    doi_known = (
        MatchKind.DOI in matches
        or _REPEATER in answered
        or any(one.doi.lower() == doi for one in records)
    )
    if doi and not doi_known and not (arxiv_id and doi.endswith(arxiv_id)):
        return False
    id_known = (
        MatchKind.ARXIV_ID in matches
        or "arxiv" in answered
        or any(one.arxiv_id == arxiv_id for one in records)
    )
    return not arxiv_id or id_known


class WebSearchStrategy(Strategy):
    """Queries web search engines one after another, until a page has the cited title and another
    cited fact, such as the year.
    """

    name = "web_search"
    online = True

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._engines = tuple(engines)

    def wanted(self, verdict: Verdict) -> bool:
        """Return whether no source knows the work.

        A web page is weak evidence and cannot change other verdicts.
        """
        return is_open(verdict)

    def search(self, reference: Reference) -> Findings:
        """Return the web pages with the cited title.

        If no page has another cited fact, the findings also report the engines that failed.
        """
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
