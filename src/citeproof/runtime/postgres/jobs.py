"""Jobs in PostgreSQL: a queue that workers of any host take from, each job locked by who takes it alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from citeproof.runtime.sql_jobs import SqlJobStore
from citeproof.storage.postgres import PostgresStore, ProcessPresence
from citeproof.storage.sql import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from citeproof.runtime.jobs import JobDocument
    from citeproof.server_address import ServerAddress


class PostgresJobStore(SqlJobStore):
    """A :class:`~citeproof.runtime.jobs.JobStore` in the schema of a runtime store, which exists already."""

    FIRST_WAITING = """SELECT id, name, format, pasted, attempts FROM jobs WHERE state = 'waiting'
        ORDER BY place FOR UPDATE SKIP LOCKED LIMIT 1"""

    def __init__(
        self,
        address: ServerAddress,
        *,
        lock_wait: float = LOCK_WAIT_SECONDS,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._address = address
        self._server = PostgresStore(address, lock_wait=lock_wait)
        self._shown: ProcessPresence | None = None
        super().__init__(self._server, self._server, clock)

    def add(self, job_id: str, document: JobDocument, most_waiting: int) -> None:
        """Put a job at the end of the queue, with its document."""
        with self._server.writing():
            self._add(job_id, document, most_waiting)
            self._server.execute("INSERT INTO job_documents VALUES (?, ?)", (job_id, document.data))

    def delete(self, job_id: str) -> bool:
        """Delete a job with all that is kept of it."""
        known = self._drop_known(job_id)
        self._forget(job_id)
        return known

    def expire(self, hours: float) -> int:
        """Delete the jobs that ended longer than ``hours`` ago, and documents whose job has ended."""
        self._server.execute(
            "DELETE FROM job_documents WHERE NOT EXISTS "
            "(SELECT 1 FROM jobs WHERE id = job_documents.job_id AND state IN ('waiting', 'running'))"
        )
        return self._drop_aged(hours)

    def close(self) -> None:
        """Let go of the store."""
        if self._shown:
            self._shown.release()
        self._server.close()

    def _changing(self) -> AbstractContextManager[None]:
        """Return a transaction that locks the job alone: other hosts go on with theirs.

        Before it this process shows again that it lives, where the server was restarted: else its job is taken away.
        """
        if self._shown:
            self._shown.renew()
        return self._server.transaction()

    def _appear(self) -> ProcessPresence:
        """Hold a lock on a connection of its own."""
        self._shown = ProcessPresence(self._address)
        return self._shown

    def _lives(self, owner: str) -> bool:
        """Say whether the process ``owner`` lives, on whichever host."""
        return bool(owner) and owner in self._server.owners()

    def _document(self, job_id: str) -> bytes | None:
        """Return the document of a job; None where it is gone."""
        rows = self._server.execute("SELECT document FROM job_documents WHERE job_id = ?", (job_id,))
        return bytes(rows[0][0]) if rows else None

    def _forget(self, job_id: str) -> None:
        """Delete the document of a job."""
        self._server.execute("DELETE FROM job_documents WHERE job_id = ?", (job_id,))
