"""The API strategy: asks online sources two at a time, the cheap and authoritative ones first, no more than needed."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from citeproof.models import Findings, MatchKind, Outcome
from citeproof.online.coverage import coverage_of
from citeproof.online.identifiers import cited_arxiv_id
from citeproof.text.normalize import normalize_title
from citeproof.text.words import shares_an_author
from citeproof.validation.compare.titles import words_a_letter_apart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor

    from citeproof.models import Record, Reference
    from citeproof.online.source import Source

AGREEING = 2
"""How many sources must hold the work before no more are asked."""
SIDE_BY_SIDE = 2
"""How many sources are asked at a time."""
_REPEATER = "doi_org"
"""It repeats what the registrar says, such as Crossref: the two together are one source that holds the work."""


@runtime_checkable
class WordCounter(Protocol):
    """What holds titles and counts their words."""

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return each of the normalised ``words`` with how many titles hold it."""


class ApiStrategy:
    """Walks the sources in waves until two agree."""

    name = "api"

    def __init__(self, sources: Sequence[Source], executor: Executor, counters: Sequence[WordCounter] = ()) -> None:
        """``counters`` say of words that are a letter apart whether one of them is misspelt; sources cannot."""
        self._sources = tuple(sources)
        self._executor = executor
        self._counters = tuple(counters)

    def search(self, reference: Reference) -> Findings:
        """Return what the sources know; those that failed are part of it."""
        findings = Findings(coverage=coverage_of(reference))
        for wave in self._waves(reference):
            for found in self._executor.map(lambda source: source.search(reference), wave):
                findings += found
            if settled(reference, findings):
                break
        return findings + Findings(title_counts=self._counts(reference.title, findings))

    def _counts(self, title: str, findings: Findings) -> tuple[tuple[str, int], ...]:
        """Return how many titles hold the words that may be misspelt, in the cited title or in one that was found."""
        found = (candidate.record.title for candidate in findings.candidates)
        words = tuple(dict.fromkeys(word for other in found for word in words_a_letter_apart(title, other)))
        return tuple(pair for counter in self._counters for pair in counter.title_counts(words))

    def _waves(self, reference: Reference) -> Iterator[list[Source]]:
        """Return the sources that can know the work, two at a time, by rank."""
        ranked = [(rank, source) for source in self._sources if (rank := source.rank(reference)) is not None]
        ordered = [source for _, source in sorted(ranked, key=lambda pair: pair[0])]
        for _, wave in groupby(enumerate(ordered), key=lambda pair: pair[0] // SIDE_BY_SIDE):
            yield [source for _, source in wave]


def settled(reference: Reference, findings: Findings) -> bool:
    """Whether asking on adds nothing: two sources hold the work, and the cited identifiers are looked up."""
    return _agreeing(reference, findings) >= AGREEING and _identifiers_known(reference, findings)


def _agreeing(reference: Reference, findings: Findings) -> int:
    holding = {c.record.source for c in findings.candidates if _is_cited(reference, c.record)}
    return len(holding - {_REPEATER}) or len(holding)


def _is_cited(reference: Reference, record: Record) -> bool:
    same_title = normalize_title(record.title) == normalize_title(reference.title)
    return same_title and shares_an_author(reference, record)


def _identifiers_known(reference: Reference, findings: Findings) -> bool:
    """Whether each cited identifier is on a record of the work, or its registrar has said what it names."""
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
