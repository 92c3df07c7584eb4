"""A screening from its inputs to its results, stage by stage. Read this first.

1. What the user named is listed, and what was not read yet is read in other processes.
2. References that are the same once normalised become one.
3. Those without a verdict on this database and these rules are checked in other processes.
4. With online sources, those that are not VALID then are asked about, by this process alone.
5. Tables, signals and overview are written from what is known then.

What a stage has done is kept twice a second, so a run that is killed loses what was under way, and no more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from citeproof.process_pool import Lost, call_in_order
from citeproof.screen.checking import Distinct, basis_of, check_references, lost
from citeproof.screen.limits import GRACE_SECONDS, Limits
from citeproof.screen.papers import units
from citeproof.screen.reading import failed, read_units
from citeproof.session import ENTRIES_A_CALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from citeproof.process_pool import Workers
    from citeproof.screen.asking import Asker, Estimate
    from citeproof.screen.checking import Checked
    from citeproof.screen.papers import Unit
    from citeproof.screen.reading import ReadUnit
    from citeproof.screen.store import ScreeningStore
    from citeproof.session import Session

Item = TypeVar("Item")

SAVED_SECONDS = 0.5
"""What is done in this time is kept together: a commit for each paper would cost a tenth of the time."""
SAVED_ITEMS = 2_000
"""No more than this waits to be kept."""
FILES_A_CALL = 2
"""Files that a process is given at once; one that kills its process costs the others of its call a second reading."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Who is told how far a stage is."""

    begin: Callable[[str, int], None] = lambda _stage, _total: None
    advance: Callable[[int], None] = lambda _count: None


@dataclass(frozen=True, slots=True)
class Screening:
    """What does the work of one run."""

    store: ScreeningStore
    session: Session
    workers: Workers
    limits: Limits = field(default_factory=Limits)
    progress: Progress = field(default_factory=Progress)

    @property
    def basis(self) -> str:
        """What the verdicts of this run rest on."""
        return basis_of(self.session)

    def read(self, inputs: Iterable[str], listed: Iterable[str] = ()) -> int:
        """Read what :func:`~citeproof.screen.papers.units` lists and was not read yet; return how much that was."""
        inputs, listed = tuple(inputs), tuple(listed)
        self.progress.begin("reading", sum(1 for _ in units(inputs, listed)))
        unread = self._unread(units(inputs, listed))
        results = call_in_order(self.workers, partial(read_units, self.limits), unread, FILES_A_CALL)
        return self._save(map(self._read, results), self.store.add_read)

    def check(self) -> int:
        """Check each distinct reference that has no verdict on this basis; return how many that were."""
        basis = self.basis
        self.progress.begin("checking", self.store.count_open(basis))
        check = partial(check_references, self.session.elsewhere, basis)
        references = (Distinct(number, fields) for number, fields in self.store.open_references(basis))
        results = call_in_order(self.workers, check, references, ENTRIES_A_CALL)
        return self._save(map(_checked, results), partial(self.store.add_checked, basis))

    def ask(self, asker: Asker) -> int:
        """Ask online about each reference that is not VALID and was not asked about; return how many that were.

        What a source that failed has left open is asked about once more at the end.
        """
        asked = " ".join(asker.asked)
        done = 0
        for _ in range(2):
            self.progress.begin("asking", self.store.count_unasked(asked))
            references = (Distinct(number, fields) for number, fields in self.store.unasked(asked))
            done += self._save(asker.ask(references), partial(self.store.add_checked, self.basis, asked=asked))
            if not asker.reopen():
                break
        return done

    def expect(self, asker: Asker) -> Estimate:
        """Return what :meth:`ask` will take."""
        references = self.store.unasked(" ".join(asker.asked))
        return asker.expect(Distinct(number, fields) for number, fields in references)

    def _unread(self, listed: Iterable[Unit]) -> Iterator[Unit]:
        for unit in listed:
            if self.store.is_read(unit):
                self.progress.advance(1)
            else:
                yield unit

    def _read(self, result: ReadUnit | Lost[Unit]) -> ReadUnit:
        if not isinstance(result, Lost):
            return result
        if result.seconds >= self.limits.seconds:
            trouble = f"reading it took more than {self.limits.seconds:g} seconds"
        else:
            trouble = "the process that read it died"
        return failed(result.item, trouble, min(result.seconds, self.limits.seconds + GRACE_SECONDS))

    def _save(self, results: Iterable[Item], keep: Callable[[list[Item]], None]) -> int:
        """Hand ``results`` to ``keep``, some at a time; also what was done when the run is stopped."""
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


def _checked(result: Checked | Lost[Distinct]) -> Checked:
    return lost(result.item) if isinstance(result, Lost) else result
