"""The strategy that queries online sources, two at a time, until two have the work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from itertools import groupby
from typing import TYPE_CHECKING

from citeproof.model.findings import Findings, Outcome
from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.coverage import cited_arxiv_id, coverage_of
from citeproof.text.normalize import normalize_title
from citeproof.text.words import shares_an_author
from citeproof.verification.pipeline import Strategy
from citeproof.verification.validation.compare.titles import words_a_letter_apart

if TYPE_CHECKING:
    from citeproof.online.source import Source

AGREEING = 2
"""Number of sources with the work after which no more are asked."""
SIDE_BY_SIDE = 2
"""Number of sources that are asked at a time."""
_REPEATER = "doi_org"
"""Source that repeats the registrar's answer, such as Crossref's: both together count as one source."""


class ApiStrategy(Strategy):
    """Queries the sources in pairs, cheap and authoritative ones first, until two have the work."""

    name = "api"
    online = True

    def __init__(self, sources: Sequence[Source], executor: Executor, local: Sequence[Strategy] = ()) -> None:
        """``local`` are strategies that count titles with a word, to show which of two similar words is misspelt."""
        self._sources = tuple(sources)
        self._executor = executor
        self._local = tuple(local)

    def search(self, reference: Reference) -> Findings:
        """Return the findings of the sources, with those that failed."""
        findings = Findings(coverage=coverage_of(reference))
        for wave in self._waves(reference):
            for found in self._executor.map(lambda source: source.search(reference), wave):
                findings += found
            if settled(reference, findings):
                break
        return findings + Findings(title_counts=self._counts(reference.title, findings))

    def _counts(self, title: str, findings: Findings) -> tuple[tuple[str, int], ...]:
        """Return the number of titles that use the words that may be misspelt in the cited or in a found title."""
        found = (candidate.record.title for candidate in findings.candidates)
        words = tuple(dict.fromkeys(word for other in found for word in words_a_letter_apart(title, other)))
        return tuple(pair for strategy in self._local for pair in strategy.title_counts(words))

    def _waves(self, reference: Reference) -> Iterator[list[Source]]:
        """Yield the sources that can have the work, two at a time, by rank."""
        ranked = [(rank, source) for source in self._sources if (rank := source.rank(reference)) is not None]
        ordered = [source for _, source in sorted(ranked, key=lambda pair: pair[0])]
        for _, wave in groupby(enumerate(ordered), key=lambda pair: pair[0] // SIDE_BY_SIDE):
            yield [source for _, source in wave]


def settled(reference: Reference, findings: Findings) -> bool:
    """Return whether no further source is needed: two have the work, and the cited identifiers were looked up."""
    return _agreeing(reference, findings) >= AGREEING and _identifiers_known(reference, findings)


def _agreeing(reference: Reference, findings: Findings) -> int:
    holding = {c.record.source for c in findings.candidates if _is_cited(reference, c.record)}
    return len(holding - {_REPEATER}) or len(holding)


def _is_cited(reference: Reference, record: Record) -> bool:
    same_title = normalize_title(record.title) == normalize_title(reference.title)
    return same_title and shares_an_author(reference, record)


def _identifiers_known(reference: Reference, findings: Findings) -> bool:
    """Return whether each cited identifier is on a record of the work, or its registrar has answered."""
    looked_up = {candidate.match for candidate in findings.candidates}
    answered = {inquiry.source for inquiry in findings.inquiries if inquiry.outcome is Outcome.ANSWERED}
    records = [c.record for c in findings.candidates if _is_cited(reference, c.record)]
    doi, arxiv_id = reference.doi.lower(), cited_arxiv_id(reference)
    doi_known = (
        not doi
        or bool(arxiv_id and doi.endswith(arxiv_id))
        or MatchKind.DOI in looked_up
        or _REPEATER in answered
        or any(record.doi.lower() == doi for record in records)
    )
    arxiv_known = (
        not arxiv_id
        or MatchKind.ARXIV_ID in looked_up
        or "arxiv" in answered
        or any(record.arxiv_id == arxiv_id for record in records)
    )
    return doi_known and arxiv_known
