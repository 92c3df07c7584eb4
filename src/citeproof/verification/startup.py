"""Open a session from settings: bibliographic databases, cache and online sources."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from citeproof import settings as defaults
from citeproof.database.choice import SAMPLE_NOTE, open_database
from citeproof.database.lookup import Database
from citeproof.model.errors import CiteproofError, DatabaseError, one_line
from citeproof.model.reference import Diagnostic, Reference
from citeproof.model.verdict import Verdict
from citeproof.online.offline import refuses_connections
from citeproof.processes import Lost, ProcessPool, call_in_order
from citeproof.settings import Settings
from citeproof.store.cache import VerificationCache
from citeproof.store.sql import ServerAddress
from citeproof.verification.pipeline import Pipeline, Strategy, own_fault, unreadable
from citeproof.verification.policy_files import chosen_policy
from citeproof.verification.session import ENTRIES_A_CALL, Session
from citeproof.verification.strategies.local import (
    FLOOR,
    BibliographicDatabaseStrategy,
    CacheStrategy,
)
from citeproof.verification.strategies.readings import ReadingsStrategy
from citeproof.verification.validation.compare.venues import NO_VENUES
from citeproof.verification.validation.policy import MEASURED
from citeproof.verification.validator import Validator

if TYPE_CHECKING:
    from citeproof.verification.online_chain import OnlineChain

OFFLINE_NOTE = (
    "Online sources were requested, but the run is offline: the answers come only from local files."
)
REFUSED_NOTE = "Offline: this process opens no connection; every attempt to open one is refused."
FLOOR_NOTE = (
    "--bib-threshold {:g} is reduced to {:g}: with a higher value, the search could miss the cited"
    " work."
)
DEGRADED_NOTE = (
    "Online sources were requested but are not available, so the answers come only from local"
    " files: {}"
)
MOST_FILES = 4_096
"""Maximum number of open files to use, even if the system allows more.

More files would allow more worker threads, and each thread needs memory.
"""


def open_session(settings: Settings, *, remembers: bool = True) -> Session:
    """Open a session as ``settings`` describe.

    If ``remembers`` is false, the cache is read, but no verdicts are written to it.

    Raises:
        DatabaseError: a file that the user named cannot be used.
        ConfigurationError: a named source or policy does not exist, or its file is invalid.
    """
    settings = replace(settings, concurrent=_workers(settings))
    policy = chosen_policy(settings.policy)
    notes: list[str] = [REFUSED_NOTE] if refuses_connections() else []
    notes += settings.project_notes if settings.disable_bib else ()
    if settings.bib_threshold > FLOOR:
        notes.append(FLOOR_NOTE.format(settings.bib_threshold, FLOOR))
    with ExitStack() as opened:
        databases: list[Database] = []
        if not settings.disable_bib:
            first, database_notes = open_database(settings)
            notes += database_notes
            databases.append(opened.enter_context(first))
            for path in settings.further_bib_dbs:
                databases.append(opened.enter_context(Database.open(path, titles_in_memory=False)))
                notes += databases[-1].warnings
        database = databases[0] if databases else None
        threshold, most = settings.bib_threshold, settings.bib_max_candidates
        local = [
            BibliographicDatabaseStrategy(own, threshold, most, own.coverage) for own in databases
        ]
        cache = None if settings.no_cache else _open_cache(settings, notes, databases)
        remembered = [CacheStrategy(cache, threshold)] if cache else []
        if cache:
            opened.callback(cache.close)
        strategies: list[Strategy] = [
            *local,
            *([ReadingsStrategy(local)] if local else ()),
            *remembered,
        ]
        online, warnings = _open_online(settings, [*local, *remembered])
        if online:
            opened.callback(online.close)
            strategies += online.strategies
        count = min(settings.processes or 1, settings.concurrent)
        # this process also verifies entries
        processes = None if online or count == 1 else ProcessPool(count - 1)
        if processes:
            opened.callback(processes.close)
        settings_json = json_settings(settings, database)
        validator = Validator(
            database.venues if database else NO_VENUES, policy=policy, base_rate=settings.base_rate
        )
        # A verdict may differ under another policy, so only verdicts under the default are cached.
        # A verdict that is based on the database of one project must not be used in another
        # project.
        remembers &= policy.name == MEASURED and not settings.searches_database_of_project
        memory = cache.remember if cache and remembers else None
        pipeline = Pipeline(strategies, validator, memory, online)
        here = replace(pipeline, memory=None)  # the session writes all verdicts to the cache
        return Session(
            pipeline,
            database,
            cache,
            online,
            further_databases=tuple(databases[1:]),
            # the most helpful note comes last
            notes=tuple(
                sorted((*notes, *warnings), key=(*settings.project_notes, SAMPLE_NOTE).count)
            ),
            warnings=warnings,
            concurrent=settings.concurrent,
            in_processes=partial(verify_in_processes, processes, settings_json, here)
            if processes
            else None,
            settings_json=settings_json,
            opened=opened.pop_all(),
            settings=settings.deciding,
        )


def json_settings(settings: Settings, database: Database | None) -> str:
    """Return settings, as JSON, with which another process opens an offline session. That session
    gives the same verdicts.
    """
    same = ("policy", "base_rate", "bib_threshold", "bib_max_candidates", "disable_bib", "no_cache")
    paths = {
        "bib_db": database.path if database else None,
        "bib_index_dir": settings.bib_index_dir,
        "cache": None if settings.no_cache else settings.cache or defaults.default_cache(),
    }
    chosen: dict[str, object] = {name: getattr(settings, name) for name in same}
    for name, path in paths.items():
        if path:
            chosen[name] = path.url if isinstance(path, ServerAddress) else str(path.absolute())
    chosen |= {"further_bib_dbs": [str(path.absolute()) for path in settings.further_bib_dbs]}
    chosen |= {"enable_online": False, "processes": 1, "no_project_settings": True}
    return json.dumps(chosen, sort_keys=True)


def verify_in_processes(
    pool: ProcessPool,
    chosen: str,
    pipeline: Pipeline,
    entries: Iterable[Reference | Diagnostic],
) -> Iterator[Verdict]:
    """Yield the verdicts on ``entries``, in order. Worker processes decide them. While this process
    waits, it also decides verdicts, with ``pipeline``.

    If two worker processes die while they verify the same entry, the verdict is ERROR. ``chosen``
    are the settings, as JSON.
    """
    asked = partial(verify_with_settings, chosen)

    def here(batch: list[Reference | Diagnostic]) -> list[Verdict]:
        return list(map(pipeline.answer, batch))

    for verdict in call_in_order(pool, asked, entries, ENTRIES_A_CALL, here):
        if not isinstance(verdict, Lost):
            yield verdict
        elif isinstance(verdict.item, Diagnostic):
            yield unreadable(verdict.item)
        else:
            yield own_fault(
                verdict.item, ChildProcessError("the worker process died twice on this reference")
            )


def verify_with_settings(chosen: str, entries: list[Reference | Diagnostic]) -> list[Verdict]:
    """Return the verdicts on ``entries``.

    This function runs in a worker process. ``chosen`` are the settings, as JSON.
    """
    return list(map(kept_session(chosen).pipeline.answer, entries))


@lru_cache(1)
def kept_session(chosen: str) -> Session:
    """Return the session with the settings ``chosen``, as JSON.

    The session is opened once per process and stays open.
    """
    return open_session(defaults.load(**json.loads(chosen)), remembers=False)


def _open_online(
    settings: Settings, local: Sequence[Strategy]
) -> tuple[OnlineChain | None, tuple[str, ...]]:
    """Return two values: the online strategies, or None if they are disabled or not available; and
    warnings for the user. ``local`` are the strategies that search local databases.
    """
    if settings.sources:
        from citeproof.online.sources import chosen_sources

        chosen_sources(settings.sources, ())  # raises an error if a name is unknown
    if not settings.enable_online:
        return None, ()
    if settings.offline:
        return None, (OFFLINE_NOTE,)
    try:
        from citeproof.verification.online_chain import build_online, withheld_keys

        cache = None if settings.no_cache else settings.cache or defaults.default_cache()
        return build_online(settings, cache, local), withheld_keys(settings)
    # an error inside a library must not prevent answers from local files
    except Exception as error:  # noqa: BLE001
        reason = error if isinstance(error, CiteproofError | OSError) else one_line(error)
        return None, (DEGRADED_NOTE.format(reason),)


def _workers(settings: Settings) -> int:
    """Return the number of worker threads: the configured number, or less if the limit of open
    files is low.

    The usual limit of 1,024 files allows 192 threads offline and 106 online. More threads would not
    be faster.
    """
    if sys.platform == "win32":
        most = 512
    else:
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MOST_FILES if soft == resource.RLIM_INFINITY else min(soft, MOST_FILES)
    # files per worker: the database, its write-ahead log and shared memory, the title index, the
    # cache
    files = 5
    # per worker: an old and a new connection to each of two sources
    sockets = 4 if settings.enable_online else 0
    others = 64  # files for all workers: standard streams, the report, the cache, libraries
    return max(1, min(settings.concurrent, (most - others) // (files + sockets)))


def _open_cache(
    settings: Settings, notes: list[str], databases: Sequence[Database]
) -> VerificationCache | None:
    """Open the cache of verdicts. If the default cache cannot be opened, add a note to ``notes``
    and return None.

    ``databases`` are the open databases. The cache stores the dates of their sources with each
    verdict.
    """
    sources = [
        source
        for database in reversed(databases)
        for source in database.describe().get("sources", ())
    ]
    newest = {source["name"]: source["dump_date"] for source in sources if source["dump_date"]}
    try:
        return VerificationCache(
            settings.cache or defaults.default_cache(), lambda: datetime.now(UTC), newest
        )
    except DatabaseError as error:
        if settings.cache:
            raise
        notes.append(f"The verification cache is not used: {error}")
        return None
