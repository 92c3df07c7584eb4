"""The runtime store of the web service: counters, events, batch runs and verification jobs.

``events`` and ``jobs`` have the values; ``store`` and ``job_store`` the SQL of both engines; ``engine`` what differs
between them. It imports the rest of :mod:`citeproof.store` and the model, and nothing of the web service.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from citeproof.store.runtime.engine import open_engine
from citeproof.store.runtime.events import TitleLog
from citeproof.store.runtime.job_store import JobStore
from citeproof.store.runtime.store import RuntimeStore, utc_now
from citeproof.store.server_address import ServerAddress
from citeproof.store.sql import LOCK_WAIT_SECONDS

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
    return RuntimeStore(open_engine(place, lock_wait, create=True), titles or TitleLog(), clock)


def open_job_store(
    place: Path | ServerAddress, lock_wait: float = LOCK_WAIT_SECONDS, clock: Clock = utc_now
) -> JobStore:
    """Open the jobs of a runtime store that :func:`open_runtime_store` has created."""
    return JobStore(open_engine(place, lock_wait, create=False), clock)
