"""The runtime store in a PostgreSQL schema, which processes on several hosts share."""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from citeproof.store.postgres import LivenessLock, PostgresStore
from citeproof.store.runtime.engine import POSTGRES, Engine
from citeproof.store.sql import SqlStore, migrate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.store.server_address import ServerAddress


class PostgresEngine(Engine):
    """An :class:`Engine` over a PostgreSQL schema. Workers lock single jobs."""

    OLDEST_FIRST = "ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED"

    def __init__(self, address: ServerAddress, lock_wait: float) -> None:
        self._address = address
        self._server = PostgresStore(address, lock_wait=lock_wait)
        self._lock: LivenessLock | None = None
        super().__init__(self._server, self._server, lock_wait)

    def migrate(self) -> None:
        """Bring the tables to the newest layout."""
        migrate(self.store, "runtime", POSTGRES)

    def register(self) -> None:
        """Take a lock on the server under a random number."""
        self._lock = LivenessLock(self._address)
        self.owner = self._lock.name

    def is_alive(self, owner: str) -> bool:
        """Return whether the server holds the lock ``owner`` for a process of any host."""
        return bool(owner) and owner in self._server.owners()

    @contextmanager
    def adding(self, job_id: str, document: bytes) -> Iterator[None]:
        """Yield inside a write transaction, then insert the document."""
        with self.store.writing():
            yield
            self.store.execute("INSERT INTO job_documents VALUES (?, ?)", (job_id, document))

    def changing_job(self) -> AbstractContextManager[None]:
        """Return a transaction that locks one job only, so that other hosts continue with theirs.

        The liveness lock is renewed first: after a restart of the server the job would be given to another worker.
        """
        self.renew()
        return self.store.transaction()

    def document(self, job_id: str) -> bytes | None:
        """Return the document of a job; None if it is gone."""
        rows = self.store.execute("SELECT document FROM job_documents WHERE job_id = ?", (job_id,))
        return bytes(rows[0][0]) if rows else None

    def delete_document(self, job_id: str) -> None:
        """Delete the document of a job."""
        self.store.execute("DELETE FROM job_documents WHERE job_id = ?", (job_id,))

    def delete_orphans(self, now: float) -> None:
        """Delete the documents whose job has ended or is gone."""
        self.store.execute(
            "DELETE FROM job_documents WHERE NOT EXISTS "
            "(SELECT 1 FROM jobs WHERE id = job_documents.job_id AND state IN ('waiting', 'running'))"
        )

    def pruning(self) -> AbstractContextManager[SqlStore]:
        """Return the store itself."""
        return nullcontext(self.store)

    def renew(self) -> None:
        """Take the lock again if its connection was lost."""
        if self._lock:
            self._lock.renew()

    def close(self) -> None:
        """Release the lock and close the connections."""
        if self._lock:
            self._lock.release()
        super().close()
