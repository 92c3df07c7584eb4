"""The runtime store of the web service: counters, events, batch runs and verification jobs.

``events`` and ``jobs`` hold the values; ``store`` and ``job_store`` the SQL of both engines; ``sqlite`` and
``postgres`` what differs between them. It imports the rest of :mod:`citeproof.store` and the model, and nothing of the
web service.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.model.errors import MissingExtraError
from citeproof.store.runtime.events import TitleLog
from citeproof.store.runtime.job_store import JobStore
from citeproof.store.runtime.store import RuntimeStore, utc_now
from citeproof.store.server_address import ServerAddress
from citeproof.store.sql import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from citeproof.store.runtime.engine import Engine

    Clock = Callable[[], datetime]


def open_runtime_store(
    place: Path | ServerAddress,
    titles: TitleLog | None = None,
    lock_wait: float = LOCK_WAIT_SECONDS,
    clock: Clock = utc_now,
) -> RuntimeStore:
    """Open or create the runtime store, and mark the batches of dead processes as interrupted.

    ``lock_wait`` is the time-out of a write in seconds. Raises :class:`~citeproof.model.errors.DatabaseError` if the
    store cannot be used, has a newer layout, or is a file of something else.
    """
    return RuntimeStore(_open(place, lock_wait, create=True), titles or TitleLog(), clock)


def open_job_store(
    place: Path | ServerAddress, lock_wait: float = LOCK_WAIT_SECONDS, clock: Clock = utc_now
) -> JobStore:
    """Open the jobs of a runtime store that :func:`open_runtime_store` has created."""
    return JobStore(_open(place, lock_wait, create=False), clock)


def _open(place: Path | ServerAddress, lock_wait: float, *, create: bool) -> Engine:
    if not isinstance(place, ServerAddress):
        from citeproof.store.runtime.sqlite import SqliteEngine

        return SqliteEngine(place, lock_wait, create=create)
    try:
        from citeproof.store.runtime.postgres import PostgresEngine
    except ImportError as error:
        raise MissingExtraError("a runtime store in PostgreSQL", "postgres", error.name) from None
    return PostgresEngine(place, lock_wait)
