"""Run the stages of a screening of many papers. Results are saved every half second, so that a
killed run can be resumed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from citeproof.model.reference import Reference
from citeproof.online.source import Source
from citeproof.processes import Item, Lost, Workers, call_in_order
from citeproof.readers.isolation import GRACE_SECONDS, Limits
from citeproof.screen.bibliographies import ReadUnit, failed, read_units
from citeproof.screen.checking import (
    Checked,
    Distinct,
    Keeper,
    basis_of,
    check_references,
    cited,
    lost,
)
from citeproof.screen.papers import Unit, units
from citeproof.screen.store import OPEN, UNASKED, ScreeningStore
from citeproof.verification.session import ENTRIES_A_CALL, Session
from citeproof.verification.strategies.online import SIDE_BY_SIDE

if TYPE_CHECKING:
    from citeproof.verification.online_chain import OnlineChain

# maximum number of seconds between two commits to the database; one commit per paper would be slow
_SAVED_SECONDS = 0.5
_SAVED_ITEMS = 2_000  # maximum number of results in one commit
_UNITS_A_CALL = 2  # number of input files that a worker process reads in one call


class Estimate(NamedTuple):
    """Estimated number of online queries, and how long they take at the rate limits of the
    sources.
    """

    references: int
    questions: int  # maximum number of queries
    least: float  # minimum duration in seconds, if the first queries suffice
    most: float  # maximum duration in seconds, if all queries are sent


class Asker:
    """Verifies references with queries to online sources, within the rate limits of the sources."""

    def __init__(self, session: Session, chain: "OnlineChain") -> None:
        self._keeper = Keeper(session)
        self._session = session.observed(self._keeper.witness)
        self.chain = chain
        # names of the online sources that may be queried, separated by spaces
        self.asked = " ".join(chain.asked)

    def expect(self, references: Iterable[Distinct]) -> Estimate:
        """Estimate how many online queries ``references`` need, and how long these take."""
        least, most = (
            defaultdict[tuple[str, str], float](float),
            defaultdict[tuple[str, str], float](float),
        )
        count = questions = 0
        for each in references:
            count += 1
            for first, group, seconds in self._questions(cited(each)):
                questions += 1
                most[group] += seconds
                least[group] += seconds if first else 0
        return Estimate(
            count, questions, max(least.values(), default=0), max(most.values(), default=0)
        )

    def _questions(self, reference: Reference) -> Iterator[tuple[bool, tuple[str, str], float]]:
        """Yield a tuple for each query about ``reference``: whether it is sent in any case, the key
        of its rate limit, and the seconds per query at this limit.
        """
        ranked = [
            (rank, source)
            for source in self.chain.sources
            if (rank := source.rank(reference)) is not None
        ]
        sources: list[Source] = [source for _, source in sorted(ranked, key=itemgetter(0))]
        for place, source in enumerate((*sources, *self.chain.engines)):
            for number, (group, pace) in enumerate(source.pending(reference)):
                first = place < min(SIDE_BY_SIDE, len(sources)) and not number
                yield first, (source.name, group), pace.seconds / pace.requests

    def ask(self, references: Iterable[Distinct]) -> Iterator[Checked]:
        """Verify ``references`` with online sources, and yield the verdicts in the same order."""
        for verdict in self._session.pipeline.verify_all(
            map(cited, references), self._session.concurrent
        ):
            yield self._keeper.checked(verdict)


@dataclass(frozen=True, slots=True)
class Screening:
    """A run of a screening. Call :meth:`read`, then :meth:`check`, and then :meth:`ask` if online
    sources are to be queried.
    """

    store: ScreeningStore
    session: Session
    workers: Workers
    limits: Limits = field(default_factory=Limits)
    # callback at the start of a stage
    begin: Callable[[str, int], None] = lambda _stage, _total: None
    # callback with the number of newly finished items
    advance: Callable[[int], None] = lambda _count: None

    @property
    def basis(self) -> str:
        """Hash of everything on which verdicts depend: database content, thresholds and program
        code.
        """
        return basis_of(self.session)

    def read(self, inputs: Iterable[str], listed: Iterable[str] = ()) -> int:
        """Read the files, folders and parts of archives that are new or have changed. Return how
        many were read.

        If a path in ``inputs`` cannot be read, :class:`InputError` is raised. If a path in
        ``listed`` cannot be read, this is recorded in the results.
        """
        inputs, listed = tuple(inputs), tuple(listed)
        self.begin("reading", sum(1 for _ in units(inputs, listed)))
        unread = self._unread(units(inputs, listed))
        results = call_in_order(
            self.workers, partial(read_units, self.limits), unread, _UNITS_A_CALL
        )
        return self._save(map(self._read, results), self.store.add_read)

    def check(self) -> int:
        """Verify each reference without a current verdict in worker processes. Return the number of
        these references.
        """
        basis = self.basis
        self.begin("checking", self.store.count(OPEN, basis))
        check = partial(check_references, self.session.settings_json, basis)
        results = call_in_order(
            self.workers, check, self.store.references(OPEN, basis), ENTRIES_A_CALL
        )
        checked = (lost(one.item) if isinstance(one, Lost) else one for one in results)
        return self._save(checked, partial(self.store.add_checked, basis))

    def ask(self, asker: Asker) -> int:
        """Query online sources with ``asker`` about references that are not VALID. Return the
        number of references verified.
        """
        before, done = self.store.sent(), 0

        def keep(verdicts: list[Checked]) -> None:
            self.store.add_checked(self.basis, verdicts, asker.asked)
            self.store.keep_sent((*before, *asker.chain.sent()))

        for _ in range(2):  # sources that failed are queried once more
            self.begin("asking", self.store.count(UNASKED, asker.asked))
            done += self._save(asker.ask(self.store.references(UNASKED, asker.asked)), keep)
            if not asker.chain.reopen():
                break
        return done

    def _unread(self, listed: Iterable[Unit]) -> Iterator[Unit]:
        seen: dict[str, str] = {}  # map from resolved path to path
        for unit in listed:
            is_twice = seen.setdefault(unit.resolved, unit.path) != unit.path
            if is_twice or self.store.is_read(self.store.spelled(unit)):
                self.advance(1)
            else:
                self.store.settle(unit)
                yield unit

    def _read(self, result: ReadUnit | Lost[Unit]) -> ReadUnit:
        if not isinstance(result, Lost):
            return result
        trouble = "the process that read it died"
        if result.seconds >= self.limits.seconds:
            trouble = f"reading it took more than {self.limits.seconds:g} seconds"
        return failed(
            result.item, trouble, min(result.seconds, self.limits.seconds + GRACE_SECONDS)
        )

    def _save(self, results: Iterable[Item], keep: Callable[[list[Item]], None]) -> int:
        """Pass ``results`` in batches to the callback ``keep``, also those that are left when the
        run fails. Return the number of results.
        """
        done, waiting, saved = 0, list[Item](), monotonic()
        try:
            for result in results:
                waiting.append(result)
                done += 1
                self.advance(1)
                if len(waiting) >= _SAVED_ITEMS or monotonic() - saved >= _SAVED_SECONDS:
                    keep(waiting)
                    waiting, saved = [], monotonic()
        finally:
            keep(waiting)
        return done
