"""Ask online about what the database left open: one process, and one pace for each source.

Each question is sent once: its answer is kept in the folder of results, and whoever asks the same meanwhile waits for
it. Verdicts are kept as they come, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.screen.checking import Keeper, cited
from citeproof.strategies.api import SIDE_BY_SIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citeproof.models import OutgoingRequests, Reference
    from citeproof.online.source import Source
    from citeproof.online_chain import OnlineChain
    from citeproof.pipeline import Examination
    from citeproof.screen.checking import Checked, Distinct
    from citeproof.session import Session
    from citeproof.websearch.engine import Engine

CACHE = "cache.db"
"""The file of answers in the folder of results."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What asking will take, at the pace that the sources ask for, were they to answer at once."""

    references: int
    questions: int
    """Most that are sent: all that each source understands. A source that holds the work ends the asking early."""
    least: float
    """Seconds, where the first question to the first sources settles each reference."""
    most: float
    """Seconds, where every question is asked."""


class Asker:
    """Asks about references over a session that goes online, some at a time."""

    def __init__(self, session: Session, chain: OnlineChain) -> None:
        self._examined: dict[str, Examination] = {}
        self._session = session.witnessed(self._witness)
        self._chain = chain
        self._keeper = Keeper(session)
        self.asked = chain.asked
        """The names of what may be asked."""

    def expect(self, references: Iterable[Distinct]) -> Estimate:
        """Return what asking about ``references`` will take."""
        least, most = defaultdict[tuple[str, str], float](float), defaultdict[tuple[str, str], float](float)
        count = questions = 0
        for each in references:
            count += 1
            for first, lane, seconds in self._questions(cited(each)):
                questions += 1
                most[lane] += seconds
                least[lane] += seconds if first else 0
        return Estimate(count, questions, max(least.values(), default=0), max(most.values(), default=0))

    def _questions(self, reference: Reference) -> Iterator[tuple[bool, tuple[str, str], float]]:
        """Yield for each question whether it is surely sent, its lane, and its seconds there."""
        ranked = [(rank, source) for source in self._chain.sources if (rank := source.rank(reference)) is not None]
        sources: list[Source | Engine] = [source for _, source in sorted(ranked, key=lambda pair: pair[0])]
        for place, source in enumerate(sources + list(self._chain.engines)):
            for number, (lane, pace) in enumerate(source.unanswered(reference)):
                first = place < min(SIDE_BY_SIDE, len(sources)) and not number
                yield first, (source.name, lane), pace.seconds / pace.requests

    def ask(self, references: Iterable[Distinct]) -> Iterator[Checked]:
        """Yield the verdict on each of ``references``, in their order."""
        pipeline = self._session.pipeline
        for verdict in pipeline.verify_all(map(cited, references), self._session.concurrent):
            key = verdict.reference.key
            yield self._keeper.checked(int(key), verdict, self._examined.pop(key, None))

    def reopen(self) -> bool:
        """Let sources that were given up be asked again; return whether there were any."""
        return self._chain.reopen()

    def sent(self) -> tuple[OutgoingRequests, ...]:
        """Return what left the machine so far."""
        return self._chain.sent()

    def _witness(self, examination: Examination) -> None:
        self._examined[examination.verdict.reference.key] = examination
