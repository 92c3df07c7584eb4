"""Make a session of settings: which files are opened, which sources are asked, and in which order.

The order of the chain is here: bibliographic database, cache, then what goes online.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from citeproof import settings as defaults
from citeproof.bibdb.database import Database
from citeproof.cache.opening import open_verification_cache
from citeproof.database_choice import SAMPLE_NOTE, open_database
from citeproof.errors import CiteproofError, DatabaseError, MissingExtraError, one_line
from citeproof.models import Diagnostic
from citeproof.offline import refuses_connections
from citeproof.pipeline import LastResort, Pipeline, own_fault, unreadable
from citeproof.process_pool import Lost, ProcessPool, call_in_order
from citeproof.server_address import ServerAddress
from citeproof.session import ENTRIES_A_CALL, Session
from citeproof.strategies.bibliographic_database import BibliographicDatabaseStrategy
from citeproof.strategies.cache import CacheStrategy
from citeproof.strategies.readings import ReadingsStrategy
from citeproof.validation.decide import Validator
from citeproof.validation.policies import chosen_policy
from citeproof.validation.policy import MEASURED
from citeproof.validation.venues import NO_VENUES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citeproof.cache import VerificationCache
    from citeproof.models import Reference, Verdict
    from citeproof.online_chain import OnlineChain
    from citeproof.pipeline import Strategy
    from citeproof.settings import Settings

OFFLINE_NOTE = "Online sources were asked for, but the run is offline: the answers are from local files alone."
REFUSED_NOTE = "Offline: this process opens no connection; whatever in it tries is refused."
DEGRADED_NOTE = "Online sources were asked for and are not available, the answers are from local files alone: {}"

FILES_A_WORKER = 5
"""A connection to the database with a write-ahead log and its index, one more for a title index, one for the cache."""
SOCKETS_A_WORKER = 4
"""Two for the two threads that a reference's sources are asked in, two while a connection is replaced."""
OTHER_FILES = 64
"""Standard streams, the report, the cache, what libraries hold open."""
MOST_FILES = 4_096
"""Of a higher limit no more is used: a thread needs memory too."""


def open_session(settings: Settings, *, remembers: bool = True) -> Session:
    """Return the session that ``settings`` describe; without ``remembers`` it reads its cache and never writes it.

    Raises:
        DatabaseError: a file that the user named cannot be used.
        ConfigurationError: a source or a policy is named that does not exist, or its file is wrong.
    """
    settings = replace(settings, concurrent=_workers(settings))
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
        elsewhere = settings_elsewhere(settings, database)
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
            in_processes=partial(verify_elsewhere, processes, elsewhere) if processes else None,
            elsewhere=elsewhere,
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


def verify_elsewhere(
    processes: ProcessPool, chosen: str, entries: Iterable[Reference | Diagnostic]
) -> Iterator[Verdict]:
    """Yield the verdict on each of ``entries``, in their order, from ``processes`` with the settings ``chosen``.

    An entry that its process did not survive, twice, has the verdict ERROR.
    """
    for verdict in call_in_order(processes, partial(check_elsewhere, chosen), entries, ENTRIES_A_CALL):
        yield _lost(verdict) if isinstance(verdict, Lost) else verdict


def check_elsewhere(chosen: str, entries: list[Reference | Diagnostic]) -> list[Verdict]:
    """Return the verdicts on ``entries`` in this process, whose session is opened once and kept."""
    pipeline = kept_session(chosen).pipeline
    return [pipeline.answer(entry) for entry in entries]


@lru_cache(1)
def kept_session(chosen: str) -> Session:
    """Return the session with the settings ``chosen``, in JSON, that this process keeps open until it ends."""
    return open_session(defaults.load(**json.loads(chosen)), remembers=False)


def _further(settings: Settings, notes: list[str], opened: ExitStack) -> Iterator[Database]:
    """Open the databases that are asked after the first, and add what is to be said of them to ``notes``."""
    for path in settings.further_bib_dbs:
        database = opened.enter_context(Database.open(path, titles_in_memory=False))
        notes += database.warnings
        yield database


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
