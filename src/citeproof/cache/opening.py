"""The cache that a setting names: an SQLite file, or a PostgreSQL server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.errors import MissingExtraError
from citeproof.server_address import ServerAddress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime, timedelta
    from pathlib import Path

    from citeproof.cache import AnswerCache, VerificationCache


def open_verification_cache(
    place: Path | ServerAddress, clock: Callable[[], datetime], source_dates: Mapping[str, str]
) -> VerificationCache:
    """Open or create the cache of verified works; raise :class:`DatabaseError` where it cannot be used."""
    if isinstance(place, ServerAddress):
        try:
            from citeproof.cache.postgres.verified import PostgresVerificationCache
        except ImportError as error:
            raise MissingExtraError("a cache in PostgreSQL", "postgres", error.name) from None
        return PostgresVerificationCache(place, clock, source_dates)
    from citeproof.cache.sqlite.verified import SqliteVerificationCache

    return SqliteVerificationCache(place, clock, source_dates)


def open_answer_cache(place: Path | ServerAddress, clock: Callable[[], datetime], max_age: timedelta) -> AnswerCache:
    """Open or create the cache of answers; raise :class:`DatabaseError` where it cannot be used."""
    if isinstance(place, ServerAddress):
        try:
            from citeproof.cache.postgres.answers import PostgresAnswerCache
        except ImportError as error:
            raise MissingExtraError("a cache in PostgreSQL", "postgres", error.name) from None
        return PostgresAnswerCache(place, clock, max_age)
    from citeproof.cache.sqlite.answers import SqliteAnswerCache

    return SqliteAnswerCache(place, clock, max_age)
