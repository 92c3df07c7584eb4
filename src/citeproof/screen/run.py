"""The stages of a screening, from its inputs to its results. Read this first.

1. List the inputs, and read in worker processes those that are not read yet.
2. Join references that are the same once normalised.
3. Check in worker processes the references that have no verdict on this database and these rules.
4. With online sources, ask about those that are not VALID, in this process alone.
5. Write tables, signals and overview.

Results are saved twice a second, so a run that is killed loses at most the work of half a second.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TypeVar

from citeproof.processes import Lost, Workers, call_in_order
from citeproof.readers.isolation import GRACE_SECONDS, Limits
from citeproof.screen.asking import Asker, Estimate
from citeproof.screen.checking import Checked, basis_of, check_references, lost
from citeproof.screen.papers import Unit, units
from citeproof.screen.reading import ReadUnit, failed, read_units
from citeproof.screen.store import OPEN, UNASKED, ScreeningStore
from citeproof.verification.session import ENTRIES_A_CALL, Session

Item = TypeVar("Item")

SAVED_SECONDS = 0.5
"""Maximum seconds between two commits. A commit for each paper would take a tenth of the time."""
SAVED_ITEMS = 2_000
"""Maximum results in one commit."""
FILES_A_CALL = 2
"""Number of units in one call of a worker. If one of them kills its process, the others are read a second time."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Callbacks for progress: the start of a stage with its total, and finished items."""

    begin: Callable[[str, int], None] = lambda _stage, _total: None
    advance: Callable[[int], None] = lambda _count: None


@dataclass(frozen=True, slots=True)
class Screening:
    """One run of a screening, stage by stage."""

    store: ScreeningStore
    session: Session
    workers: Workers
    limits: Limits = field(default_factory=Limits)
    progress: Progress = field(default_factory=Progress)

    @property
    def basis(self) -> str:
        """Hash of everything that determines the verdicts of this run."""
        return basis_of(self.session)

    def read(self, inputs: Iterable[str], listed: Iterable[str] = ()) -> int:
        """Read the units of ``inputs`` and ``listed`` that have not been read yet. Return their number."""
        inputs, listed = tuple(inputs), tuple(listed)
        self.progress.begin("reading", sum(1 for _ in units(inputs, listed)))
        unread = self._unread(units(inputs, listed))
        results = call_in_order(self.workers, partial(read_units, self.limits), unread, FILES_A_CALL)
        return self._save(map(self._read, results), self.store.add_read)

    def check(self) -> int:
        """Check each distinct reference that has no verdict on this :attr:`basis`. Return their number."""
        basis = self.basis
        self.progress.begin("checking", self.store.count(OPEN, basis))
        check = partial(check_references, self.session.elsewhere, basis)
        results = call_in_order(self.workers, check, self.store.references(OPEN, basis), ENTRIES_A_CALL)
        checked = (lost(one.item) if isinstance(one, Lost) else one for one in results)
        return self._save(checked, partial(self.store.add_checked, basis))

    def ask(self, asker: Asker) -> int:
        """Query online sources about each reference that is not VALID and was not queried before. Return their number.

        Sources that failed are queried once more at the end.
        """
        before, done = self.store.sent(), 0

        def keep(verdicts: list[Checked]) -> None:
            """Store ``verdicts``, and the requests of this run and of earlier runs."""
            self.store.add_checked(self.basis, verdicts, asker.asked)
            self.store.keep_sent((*before, *asker.chain.sent()))

        for _ in range(2):
            self.progress.begin("asking", self.store.count(UNASKED, asker.asked))
            done += self._save(asker.ask(self.store.references(UNASKED, asker.asked)), keep)
            if not asker.chain.reopen():
                break
        return done

    def expect(self, asker: Asker) -> Estimate:
        """Return the estimate for :meth:`ask`."""
        return asker.expect(self.store.references(UNASKED, asker.asked))

    def _unread(self, listed: Iterable[Unit]) -> Iterator[Unit]:
        for unit in listed:
            if self.store.is_read(unit):
                self.progress.advance(1)
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
        done = 0
        waiting: list[Item] = []
        saved = monotonic()
        try:
            for result in results:
                waiting.append(result)
                done += 1
                self.progress.advance(1)
                if len(waiting) >= SAVED_ITEMS or monotonic() - saved >= SAVED_SECONDS:
                    keep(waiting)
                    waiting, saved = [], monotonic()
        finally:
            keep(waiting)
        return done
