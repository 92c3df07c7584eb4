"""The runtime store in an SQLite file.

Beside the file are a locked file for each live process, and one file for the document of each open job.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from citeproof.model.errors import DatabaseError
from citeproof.store.process_lock import ProcessLock, is_held
from citeproof.store.runtime.engine import SQLITE, Engine
from citeproof.store.sqlite_store import SqliteStore, contents

APPLICATION_ID = 0x63697470
"""``PRAGMA application_id`` of a runtime store: the letters ``citp``."""
VERSION = len(SQLITE)
"""``PRAGMA user_version`` of the newest layout."""
CACHE_KIB = 256
"""Page cache of a connection. Measured: 16,000 searches take the same time as with 2,000, because rows are appended and
the system caches what is read. A service has four connections."""
_PRUNING_LOCK_WAIT_SECONDS = 1.0
"""Time-out of pruning for the write lock; pruning can be repeated later."""
_ORPHAN_SECONDS = 300.0
"""Minimum age of a document without a job that is deleted. A younger one may belong to a job that is being added."""


class SqliteEngine(Engine):
    """An :class:`Engine` over an SQLite file."""

    OLDEST_FIRST = "ORDER BY rowid LIMIT 1"

    def __init__(self, path: Path, lock_wait: float, *, create: bool) -> None:
        """Open the file at ``path``; create it if it is missing and ``create`` is true.

        Raises :class:`~citeproof.model.errors.DatabaseError` if the file is not a runtime store; it stays unchanged.
        """
        if create:  # else this process may hold SQLite's locks on the file, which closing it again would release
            _refuse_foreign(path)
        self._path = path
        self._documents = path.with_name(path.name + ".documents")
        self._file = SqliteStore(path, lock_wait=lock_wait, durable=True, cache_kib=CACHE_KIB, create=create)
        self._file.execute("PRAGMA secure_delete = on")
        reader = SqliteStore(path, lock_wait=lock_wait, cache_kib=CACHE_KIB, create=False)
        self._lock: ProcessLock | None = None
        super().__init__(self._file, reader, lock_wait)

    def migrate(self) -> None:
        """Bring the tables to :data:`VERSION`."""
        version = self.store.execute("PRAGMA user_version")[0][0]
        if version > VERSION:
            raise DatabaseError(
                f"{self._path}: has layout {version}, written by a newer citeproof; this one knows layouts up to "
                f"{VERSION}. Update citeproof or name another file with --runtime-store"
            )
        for number, statements in enumerate(SQLITE[version:], start=version + 1):
            for statement in statements:
                self.store.execute(statement)
            self.store.execute(f"PRAGMA user_version = {number}")
        self.store.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def register(self) -> None:
        """Create and lock a file beside the store, and remove those of dead processes."""
        for path in self._path.parent.glob(self._lock_path("*").name):
            is_held(path)  # removes it if not
        self.owner = secrets.token_hex(8)
        self._lock = ProcessLock(self._lock_path(self.owner))

    def is_alive(self, owner: str) -> bool:
        """Return whether a process holds the lock file of ``owner``."""
        return bool(owner) and (owner == self.owner or is_held(self._lock_path(owner)))

    @contextmanager
    def adding(self, job_id: str, document: bytes) -> Iterator[None]:
        """Write the document to disk, then yield inside a write transaction."""
        self._documents.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(self._documents / job_id, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(document)
            file.flush()
            os.fsync(descriptor)
        try:
            with self.store.writing():
                yield
        except BaseException:
            self.delete_document(job_id)
            raise

    def changing_job(self) -> AbstractContextManager[None]:
        """Return a transaction with the write lock of the file."""
        return self.store.writing()

    def document(self, job_id: str) -> bytes | None:
        """Return the content of the job's file; None if it cannot be read."""
        try:
            return (self._documents / job_id).read_bytes()
        except OSError:
            return None

    def delete_document(self, job_id: str) -> None:
        """Delete the job's file."""
        (self._documents / job_id).unlink(missing_ok=True)

    def delete_orphans(self, now: float) -> None:
        """Delete the files of processes that were killed before they added the job, or after they ended it."""
        kept = {row[0] for row in self.reader.execute("SELECT id FROM jobs WHERE state IN ('waiting', 'running')")}
        for path in self._documents.glob("*"):
            with suppress(FileNotFoundError):  # another process deleted it
                if path.name not in kept and path.stat().st_mtime < now - _ORPHAN_SECONDS:
                    path.unlink()

    @contextmanager
    def pruning(self) -> Iterator[SqliteStore]:
        """Yield a connection that overwrites what it deletes, and empty the write-ahead log afterwards."""
        pruning = SqliteStore(self._path, lock_wait=_PRUNING_LOCK_WAIT_SECONDS, cache_kib=CACHE_KIB, create=False)
        try:
            pruning.execute("PRAGMA secure_delete = on")
            yield pruning
            pruning.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            pruning.close()

    def require_in_place(self) -> None:
        """Raise :class:`~citeproof.model.errors.DatabaseError` if the file was removed or replaced."""
        self._file.require_in_place()

    def erase(self) -> None:
        """Empty the write-ahead log, unless a reader needs it."""
        self.store.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Remove the lock file and close the connections."""
        if self._lock:
            self._lock.release()
        super().close()

    def _lock_path(self, owner: str) -> Path:
        return self._path.with_name(f"{self._path.name}.lock-{owner}")


def _refuse_foreign(path: Path) -> None:
    found = contents(path)
    if found is None or (found.tables and found.application_id != APPLICATION_ID):
        raise DatabaseError(f"{path}: is not a runtime store; name another file with --runtime-store")
