"""The runtime store in PostgreSQL: opened, migrated, cleared of dead runs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from citeproof.runtime.postgres.migrations import KIND, MIGRATIONS
from citeproof.runtime.recovery import interrupt_runs
from citeproof.runtime.sql_store import SqlRuntimeStore, text
from citeproof.storage.layout import bring_up_to_date
from citeproof.storage.postgres import PostgresStore, ProcessPresence
from citeproof.storage.sql import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.runtime.title_log import TitleLog
    from citeproof.server_address import ServerAddress


class PostgresRuntimeStore(SqlRuntimeStore):
    """A :class:`~citeproof.runtime.RuntimeStore` in the tables of a PostgreSQL schema."""

    def __init__(
        self,
        address: ServerAddress,
        *,
        titles: TitleLog | None = None,
        lock_wait: float = LOCK_WAIT_SECONDS,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Connect to ``address``, make or migrate the tables, and mark the runs of processes that are gone.

        Raises :class:`~citeproof.errors.DatabaseError` where the server cannot be used, or holds a newer layout.
        """
        store = PostgresStore(address, lock_wait=lock_wait)
        try:
            presence = ProcessPresence(address)
            with store.writing():
                bring_up_to_date(store, KIND, MIGRATIONS)
                living = store.owners()
                interrupted = interrupt_runs(store, living.__contains__, text(clock()))
        except BaseException:
            store.close()
            raise
        super().__init__(store, presence, titles=titles, lock_wait=lock_wait, clock=clock)
        self._log_interrupted(interrupted)
