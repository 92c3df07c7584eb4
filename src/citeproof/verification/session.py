"""A session keeps databases, cache and online sources open for one or many runs.

``startup.py`` opens a session from settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

from citeproof.model.account import Unread
from citeproof.model.errors import InputError, one_line
from citeproof.model.reference import Bibliography, Diagnostic, Extraction, Reference
from citeproof.model.run import Brief, Ending, Run, Statistics, Tally
from citeproof.model.verdict import OutgoingRequests, Verdict
from citeproof.readers.document import Document
from citeproof.readers.fields.from_python import accept
from citeproof.readers.formats import begin_each
from citeproof.readers.papers import Paper, open_papers
from citeproof.verification.pipeline import Examination, Pipeline, Strategy, is_retryable
from citeproof.verification.strategies.local import BibliographicDatabaseStrategy
from citeproof.verification.strategies.readings import ReadingsStrategy
from citeproof.verification.validator import Validator

if TYPE_CHECKING:
    from citeproof.database.lookup import Database
    from citeproof.store.cache import VerificationCache
    from citeproof.verification.online_chain import OnlineChain

UNKEPT_NOTE = "The verification cache was not written, so later runs will ask again: {}"
INTERRUPTED_NOTE = "Interrupted: {} of {} entries were checked."
FAILED_NOTE = "The run ended early: {}. {} of {} entries were checked."
WORTH_PROCESSES = 500
"""Minimum number of entries for which worker processes are started.

Fewer entries are verified faster without worker processes.
"""
ENTRIES_A_CALL = 50
"""Number of entries that are sent to a worker process in one call.

Verifying them takes about 50 milliseconds.
"""
Verify = Callable[[Iterable[Reference | Diagnostic]], Iterator[Verdict]]
"""Type of a function that yields one verdict for each entry, in the order of the entries."""
Progress = Callable[[Verdict, int], None]
"""Type of a callback that is called with each verdict and the total number of entries in the run.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Session:
    """Keeps databases, cache and online sources open for any number of runs and threads.

    It is a context manager.
    """

    pipeline: Pipeline
    database: Database | None = None
    cache: VerificationCache | None = None
    online: OnlineChain | None = None
    further_databases: tuple[Database, ...] = ()
    """Databases that are searched in addition to :attr:`database`."""
    notes: tuple[str, ...] = ()
    """Messages for the report of every run of the session."""
    warnings: tuple[str, ...] = ()
    """The messages in :attr:`notes` that are also printed on standard error."""
    concurrent: int = 10
    """Maximum number of references that are verified at the same time."""
    in_processes: Verify | None = field(default=None, repr=False)
    """Function that verifies the entries of a large run in worker processes. If it is None, only
    this process is used.
    """
    settings_json: str = field(default="", repr=False)
    """Settings, as JSON, with which another process opens an equal session.

    They may contain a password.
    """
    opened: ExitStack = field(default_factory=ExitStack)
    """Databases, caches and connections that are closed when the session is closed."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings of a project that decide verdicts, with the path of the project's settings file."""
    amend: Callable[[Verdict], Verdict] = lambda verdict: verdict
    """Function applied to each final verdict, for example to mark accepted entries."""

    @classmethod
    def over(cls, database: Database, threshold: float = 0.9) -> Self:
        """Return a session that searches only ``database``, without a cache.

        The caller closes ``database``.
        """
        local = BibliographicDatabaseStrategy(database, threshold, coverage=database.coverage)
        strategies: list[Strategy] = [local, ReadingsStrategy([local])]
        return cls(
            Pipeline(strategies, Validator(database.venues)), database, notes=database.warnings
        )

    def __repr__(self) -> str:
        """Return a text with the database path and the strategies.

        Settings and URLs may contain passwords and are left out.
        """
        path = str(self.database.path) if self.database else None
        return f"Session(database={path!r}, strategies={self.pipeline.strategies})"

    @property
    def validator(self) -> Validator:
        """The validator of the pipeline, which can explain a verdict."""
        return self.pipeline.validator

    def observed(self, on_examination: Callable[[Examination], None]) -> Session:
        """Return a copy that calls ``on_examination`` with each :class:`Examination`.

        The copy starts no worker processes.
        """
        return replace(
            self,
            pipeline=replace(self.pipeline, on_examination=on_examination),
            in_processes=None,
        )

    def amending(self, amend: Callable[[Verdict], Verdict]) -> Session:
        """Return a copy of the session that applies ``amend`` to each final verdict."""
        return replace(self, amend=amend)

    def verify(self, reference: Reference) -> Verdict:
        """Return the verdict on one reference.

        Raises :class:`InputError` if a field has a value of the wrong type.
        """
        return self.pipeline.verify(accept(reference))

    def stream(self, entries: Iterable[Reference | Diagnostic]) -> Iterator[Verdict]:
        """Yield one verdict for each entry, in the order of ``entries``, as soon as it is decided.

        Entries for which a source failed are verified again and come last. Closing the iterator
        cancels entries whose verification has not begun. Raises :class:`InputError` if ``entries``
        is not iterable, or an entry is not a reference.
        """
        if not isinstance(entries, Iterable):
            raise InputError(
                f"an iterable of references is needed, such as a list, not {type(entries).__name__}"
            )
        failed: list[Verdict] = []
        for verdict in self._verdicts(
            entry if isinstance(entry, Diagnostic) else accept(entry) for entry in entries
        ):
            if self.online and is_retryable(verdict):
                failed.append(verdict)
            else:
                yield verdict
        yield from self.pipeline.second_chance(failed, self.concurrent)

    def check(self, papers: Paper | Iterable[Paper], progress: Progress | None = None) -> Run:
        """Return the verdicts on all entries of ``papers``, in order, with statistics and messages.

        A paper is a file name, the content of a file as bytes, a bibliography, a reference, or a
        diagnostic. A document that cannot be read gives an entry with the status ERROR. If a source
        failed, references are verified again at the end. Ctrl-C or an exception ends the run early.
        The run then has the verdicts so far. Its ``ending`` and a note say that it is incomplete.
        Raises :class:`InputError` if nothing could be read, or if a field of a reference has a
        value of the wrong type.
        """
        course = _Course()
        opened = (
            accept(paper) if isinstance(paper, Reference) else paper
            for paper in open_papers(papers)
        )
        entries = list(course.entries_of(opened))
        verdicts: list[Verdict] = []
        start = perf_counter()
        try:
            for verdict in self._verdicts(entries):
                verdicts.append(verdict)
                if progress:
                    progress(verdict, len(entries))
            verdicts = self.pipeline.second_chance(verdicts, self.concurrent)
        except KeyboardInterrupt:
            course.end(Ending.INTERRUPTED, INTERRUPTED_NOTE, len(verdicts))
        except Exception as error:
            if not verdicts:
                raise
            course.end(Ending.FAILED, FAILED_NOTE, one_line(error), len(verdicts))
        final = tuple(map(self.amend, verdicts))
        return self._run(course, Statistics.of(final, perf_counter() - start), final)

    def follow(
        self,
        papers: Paper | Iterable[Paper],
        take: Callable[[Verdict], None],
        progress: Progress | None = None,
    ) -> Run:
        """Check the entries of ``papers`` as :meth:`check` does, but pass each verdict to ``take``
        as soon as it is decided.

        Return the run without the verdicts.

        Documents are read one after another, and verdicts are not kept in memory, so the input may
        have any length. ``progress`` gets the number of entries read so far. If a source failed,
        entries are verified again and their verdicts come last. An exception in ``take`` is passed
        on to the caller.
        """
        course, tally = _Course(), Tally()
        start = perf_counter()
        try:
            verdicts = self.stream(course.entries_of(open_papers(papers)))
            while verdict := course.next_of(verdicts, tally.statuses.total()):
                verdict = self.amend(verdict)
                take(verdict)
                tally.add(verdict)
                if progress:
                    progress(verdict, course.read)
        except KeyboardInterrupt:
            course.end(Ending.INTERRUPTED, INTERRUPTED_NOTE, tally.statuses.total())
        return self._run(course, tally.statistics(perf_counter() - start), brief=tally.brief())

    def _run(
        self,
        course: _Course,
        statistics: Statistics,
        verdicts: tuple[Verdict, ...] = (),
        brief: Brief | None = None,
    ) -> Run:
        database, sent, policy = self.describe_database(), self.sent(), self.validator.policy.name
        notes = (*course.notes, *self.troubles(), *self.notes)
        extractions, unread = tuple(course.extractions), tuple(course.unread)
        return Run(
            database,
            notes,
            verdicts,
            statistics,
            sent,
            course.ending,
            extractions,
            policy,
            brief,
            self.settings,
            unread,
        )

    def _verdicts(self, entries: Iterable[Reference | Diagnostic]) -> Iterator[Verdict]:
        """Yield one verdict for each entry, in order.

        Many entries are verified in worker processes.
        """
        if self.online:
            yield from self.pipeline.verify_all(entries, self.concurrent)
            return
        # no threads are used without online sources, because they would only wait for each other
        remaining, answer = iter(entries), self.pipeline.answer
        if not self.in_processes:
            yield from map(answer, remaining)
            return
        # these entries are verified at once, before further entries are read or processes are
        # started
        alone = 0 if isinstance(entries, list) else ENTRIES_A_CALL
        yield from map(answer, islice(remaining, alone))
        few = WORTH_PROCESSES - alone
        further = list(islice(remaining, few))
        if len(further) < few:
            yield from map(answer, further)
            return
        for verdict in self.in_processes(chain(further, remaining)):
            self.pipeline.remember(verdict)
            yield verdict

    def paper(self, arxiv_id: str) -> bytes | str:
        """Return the content of the arXiv paper ``arxiv_id``, or a text that says why it is not
        fetched.
        """
        if not self.online:
            return "is a paper of arXiv; --enable-online fetches it"
        return self.online.paper(arxiv_id)

    def sent(self) -> tuple[OutgoingRequests, ...]:
        """Return the number of requests sent to each host since the session was opened."""
        return self.online.sent() if self.online else ()

    def troubles(self) -> tuple[str, ...]:
        """Return a tuple with one message if the cache could not be written, or else an empty
        tuple.
        """
        caches = (self.cache, self.online.cache if self.online else None)
        found = [cache.trouble for cache in caches if cache and cache.trouble]
        return tuple(UNKEPT_NOTE.format(trouble) for trouble in found[:1])

    def holds(self, title: str) -> bool:
        """Return whether a local database has a work with this title or a very similar title."""
        databases = (self.database, *self.further_databases)
        return any(database.look_up(title).found for database in databases if database)

    def describe_database(self) -> dict[str, Any]:
        """Return the description of the database, such as its sources.

        Empty if there is no database.
        """
        if not self.database:
            return {}
        further = [database.describe() for database in self.further_databases]
        return self.database.describe() | ({"further": further} if further else {})

    def close(self) -> None:
        """Close everything that the session opened: first the connections, then the files."""
        self.opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(slots=True)
class _Course:
    """Progress of a run: the number of entries read, and how the run ended."""

    read: int = 0
    """Number of entries read so far. Some entries are not verified yet."""
    notes: list[str] = field(default_factory=list)
    extractions: list[Extraction] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    ending: Ending = Ending.COMPLETE

    def entries_of(
        self, opened: Iterable[Document | Diagnostic | Bibliography | Reference]
    ) -> Iterator[Reference | Diagnostic]:
        """Yield the entries of ``opened`` documents while the documents are read, one document
        after another.
        """
        for reading in begin_each(
            Bibliography((one,)) if isinstance(one, Reference) else one for one in opened
        ):
            self.extractions += [reading.extraction] if reading.extraction else []
            self.unread += reading.account.unread if reading.account else ()
            for entry in reading.entries:
                self.read += 1
                yield entry
            self.notes += reading.notes()

    def next_of(self, verdicts: Iterator[Verdict], checked: int) -> Verdict | None:
        """Return the next verdict.

        Return None after the last verdict. Also return None after an error that ends the run early.
        ``checked`` is the number of verdicts so far.
        """
        try:
            return next(verdicts, None)
        except Exception as error:
            if not checked:
                raise
            self.end(Ending.FAILED, FAILED_NOTE, one_line(error), checked)
            return None

    def end(self, ending: Ending, note: str, *values: object) -> None:
        """End the run early, with the reason ``ending`` and a note for the report.

        ``note`` is a template. Its placeholders are replaced by ``values``, and the last
        placeholder by the number of entries read.
        """
        self.ending = ending
        self.notes.append(note.format(*values, self.read))
