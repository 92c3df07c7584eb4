"""From settings to a working service: the only module that knows every part.

The order of the chain is here: bibliographic database, cache, then what goes online.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from citeproof import settings as defaults
from citeproof.bibdb.database import Database
from citeproof.bibdb.sample import sample_database
from citeproof.cache.sqlite.verified import SqliteVerificationCache
from citeproof.errors import CiteproofError, DatabaseError, MissingExtraError
from citeproof.pipeline import Pipeline
from citeproof.strategies.bibliographic_database import BibliographicDatabaseStrategy
from citeproof.strategies.cache import CacheStrategy
from citeproof.validation.decide import Validator
from citeproof.validation.venues import NO_VENUES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

    from citeproof.cache import VerificationCache
    from citeproof.models import OutgoingRequests
    from citeproof.online_chain import OnlineChain
    from citeproof.pipeline import Strategy
    from citeproof.settings import Settings

SAMPLE_NOTE = (
    "No database was named, so the built-in sample answers. It holds fewer than 400 works: what is not found there "
    "is mostly UNVERIFIED. Build a real one: see 'The real database' in the README."
)
OFFLINE_NOTE = "Online sources were asked for, but the run is offline: the answers are from local files alone."
DEGRADED_NOTE = "Online sources were asked for and are not available, the answers are from local files alone: {}"

UNKEPT_NOTE = "The verification cache was not written, so later runs will ask again: {}"


@dataclass(frozen=True, slots=True)
class Service:
    """A pipeline with the files it holds open; a context manager that closes them."""

    pipeline: Pipeline
    database: Database | None
    cache: VerificationCache | None
    notes: tuple[str, ...]
    """What the user must know about the whole run."""
    warnings: tuple[str, ...] = ()
    """Those of ``notes`` that belong on standard error too, whatever the report."""
    online: OnlineChain | None = None

    def sent(self) -> tuple[OutgoingRequests, ...]:
        """Return what left the machine so far."""
        return self.online.sent() if self.online else ()

    def troubles(self) -> tuple[str, ...]:
        """Return what went wrong beside the verdicts, once the run is over."""
        caches = (self.cache, self.online.cache if self.online else None)
        found = [cache.trouble for cache in caches if cache and cache.trouble]
        return tuple(UNKEPT_NOTE.format(trouble) for trouble in found[:1])

    def describe_database(self) -> dict[str, Any]:
        """Return what the answers rest on; empty without a database."""
        return self.database.describe() if self.database else {}

    def __enter__(self) -> Service:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for part in (self.online, self.database, self.cache):
            if part:
                part.close()


def open_database(settings: Settings) -> tuple[Database, tuple[str, ...]]:
    """Return the database that ``settings`` name, else the user's own, else the sample, with notes on the choice.

    It serves one run of the command line, which must not hold all titles where an index is missing.
    Raises :class:`DatabaseError` when the file is missing or not a bibliographic database.
    """
    path, notes = choose_database(settings)
    database = Database.open(path, index_dir=settings.bib_index_dir, titles_in_memory=False)
    return database, (*notes, *database.warnings)


def choose_database(settings: Settings) -> tuple[Path, tuple[str, ...]]:
    """Return the path of that database, which need not exist when ``settings`` name it, with notes on the choice."""
    if settings.bib_db:
        return settings.bib_db, ()
    if defaults.default_database().exists():
        return defaults.default_database(), ()
    return sample_database(), (SAMPLE_NOTE,)


def offline_pipeline(database: Database, threshold: float = 0.9) -> Pipeline:
    """Return the chain that asks ``database`` alone."""
    return Pipeline([BibliographicDatabaseStrategy(database, threshold)], Validator(database.venues))


def build_service(settings: Settings) -> Service:
    """Return the chain that ``settings`` describe.

    Raises :class:`DatabaseError` when a file that the user named cannot be used.
    """
    strategies: list[Strategy] = []
    notes: list[str] = []
    database = None
    if not settings.disable_bib:
        database, database_notes = open_database(settings)
        notes += database_notes
        strategies.append(BibliographicDatabaseStrategy(database, settings.bib_threshold, settings.bib_max_candidates))
    cache = _open_cache(settings, notes)
    if cache:
        strategies.append(CacheStrategy(cache, settings.bib_threshold))
    online, warnings = _open_online(settings, strategies)
    if online:
        strategies += online.strategies
    validator = Validator(database.venues if database else NO_VENUES)
    pipeline = Pipeline(strategies, validator, cache, online)
    return Service(pipeline, database, cache, (*notes, *warnings), warnings, online)


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

        return build_online(settings, settings.cache or defaults.default_cache(), local), ()
    except ImportError as error:
        reason: object = MissingExtraError("going online", "online", error.name)
    except (CiteproofError, OSError) as error:
        reason = error
    return None, (DEGRADED_NOTE.format(reason),)


def _open_cache(settings: Settings, notes: list[str]) -> VerificationCache | None:
    """Open the cache; without one that the user named, a run goes on without it and says so."""
    try:
        return SqliteVerificationCache(settings.cache or defaults.default_cache(), lambda: datetime.now(UTC))
    except DatabaseError as error:
        if settings.cache:
            raise
        notes.append(f"The verification cache is not used: {error}")
        return None
