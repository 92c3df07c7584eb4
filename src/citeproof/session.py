"""A session: settings made into a working chain, for one or many runs.

The command line, the web service, screening and Python users all call it. The order of the chain is here:
bibliographic database, cache, then what goes online.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import chain, islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

from citeproof import settings as defaults
from citeproof.bibdb.age import too_old
from citeproof.bibdb.database import Database
from citeproof.bibdb.sample import sample_database
from citeproof.cache.opening import open_verification_cache
from citeproof.errors import CiteproofError, DatabaseError, MissingExtraError, one_line
from citeproof.fields.from_python import accept
from citeproof.formats import read_all, read_each
from citeproof.models import Bibliography, Diagnostic, Reference, Verdict
from citeproof.offline import refuses_connections
from citeproof.pipeline import LastResort, Pipeline, left_open, own_fault, unreadable
from citeproof.process_pool import Lost, ProcessPool, call_in_order
from citeproof.results import Ending, Run, Statistics, Tally
from citeproof.server_address import ServerAddress
from citeproof.strategies.bibliographic_database import BibliographicDatabaseStrategy
from citeproof.strategies.cache import CacheStrategy
from citeproof.strategies.readings import ReadingsStrategy
from citeproof.validation.decide import Validator
from citeproof.validation.policies import chosen_policy
from citeproof.validation.policy import MEASURED
from citeproof.validation.venues import NO_VENUES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from citeproof.cache import VerificationCache
    from citeproof.inputs.document import Document
    from citeproof.models import Extraction, OutgoingRequests
    from citeproof.online_chain import OnlineChain
    from citeproof.pipeline import Examination, Strategy
    from citeproof.settings import Settings

GET_ONE = "citeproof db download dblp"
"""The one command after which a user has a real database."""
SAMPLE_NOTE = (
    "No database was named, so the built-in sample answered. It holds fewer than 400 works, and what is not among them "
    f"is mostly UNVERIFIED. To get a real database: {GET_ONE}"
)
NO_DATABASE = (
    f"there is no bibliographic database, and one is required; get one with `{GET_ONE}`, or name it (--bib-db)"
)
OFFLINE_NOTE = "Online sources were asked for, but the run is offline: the answers are from local files alone."
REFUSED_NOTE = "Offline: this process opens no connection; whatever in it tries is refused."
DEGRADED_NOTE = "Online sources were asked for and are not available, the answers are from local files alone: {}"
UNKEPT_NOTE = "The verification cache was not written, so later runs will ask again: {}"
INTERRUPTED_NOTE = "Interrupted: {} of {} entries were checked."
FAILED_NOTE = "The run ended early: {}. {} of {} entries were checked."

WORTH_PROCESSES = 500
"""Entries from which on further processes save more time than they need to start."""
ENTRIES_A_CALL = 50
"""Entries that a process is given at once: some 50 milliseconds of work."""

FILES_A_WORKER = 5
"""A connection to the database with a write-ahead log and its index, one more for a title index, one for the cache."""
SOCKETS_A_WORKER = 4
"""Two for the two threads that a reference's sources are asked in, two while a connection is replaced."""
OTHER_FILES = 64
"""Standard streams, the report, the cache, what libraries hold open."""
MOST_FILES = 4_096
"""Of a higher limit no more is used: a thread needs memory too."""

Progress = Callable[[Verdict, int], None]
"""Called with each verdict as it comes, and with the number of entries of the whole run."""


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
    processes: ProcessPool | None = None
    """The processes that share the work of a large run; None: this one does it all."""
    elsewhere: str = ""
    """Settings, in JSON, with which each of these processes opens a session of its own."""
    opened: ExitStack = field(default_factory=ExitStack)
    """What is closed with the session."""
    validator: Validator = field(default_factory=Validator)
    """What decides in the pipeline; asked again by those who look into a verdict."""

    @classmethod
    def over(cls, database: Database, threshold: float = 0.9) -> Self:
        """Return a session that asks ``database`` alone, remembers nothing, and leaves the database open at its end."""
        local = BibliographicDatabaseStrategy(database, threshold, coverage=database.coverage)
        chain: list[Strategy] = [local, ReadingsStrategy([local])]
        validator = Validator(database.venues)
        return cls(Pipeline(chain, validator), database, notes=database.warnings, validator=validator)

    def witnessed(self, witness: Callable[[Examination], None]) -> Session:
        """Return this session with ``witness`` called for each examination; it works in this process alone."""
        return replace(self, pipeline=self.pipeline.witnessed(witness), processes=None)

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

        A document is read when those before it are done, and no verdict is kept, so that neither the first verdict nor
        memory depends on how many there are. ``progress`` is told of as many entries as have been read. A verdict that
        a failed source left open comes last. What ``take`` raises ends the run.
        """
        course = _Course()
        start = perf_counter()
        try:
            verdicts = self.stream(course.entries_of(papers))
            while verdict := course.next_of(verdicts):
                take(verdict)
                course.tally.add(verdict)
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
        )

    def _verdicts(self, entries: Iterable[Reference | Diagnostic]) -> Iterator[Verdict]:
        """Yield the verdict on each of ``entries``, in their order, from several processes where that is faster.

        The first come from this process, so that they need not wait until the others have started.
        """
        remaining = iter(entries)
        first = list(islice(remaining, WORTH_PROCESSES)) if self.processes else []
        if not self.processes or len(first) < WORTH_PROCESSES:
            yield from self.pipeline.verify_all(chain(first, remaining), self.concurrent)
            return
        yield from self.pipeline.verify_all(first[:ENTRIES_A_CALL], self.concurrent)
        rest = chain(first[ENTRIES_A_CALL:], remaining)
        for verdict in call_in_order(self.processes, partial(check_elsewhere, self.elsewhere), rest, ENTRIES_A_CALL):
            if isinstance(verdict, Lost):
                yield _lost(verdict)
            else:
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

    def entries_of(
        self, papers: Iterable[Document | Bibliography | Reference | Diagnostic]
    ) -> Iterator[Reference | Diagnostic]:
        """Yield the entries of ``papers``, each paper read when those before it are done."""
        given = (Bibliography((paper,)) if isinstance(paper, Reference) else paper for paper in papers)
        for bibliography in read_each(given):
            self.notes += bibliography.notes
            self.extractions += [bibliography.extraction] if bibliography.extraction else []
            for entry in bibliography.entries:
                self.read += 1
                yield entry

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


def open_session(settings: Settings, *, remembers: bool = True) -> Session:
    """Return the session that ``settings`` describe; without ``remembers`` it reads its cache and never writes it.

    Raises:
        DatabaseError: a file that the user named cannot be used.
        ConfigurationError: a source or a policy is named that does not exist, or its file is wrong.
    """
    settings = settings.model_copy(update={"concurrent": _workers(settings)})
    policy = chosen_policy(settings.policy)
    notes: list[str] = [REFUSED_NOTE] if refuses_connections() else []
    strategies: list[Strategy] = []
    with ExitStack() as opened:
        database = None
        databases: list[Database] = []
        if not settings.disable_bib:
            database, database_notes = open_database(settings)
            opened.enter_context(database)
            notes += database_notes
            databases = [database, *_further(settings, notes, opened)]
            local = [
                BibliographicDatabaseStrategy(own, settings.bib_threshold, settings.bib_max_candidates, own.coverage)
                for own in databases
            ]
            strategies += [*local, ReadingsStrategy(local)]
        cache = None if settings.no_cache else _open_cache(settings, notes, _source_dates(databases))
        if cache:
            opened.callback(cache.close)
            strategies.append(CacheStrategy(cache, settings.bib_threshold))
        online, warnings = _open_online(settings, [link for link in strategies if not isinstance(link, LastResort)])
        if online:
            opened.callback(online.close)
            strategies += online.strategies
        processes = None if online or (settings.processes or 1) == 1 else ProcessPool(settings.processes or 1)
        if processes:
            opened.callback(processes.close)
        validator = Validator(database.venues if database else NO_VENUES, policy=policy)
        # What a policy lets pass is not verified for a run under another one.
        memory = cache if remembers and policy.name == MEASURED else None
        return Session(
            Pipeline(strategies, validator, memory, online),
            database,
            cache,
            online,
            further=tuple(databases[1:]),
            notes=tuple(sorted((*notes, *warnings), key=SAMPLE_NOTE.__eq__)),  # what helps most is said last
            warnings=warnings,
            concurrent=settings.concurrent,
            processes=processes,
            elsewhere=settings_elsewhere(settings, database),
            opened=opened.pop_all(),
            validator=validator,
        )


def settings_elsewhere(settings: Settings, database: Database | None) -> str:
    """Return, in JSON, the settings of a session in another process that says what this one says, offline."""
    same = ("policy", "bib_threshold", "bib_max_candidates", "disable_bib", "no_cache")
    paths = {
        "bib_db": database.path if database else None,
        "bib_index_dir": settings.bib_index_dir,
        "cache": settings.cache or defaults.default_cache(),
    }
    named = {
        name: path.url if isinstance(path, ServerAddress) else str(path.absolute())
        for name, path in paths.items()
        if path
    }
    further = {"further_bib_dbs": [str(path.absolute()) for path in settings.further_bib_dbs]}
    return json.dumps(
        further | {name: getattr(settings, name) for name in same} | named | {"enable_online": False, "processes": 1},
        sort_keys=True,
    )


def check_elsewhere(chosen: str, entries: list[Reference | Diagnostic]) -> list[Verdict]:
    """Return the verdicts on ``entries`` in this process, whose session is opened once and kept."""
    pipeline = kept_session(chosen).pipeline
    return [pipeline.answer(entry) for entry in entries]


@lru_cache(1)
def kept_session(chosen: str) -> Session:
    """Return the session with the settings ``chosen``, in JSON, that this process keeps open until it ends."""
    return open_session(defaults.load(**json.loads(chosen)), remembers=False)


def open_database(settings: Settings) -> tuple[Database, tuple[str, ...]]:
    """Return the database that ``settings`` name, else the user's own, else the sample, with notes on the choice.

    It serves one run of the command line, which must not hold all titles where an index is missing.
    Raises :class:`DatabaseError` when the file is missing or not a bibliographic database.
    """
    path, notes = choose_database(settings)
    database = Database.open(path, index_dir=settings.bib_index_dir, titles_in_memory=False)
    old = () if SAMPLE_NOTE in notes else too_old(database.describe(), datetime.now(UTC).date())
    return database, (*notes, *database.warnings, *old)


def _further(settings: Settings, notes: list[str], opened: ExitStack) -> Iterator[Database]:
    """Open the databases that are asked after the first, and add what is to be said of them to ``notes``."""
    for path in settings.further_bib_dbs:
        database = opened.enter_context(Database.open(path, titles_in_memory=False))
        notes += database.warnings
        yield database


def choose_database(settings: Settings) -> tuple[Path, tuple[str, ...]]:
    """Return the path of that database, which need not exist when ``settings`` name it, with notes on the choice.

    Raises :class:`DatabaseError` where only the sample is left and the settings require a database.
    """
    if settings.bib_db:
        return settings.bib_db, ()
    if defaults.default_database().exists():
        return defaults.default_database(), ()
    if settings.require_database:
        raise DatabaseError(NO_DATABASE)
    return sample_database(), (SAMPLE_NOTE,)


def _open_online(settings: Settings, local: Sequence[Strategy]) -> tuple[OnlineChain | None, tuple[str, ...]]:
    """Return the online links, or None with the reason where they were asked for and cannot be had.

    Raises :class:`ConfigurationError` for a source that does not exist: that is bad usage.
    """
    if settings.sources:
        from citeproof.online.registry import chosen_sources

        chosen_sources(settings.sources, ())
    if not settings.enable_online:
        return None, ()
    if settings.offline:
        return None, (OFFLINE_NOTE,)
    try:
        from citeproof.online_chain import build_online

        cache = None if settings.no_cache else settings.cache or defaults.default_cache()
        return build_online(settings, cache, local), ()
    except ImportError as error:
        reason: object = MissingExtraError("going online", "online", error.name)
    except (CiteproofError, OSError) as error:
        reason = error
    except Exception as error:  # noqa: BLE001 - whatever fails inside a library must not cost the local answers
        reason = one_line(error)
    return None, (DEGRADED_NOTE.format(reason),)


def _workers(settings: Settings) -> int:
    """Return how many references may be at work: as many as are wanted, if the process may open files for so many.

    With the usual limit of 1,024 files that is 192 offline, and 106 online. More would be no faster: offline the
    processors are the bound, online the pace of the sources.
    """
    each = FILES_A_WORKER + (SOCKETS_A_WORKER if settings.enable_online else 0)
    return max(1, min(settings.concurrent, (_most_files() - OTHER_FILES) // each))


def _most_files() -> int:
    try:
        import resource
    except ImportError:  # not a Unix
        return 512
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_FILES if soft == resource.RLIM_INFINITY else min(soft, MOST_FILES)


def _source_dates(databases: Sequence[Database]) -> dict[str, str]:
    """Return the day of the newest record of each source in the database that has one."""
    return {
        source["name"]: source["dump_date"]
        for database in reversed(databases)
        for source in database.describe().get("sources", ())
        if source["dump_date"]
    }


def _open_cache(settings: Settings, notes: list[str], source_dates: dict[str, str]) -> VerificationCache | None:
    """Open the cache; without one that the user named, a run goes on without it and says so."""
    try:
        path = settings.cache or defaults.default_cache()
        return open_verification_cache(path, lambda: datetime.now(UTC), source_dates)
    except DatabaseError as error:
        if settings.cache:
            raise
        notes.append(f"The verification cache is not used: {error}")
        return None


def _lost(lost: Lost[Reference | Diagnostic]) -> Verdict:
    if isinstance(lost.item, Diagnostic):
        return unreadable(lost.item)
    return own_fault(lost.item, ChildProcessError("the process that checked it died, twice"))


def _accepted(entry: Reference | Diagnostic) -> Reference | Diagnostic:
    return entry if isinstance(entry, Diagnostic) else accept(entry)
