"""Run the stages of a screening. Results are saved twice a second, so a killed run loses the work of half a second."""

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
from citeproof.screen.checking import Checked, Distinct, Keeper, basis_of, check_references, cited, lost
from citeproof.screen.papers import Unit, units
from citeproof.screen.reading import ReadUnit, failed, read_units
from citeproof.screen.store import OPEN, UNASKED, ScreeningStore
from citeproof.verification.session import ENTRIES_A_CALL, Session
from citeproof.verification.strategies.online import SIDE_BY_SIDE

if TYPE_CHECKING:
    from citeproof.verification.online_chain import OnlineChain

_SAVED_SECONDS = 0.5  # maximum seconds between two commits; one for each paper would take a tenth of the time of a run
_SAVED_ITEMS = 2_000  # maximum number of results in one commit
_UNITS_A_CALL = 2  # number of units in one call of a worker; if one kills its worker, all are read again


class Estimate(NamedTuple):
    """Estimated number and time of online queries, if only the rate limits of the sources took time."""

    references: int
    questions: int  # maximum number of queries; a source that has the work ends the queries of its reference early
    least: float  # seconds if the first queries to the first sources decide all references
    most: float  # seconds if every query is sent


class Asker:
    """Checks references with a session that queries online sources at their rate limits."""

    def __init__(self, session: Session, chain: "OnlineChain") -> None:
        self._keeper = Keeper(session)
        self._session = session.witnessed(self._keeper.witness)
        self.chain = chain
        self.asked = " ".join(chain.asked)  # names of the online sources that may be queried

    def expect(self, references: Iterable[Distinct]) -> Estimate:
        """Return the estimated number and time of the queries about ``references``."""
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
        """Yield for each query: whether it is sent in any case, the key and the seconds per query of its rate limit."""
        ranked = [(rank, source) for source in self.chain.sources if (rank := source.rank(reference)) is not None]
        sources: list[Source] = [source for _, source in sorted(ranked, key=itemgetter(0))]
        for place, source in enumerate((*sources, *self.chain.engines)):
            for number, (group, pace) in enumerate(source.pending(reference)):
                first = place < min(SIDE_BY_SIDE, len(sources)) and not number
                yield first, (source.name, group), pace.seconds / pace.requests

    def ask(self, references: Iterable[Distinct]) -> Iterator[Checked]:
        """Yield the verdicts on ``references``, in their order."""
        for verdict in self._session.pipeline.verify_all(map(cited, references), self._session.concurrent):
            yield self._keeper.checked(verdict)


@dataclass(frozen=True, slots=True)
class Screening:
    """One run of a screening, stage by stage."""

    store: ScreeningStore
    session: Session
    workers: Workers
    limits: Limits = field(default_factory=Limits)
    begin: Callable[[str, int], None] = lambda _stage, _total: None  # called at the start of a stage
    advance: Callable[[int], None] = lambda _count: None  # called with the number of further items that are finished

    @property
    def basis(self) -> str:
        """Hash of everything that determines the verdicts of this run."""
        return basis_of(self.session)

    def read(self, inputs: Iterable[str], listed: Iterable[str] = ()) -> int:
        """Read the units of ``inputs`` and ``listed`` that have not been read yet. Return the number of units read."""
        inputs, listed = tuple(inputs), tuple(listed)
        self.begin("reading", sum(1 for _ in units(inputs, listed)))
        unread = self._unread(units(inputs, listed))
        results = call_in_order(self.workers, partial(read_units, self.limits), unread, _UNITS_A_CALL)
        return self._save(map(self._read, results), self.store.add_read)

    def check(self) -> int:
        """Check each distinct reference that has no verdict on this :attr:`basis`. Return their number."""
        basis = self.basis
        self.begin("checking", self.store.count(OPEN, basis))
        check = partial(check_references, self.session.elsewhere, basis)
        results = call_in_order(self.workers, check, self.store.references(OPEN, basis), ENTRIES_A_CALL)
        checked = (lost(one.item) if isinstance(one, Lost) else one for one in results)
        return self._save(checked, partial(self.store.add_checked, basis))

    def ask(self, asker: Asker) -> int:
        """Query online sources about each reference that is not VALID and was not asked about. Return their number."""
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
        for unit in listed:
            if self.store.is_read(unit):
                self.advance(1)
            else:
                yield unit

    def _read(self, result: ReadUnit | Lost[Unit]) -> ReadUnit:
        if not isinstance(result, Lost):
            return result
        trouble = "the process that read it died"
        if result.seconds >= self.limits.seconds:
            trouble = f"reading it took more than {self.limits.seconds:g} seconds"
        return failed(result.item, trouble, min(result.seconds, self.limits.seconds + GRACE_SECONDS))

    def _save(self, results: Iterable[Item], keep: Callable[[list[Item]], None]) -> int:
        """Call ``keep`` with batches of ``results``, also when the run is stopped. Return the number of results."""
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
