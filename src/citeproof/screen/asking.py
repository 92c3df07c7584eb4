"""Query online sources about references that are not VALID: in one process, at each source's own rate limit.

Each query is sent once: its answer is cached in the folder of results, and identical concurrent queries are coalesced.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from citeproof.model.reference import Reference
from citeproof.screen.checking import Checked, Distinct, Keeper, cited
from citeproof.verification.session import Session
from citeproof.verification.strategies.api import SIDE_BY_SIDE

if TYPE_CHECKING:
    from citeproof.online.source import Source
    from citeproof.verification.online_chain import OnlineChain

CACHE = "cache.db"
"""Name of the file of cached answers in the folder of results."""


class Estimate(NamedTuple):
    """Estimated number of queries and time, by the rate limits of the sources, without the time of their answers."""

    references: int
    questions: int
    """Maximum number of queries. A source that has the work ends the queries of its reference early."""
    least: float
    """Seconds if the first query to the first sources decides each reference."""
    most: float
    """Seconds if every query is sent."""


class Asker:
    """Checks references with a session that queries online sources."""

    def __init__(self, session: Session, chain: OnlineChain) -> None:
        self._keeper = Keeper(session)
        self._session = session.witnessed(self._keeper.witness)
        self.chain = chain
        self.asked = " ".join(chain.asked)
        """Names of the online sources that may be queried."""

    def expect(self, references: Iterable[Distinct]) -> Estimate:
        """Return the estimate for ``references``."""
        least, most = defaultdict[tuple[str, str], float](float), defaultdict[tuple[str, str], float](float)
        count = questions = 0
        for each in references:
            count += 1
            for first, group, seconds in self._questions(cited(each)):
                questions += 1
                most[group] += seconds
                least[group] += seconds if first else 0
        return Estimate(count, questions, max(least.values(), default=0), max(most.values(), default=0))

    def _questions(self, reference: Reference) -> Iterator[tuple[bool, tuple[str, str], float]]:
        """Yield for each query whether it is certainly sent, its rate-limit group, and the seconds that it takes up."""
        ranked = [(rank, source) for source in self.chain.sources if (rank := source.rank(reference)) is not None]
        sources: list[Source] = [source for _, source in sorted(ranked, key=lambda pair: pair[0])]
        for place, source in enumerate(sources + list(self.chain.engines)):
            for number, (group, pace) in enumerate(source.pending(reference)):
                first = place < min(SIDE_BY_SIDE, len(sources)) and not number
                yield first, (source.name, group), pace.seconds / pace.requests

    def ask(self, references: Iterable[Distinct]) -> Iterator[Checked]:
        """Yield the verdicts on ``references``, in their order."""
        pipeline = self._session.pipeline
        for verdict in pipeline.verify_all(map(cited, references), self._session.concurrent):
            yield self._keeper.checked(verdict)
