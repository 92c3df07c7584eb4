"""The runtime store that a setting names: an SQLite file, or a PostgreSQL server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.errors import MissingExtraError
from citeproof.server_address import ServerAddress
from citeproof.storage.sql import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.runtime import RuntimeStore
    from citeproof.runtime.jobs import JobStore
    from citeproof.runtime.title_log import TitleLog


def open_runtime_store(
    place: Path | ServerAddress, titles: TitleLog | None = None, lock_wait: float = LOCK_WAIT_SECONDS
) -> RuntimeStore:
    """Open or create the runtime store; raise :class:`DatabaseError` where it cannot be used."""
    if isinstance(place, ServerAddress):
        try:
            from citeproof.runtime.postgres.store import PostgresRuntimeStore
        except ImportError as error:
            raise MissingExtraError("a runtime store in PostgreSQL", "postgres", error.name) from None
        return PostgresRuntimeStore(place, titles=titles, lock_wait=lock_wait)
    from citeproof.runtime.sqlite.store import SqliteRuntimeStore

    return SqliteRuntimeStore(place, titles=titles, lock_wait=lock_wait)


def open_job_store(place: Path | ServerAddress, lock_wait: float = LOCK_WAIT_SECONDS) -> JobStore:
    """Open the jobs of a runtime store that :func:`open_runtime_store` has opened before."""
    if isinstance(place, ServerAddress):
        from citeproof.runtime.postgres.jobs import PostgresJobStore

        return PostgresJobStore(place, lock_wait=lock_wait)
    from citeproof.runtime.sqlite.jobs import SqliteJobStore

    return SqliteJobStore(place, lock_wait=lock_wait)
