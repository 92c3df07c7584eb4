"""The runtime store in an SQLite file: opened, migrated, cleared of dead runs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from citeproof.runtime.sql_store import SqlRuntimeStore, text
from citeproof.runtime.sqlite.file import connect
from citeproof.runtime.sqlite.migrations import migrate, refuse_foreign
from citeproof.runtime.sqlite.recovery import Owner, interrupt_orphans
from citeproof.runtime.sums import read_statistics
from citeproof.storage.sql import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from citeproof.runtime.statistics import Statistics
    from citeproof.runtime.title_log import TitleLog

_PRUNING_LOCK_WAIT_SECONDS = 1.0
"""Deleting old events can be put off, so it waits for nobody long."""


class SqliteRuntimeStore(SqlRuntimeStore):
    """A :class:`~citeproof.runtime.RuntimeStore` in an SQLite file."""

    def __init__(
        self,
        path: Path,
        *,
        titles: TitleLog | None = None,
        lock_wait: float = LOCK_WAIT_SECONDS,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Open or create the store at ``path``, migrate it and mark the runs of dead processes.

        Raises :class:`~citeproof.errors.DatabaseError` for a file that is no runtime store or a newer one.
        """
        refuse_foreign(path)
        self._path = path
        self._reader = connect(path, lock_wait)
        store = connect(path, lock_wait, durable=True)
        try:
            with store.writing():
                migrate(store)
                owner = Owner(store)
                interrupted = interrupt_orphans(store, text(clock()))
        except BaseException:
            store.close()
            self._reader.close()
            raise
        super().__init__(store, owner, titles=titles, lock_wait=lock_wait, clock=clock)
        self._log_interrupted(interrupted)

    def statistics(self) -> Statistics:
        """Return the counters and record counts; a connection of its own never waits for the writer's."""
        self._reader.require_in_place()
        return read_statistics(self._reader, self._clock())

    def prune(self, days: float) -> int:
        """Delete old events and return how many rows went.

        Their text is overwritten in the file, and the write-ahead log is emptied where no reader needs it.
        """
        pruning = connect(self._path, _PRUNING_LOCK_WAIT_SECONDS)
        try:
            pruning.execute("PRAGMA secure_delete = on")
            deleted = self._prune(pruning, days)
            if deleted:
                pruning.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return deleted
        finally:
            pruning.close()

    def close(self, patience: float = LOCK_WAIT_SECONDS) -> None:
        """Write what is queued, waiting up to ``patience`` seconds for the file's lock, and close the file."""
        super().close(patience)
        self._reader.close()
