"""A session: a working chain, for one or many runs.

The command line, the web service, screening and Python users all call it. :mod:`citeproof.opening` makes one of
settings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

from citeproof.errors import one_line
from citeproof.fields.from_python import accept
from citeproof.formats import begin_each, read_all
from citeproof.models import Bibliography, Diagnostic, Reference, Status, Verdict
from citeproof.pipeline import Pipeline, left_open
from citeproof.results import Brief, Ending, PaperSum, Run, Statistics, Tally
from citeproof.strategies.bibliographic_database import BibliographicDatabaseStrategy
from citeproof.strategies.readings import ReadingsStrategy
from citeproof.validation.decide import Validator
from citeproof.wording import Failures, remembered

if TYPE_CHECKING:
    from citeproof.bibdb.database import Database
    from citeproof.cache import VerificationCache
    from citeproof.inputs.document import Document
    from citeproof.models import Extraction, OutgoingRequests
    from citeproof.online_chain import OnlineChain
    from citeproof.pipeline import Examination, Strategy

UNKEPT_NOTE = "The verification cache was not written, so later runs will ask again: {}"
INTERRUPTED_NOTE = "Interrupted: {} of {} entries were checked."
FAILED_NOTE = "The run ended early: {}. {} of {} entries were checked."

WORTH_PROCESSES = 500
"""Entries from which on further processes save more time than they need to start."""
ENTRIES_A_CALL = 50
"""Entries that a process is given at once: some 50 milliseconds of work."""

Verify = Callable[[Iterable[Reference | Diagnostic]], Iterator[Verdict]]
"""Yields the verdict on each entry, in their order."""
Progress = Callable[[Verdict, int], None]
"""Called with each verdict as it comes, and with the number of entries of the whole run."""


def _as_it_is(verdict: Verdict) -> Verdict:
    return verdict


@dataclass(frozen=True, slots=True)
class Session:
    """A chain that is ready to check references; a context manager that closes what it opened.

    A session may be used from many threads, and for any number of runs.
    """

    pipeline: Pipeline
    database: Database | None = None
    cache: VerificationCache | None = None
    online: OnlineChain | None = None
    further: tuple[Database, ...] = ()
    """Databases that are asked after ``database``."""
    notes: tuple[str, ...] = ()
    """What the user must know about every run of the session."""
    warnings: tuple[str, ...] = ()
    """Those of ``notes`` that belong on standard error too, whatever the report."""
    concurrent: int = 10
    """How many references are at work at a time; the others wait."""
    in_processes: Verify | None = None
    """How further processes share the work of a large run; None: this one does it all."""
    elsewhere: str = ""
    """Settings, in JSON, with which another process opens a session that says the same."""
    opened: ExitStack = field(default_factory=ExitStack)
    """What is closed with the session."""
    validator: Validator = field(default_factory=Validator)
    """What decides in the pipeline; asked again by those who look into a verdict."""

    finish: Callable[[Verdict], Verdict] = _as_it_is
    """What a verdict passes last, when nothing about it will change any more."""

    @classmethod
    def over(cls, database: Database, threshold: float = 0.9) -> Self:
        """Return a session that asks ``database`` alone, remembers nothing, and leaves the database open at its end."""
        local = BibliographicDatabaseStrategy(database, threshold, coverage=database.coverage)
        chain: list[Strategy] = [local, ReadingsStrategy([local])]
        validator = Validator(database.venues)
        return cls(Pipeline(chain, validator), database, notes=database.warnings, validator=validator)

    def witnessed(self, witness: Callable[[Examination], None]) -> Session:
        """Return this session with ``witness`` called for each examination; it works in this process alone."""
        return replace(self, pipeline=self.pipeline.witnessed(witness), in_processes=None)

    def finishing(self, finish: Callable[[Verdict], Verdict]) -> Session:
        """Return this session with ``finish`` for what its runs report."""
        return replace(self, finish=finish)

    def verify(self, reference: Reference) -> Verdict:
        """Return the verdict on one reference.

        Raises :class:`InputError` where a field has a value that cannot be understood.
        """
        return self.pipeline.verify(accept(reference))

    def stream(self, entries: Iterable[Reference | Diagnostic]) -> Iterator[Verdict]:
        """Yield the verdict on each of ``entries`` as it comes, in their order.

        A verdict that is open because a source failed comes last, after that source was asked once more.
        Closing the iterator drops what has not begun.
        """
        failed: list[Verdict] = []
        for verdict in self._verdicts(map(_accepted, entries)):
            if self.online and left_open(verdict):
                failed.append(verdict)
            else:
                yield verdict
        yield from self.pipeline.second_chance(failed, self.concurrent)

    def check(
        self, papers: Iterable[Document | Bibliography | Reference | Diagnostic], progress: Progress | None = None
    ) -> Run:
        """Return the verdicts on all entries of ``papers``, in their order, with their sum and notes on the run.

        A document that cannot be read is an entry with an ERROR; the others are checked. References that a failed
        source left open are verified once more at the end. Ctrl-C, or a fault of the run itself, ends it early: the
        run then holds the verdicts that are done, and its ``ending`` and a note say so.

        Raises:
            InputError: nothing at all could be read, or a reference has a value that cannot be understood.
        """
        read = read_all(Bibliography((accept(paper),)) if isinstance(paper, Reference) else paper for paper in papers)
        entries = [entry for bibliography in read for entry in bibliography.entries]
        notes = tuple(note for bibliography in read for note in bibliography.notes)
        verdicts: list[Verdict] = []
        ending = Ending.COMPLETE
        start = perf_counter()
        try:
            for verdict in self._verdicts(entries):
                verdicts.append(verdict)
                if progress:
                    progress(verdict, len(entries))
            verdicts = self.pipeline.second_chance(verdicts, self.concurrent)
        except KeyboardInterrupt:
            ending = Ending.INTERRUPTED
            notes += (INTERRUPTED_NOTE.format(len(verdicts), len(entries)),)
        except Exception as error:
            if not verdicts:
                raise
            ending = Ending.FAILED
            notes += (FAILED_NOTE.format(one_line(error), len(verdicts), len(entries)),)
        verdicts = list(map(self.finish, verdicts))
        return Run(
            self.describe_database(),
            (*notes, *self.troubles(), *self.notes),
            tuple(verdicts),
            Statistics.of(verdicts, perf_counter() - start),
            self.sent(),
            ending,
            tuple(bibliography.extraction for bibliography in read if bibliography.extraction),
            self.validator.policy.name,
        )

    def follow(
        self,
        papers: Iterable[Document | Bibliography | Reference | Diagnostic],
        take: Callable[[Verdict], None],
        progress: Progress | None = None,
    ) -> Run:
        """Hand each verdict to ``take`` as it comes, and return the run without them: as :meth:`check`, unbounded.

        A document is read when those before it are done, its entries as they come where its format allows, and no
        verdict is kept, so that neither the first verdict nor memory depends on how many there are. ``progress`` is
        told of as many entries as have been read. A verdict that a failed source left open comes last. What ``take``
        raises ends the run.
        """
        course = _Course()
        start = perf_counter()
        try:
            verdicts = self.stream(course.entries_of(papers))
            while verdict := course.next_of(verdicts):
                verdict = self.finish(verdict)
                take(verdict)
                course.add(verdict)
                if progress:
                    progress(verdict, course.read)
        except KeyboardInterrupt:
            course.end(Ending.INTERRUPTED, INTERRUPTED_NOTE)
        return Run(
            self.describe_database(),
            (*course.notes, *self.troubles(), *self.notes),
            (),
            course.tally.statistics(perf_counter() - start),
            self.sent(),
            course.ending,
            tuple(course.extractions),
            self.validator.policy.name,
            course.brief(),
        )

    def _verdicts(self, entries: Iterable[Reference | Diagnostic]) -> Iterator[Verdict]:
        """Yield the verdict on each of ``entries``, in their order, from several processes where that is faster.

        Offline the first come from this process, one by one, so that none waits until more is read, other processes
        have started, or threads have taken turns.
        """
        remaining = iter(entries)
        if not self.online:
            yield from map(self.pipeline.answer, islice(remaining, ENTRIES_A_CALL))
        if not self.in_processes:
            yield from self.pipeline.verify_all(remaining, self.concurrent)
            return
        further = list(islice(remaining, WORTH_PROCESSES - ENTRIES_A_CALL))
        if len(further) < WORTH_PROCESSES - ENTRIES_A_CALL:
            yield from self.pipeline.verify_all(further, self.concurrent)
            return
        for verdict in self.in_processes(chain(further, remaining)):
            self.pipeline.remember(verdict)
            yield verdict

    def sent(self) -> tuple[OutgoingRequests, ...]:
        """Return what left the machine since the session was opened."""
        return self.online.sent() if self.online else ()

    def troubles(self) -> tuple[str, ...]:
        """Return what went wrong beside the verdicts so far."""
        caches = (self.cache, self.online.cache if self.online else None)
        found = [cache.trouble for cache in caches if cache and cache.trouble]
        return tuple(UNKEPT_NOTE.format(trouble) for trouble in found[:1])

    def describe_database(self) -> dict[str, Any]:
        """Return what the answers rest on; empty without a database."""
        if not self.database:
            return {}
        further = [database.describe() for database in self.further]
        return self.database.describe() | ({"further": further} if further else {})

    def close(self) -> None:
        """Close what the session opened: connections first, then files."""
        self.opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(slots=True)
class _Course:
    """What a run that keeps no verdicts has come to so far."""

    read: int = 0
    """Entries that were read, some of them ahead of what is checked."""
    tally: Tally = field(default_factory=Tally)
    notes: list[str] = field(default_factory=list)
    extractions: list[Extraction] = field(default_factory=list)
    ending: Ending = Ending.COMPLETE
    papers: dict[str, Counter[str]] = field(default_factory=dict)
    failures: Failures = field(default_factory=Failures)
    remembered: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        """Count ``verdict``."""
        self.tally.add(verdict)
        self.papers.setdefault(verdict.reference.paper, Counter())[verdict.status.value] += 1
        self.failures.add(verdict)
        if said := remembered(verdict):
            self.remembered[said] += 1

    def brief(self) -> Brief:
        """Return what is left of the verdicts besides their statistics."""
        papers = (
            PaperSum(name, {status.value: counts[status.value] for status in Status})
            for name, counts in self.papers.items()
        )
        return Brief(tuple(papers), self.failures.lines(), dict(self.remembered))

    def entries_of(
        self, papers: Iterable[Document | Bibliography | Reference | Diagnostic]
    ) -> Iterator[Reference | Diagnostic]:
        """Yield the entries of ``papers`` as they are read, each paper when those before it are done."""
        given = (Bibliography((paper,)) if isinstance(paper, Reference) else paper for paper in papers)
        for reading in begin_each(given):
            self.extractions += [reading.extraction] if reading.extraction else []
            for entry in reading.entries:
                self.read += 1
                yield entry
            self.notes += reading.notes()

    def next_of(self, verdicts: Iterator[Verdict]) -> Verdict | None:
        """Return the next of ``verdicts``; None at their end, and where a fault of the run ends them early."""
        try:
            return next(verdicts, None)
        except Exception as error:
            if not self.tally.statuses:
                raise
            self.end(Ending.FAILED, FAILED_NOTE, one_line(error))
            return None

    def end(self, ending: Ending, note: str, *reasons: str) -> None:
        """End the run early, with a note on how far it came."""
        self.ending = ending
        self.notes.append(note.format(*reasons, self.tally.statuses.total(), self.read))


def _accepted(entry: Reference | Diagnostic) -> Reference | Diagnostic:
    return entry if isinstance(entry, Diagnostic) else accept(entry)
