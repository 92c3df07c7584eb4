"""Jobs in the SQLite file of the runtime store; each document is a private file beside it until its job ends."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from citeproof.runtime.sql_jobs import LOST, SqlJobStore
from citeproof.runtime.sqlite.file import connect
from citeproof.runtime.sqlite.recovery import Owner, lock_path
from citeproof.storage.process_lock import is_held
from citeproof.storage.sql import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from citeproof.runtime.jobs import Job, JobDocument

__all__ = ["LOST", "SqliteJobStore"]

_STRAY_SECONDS = 300.0
"""A document without a job that is younger may belong to a job that is just being added."""


class SqliteJobStore(SqlJobStore):
    """A :class:`~citeproof.runtime.jobs.JobStore` in the file of the runtime store, which exists already."""

    FIRST_WAITING = "SELECT id, name, format, pasted, attempts FROM jobs WHERE state = 'waiting' ORDER BY rowid LIMIT 1"

    def __init__(
        self,
        path: Path,
        *,
        lock_wait: float = LOCK_WAIT_SECONDS,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._file = connect(path, lock_wait, durable=True)
        self._file.execute("PRAGMA secure_delete = on")
        self._read_file = connect(path, lock_wait)
        self._documents = path.with_name(path.name + ".documents")
        super().__init__(self._file, self._read_file, clock)

    def add(self, job_id: str, document: JobDocument, most_waiting: int) -> None:
        """Put a job at the end of the queue."""
        self._keep(job_id, document.data)
        try:
            with self._file.writing():
                self._add(job_id, document, most_waiting)
        except BaseException:
            self._forget(job_id)
            raise

    def job(self, job_id: str) -> Job | None:
        """Return a job as it is now."""
        self._read_file.require_in_place()
        return super().job(job_id)

    def delete(self, job_id: str) -> bool:
        """Delete a job with all that is kept of it."""
        known = self._drop_known(job_id)
        self._forget(job_id)
        self._empty_log()
        return known

    def expire(self, hours: float) -> int:
        """Delete the jobs that ended longer than ``hours`` ago, and documents without a job."""
        self._forget_strays()
        aged = self._drop_aged(hours)
        if aged:
            self._empty_log()
        return aged

    def close(self) -> None:
        """Let go of the store."""
        if self._presence:
            self._presence.release()
        self._file.close()
        self._read_file.close()

    def _changing(self) -> AbstractContextManager[None]:
        """Return a transaction with the file's one write lock."""
        return self._file.writing()

    def _appear(self) -> Owner:
        """Lock a file beside the store."""
        return Owner(self._file)

    def _lives(self, owner: str) -> bool:
        """Say whether the process ``owner`` lives."""
        if self._presence and owner == self._presence.name:
            return True
        return bool(owner) and is_held(lock_path(self._file.path, owner))

    def _document(self, job_id: str) -> bytes | None:
        """Return the document of a job; None where it is gone."""
        try:
            return (self._documents / job_id).read_bytes()
        except OSError:
            return None

    def _keep(self, job_id: str, data: bytes) -> None:
        """Write a document where only this user can read it, down to the disk."""
        self._documents.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(self._documents / job_id, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)

    def _forget(self, job_id: str) -> None:
        """Delete the document of a job."""
        with suppress(FileNotFoundError):
            (self._documents / job_id).unlink()

    def _forget_strays(self) -> None:
        """Delete what a process left that was killed just before its job was there, or just after its end."""
        kept = {row[0] for row in self._read_file.execute("SELECT id FROM jobs WHERE state IN ('waiting', 'running')")}
        now = self._clock().timestamp()
        for path in self._documents.glob("*"):
            if path.name not in kept and path.stat().st_mtime < now - _STRAY_SECONDS:
                self._forget(path.name)

    def _empty_log(self) -> None:
        """Leave nothing of what was deleted in the write-ahead log, where no reader needs it."""
        self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
