"""Tables, liveness locks and job documents of the web service's database, in SQLite or PostgreSQL.

A process holds a *liveness lock* until it ends or is killed. A running job in the database has an
*owner*: the name of the liveness lock of the process that works on the job. If nobody holds this
lock any more, another process can take the job.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.model.errors import DatabaseError, cannot_be
from citeproof.store.files import ProcessLock, is_held
from citeproof.store.opening import SqlStore, migrate, open_server
from citeproof.store.sql import ServerAddress, StoreError, on_failure
from citeproof.store.sqlite_store import SqliteStore, contents

if TYPE_CHECKING:
    from citeproof.store.postgres import LivenessLock, PostgresStore

_SEARCH = """title TEXT NOT NULL, max_candidates {int} NOT NULL, found {bool} NOT NULL, similarity
{real},
matched_key TEXT, method TEXT, candidates_examined {int}, complete {bool}, duration_ms {real},
error TEXT"""
_ITEM = _SEARCH.replace(" max_candidates {int} NOT NULL,", "")

# Migrations of both engines. Migration N changes the tables from version N - 1 to version N. Never
# edit an old migration. In PostgreSQL, the previous version of citeproof must be able to use the
# migrated tables, because hosts are updated one by one.
_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        (
            "CREATE TABLE runtime_counters (name TEXT PRIMARY KEY, value {int} NOT"
            " NULL){without_rowid}"
        ),
        (
            "CREATE TABLE single_search_events ({id}, {created_at}, request_id TEXT NOT NULL,"
            f" {_SEARCH})"
        ),
        """CREATE TABLE batch_runs (
            id TEXT PRIMARY KEY, {created_at}, finished_at TEXT, request_id TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed',
            'interrupted')),
            error_message TEXT, item_limit {int} NOT NULL, total_input {int} NOT NULL,
            total_processed {int} NOT NULL DEFAULT 0, found_count {int} NOT NULL DEFAULT 0,
            not_found_count {int} NOT NULL DEFAULT 0, error_count {int} NOT NULL DEFAULT 0,
            max_candidates {int} NOT NULL, duration_ms {real})""",
        (
            "CREATE TABLE batch_items ({id}, run_id TEXT NOT NULL REFERENCES batch_runs (id),"
            f" position {{int}} NOT NULL, {{created_at}}, {_ITEM})"
        ),
        (
            "CREATE TABLE event_logs ({id}, {created_at}, level TEXT NOT NULL, event TEXT NOT NULL,"
            " message TEXT NOT NULL)"
        ),
    ),
    (
        # The liveness lock of the process that runs the batch.
        "ALTER TABLE batch_runs ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX batch_runs_running ON batch_runs (owner) WHERE status = 'running'",
        # Pruning and hourly statistics select rows by time. Recovery and pruning select rows by
        # batch run.
        "CREATE INDEX single_search_events_time ON single_search_events (created_at{found})",
        "CREATE INDEX batch_items_time ON batch_items (created_at{found})",
        "CREATE INDEX batch_items_run ON batch_items (run_id)",
        "CREATE INDEX batch_runs_time ON batch_runs (created_at)",
    ),
    (
        # The queue is ordered by ``rowid`` in SQLite and by ``place`` in PostgreSQL.
        """CREATE TABLE jobs (
            {place}{created_at}, finished_at TEXT{c} NOT NULL DEFAULT '',
            state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'finished', 'failed')),
            owner TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0,
            name TEXT NOT NULL, format TEXT NOT NULL, pasted {bool} NOT NULL,
            total {int}, taken_for TEXT NOT NULL DEFAULT '', notes TEXT NOT NULL DEFAULT '[]',
            database TEXT NOT NULL DEFAULT '{{}}', by_status TEXT NOT NULL DEFAULT '{{}}',
            seconds {real} NOT NULL DEFAULT 0, ending TEXT NOT NULL DEFAULT 'complete',
            reason TEXT NOT NULL DEFAULT '', corrected TEXT NOT NULL DEFAULT '')""",
        "CREATE INDEX jobs_open ON jobs ({open}) WHERE state IN ('waiting', 'running')",
        "CREATE INDEX jobs_time ON jobs (finished_at)",
        """CREATE TABLE job_verdicts (
            job_id TEXT NOT NULL, position {int} NOT NULL, verdict {bytes} NOT NULL, PRIMARY KEY
            (job_id, position))""",
    ),
    ("ALTER TABLE jobs ADD COLUMN unread TEXT NOT NULL DEFAULT '[]'",),
)
_SQLITE_WORDS = {
    "int": "INTEGER",
    "real": "REAL",
    "bool": "INTEGER",
    "bytes": "BLOB",
    "id": "id INTEGER PRIMARY KEY",
    "c": "",
    "created_at": "created_at TEXT NOT NULL",
    "without_rowid": " WITHOUT ROWID",
    "found": ", found",
    "place": "id TEXT NOT NULL UNIQUE, ",
    "open": "state",
}
_POSTGRES_WORDS = {
    "int": "BIGINT",
    "real": "DOUBLE PRECISION",
    "bool": "BOOLEAN",
    "bytes": "BYTEA",
    "c": ' COLLATE "C"',
    "id": "id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "created_at": 'created_at TEXT COLLATE "C" NOT NULL',
    "place": "place BIGINT GENERATED ALWAYS AS IDENTITY, id TEXT PRIMARY KEY, ",
    "open": "place",
    "without_rowid": "",
    "found": "",
}

SQLITE = tuple(tuple(sql.format(**_SQLITE_WORDS) for sql in step) for step in _MIGRATIONS)
"""SQL statements that create and update the tables in SQLite, by version of the tables.

There is no table of documents of jobs, because they are files.
"""
_FIRST_IN_POSTGRES = 3  # number of migrations that version 1 of the tables in PostgreSQL contains
POSTGRES = (
    (
        *(
            sql.format(**_POSTGRES_WORDS)
            for step in _MIGRATIONS[:_FIRST_IN_POSTGRES]
            for sql in step
        ),
        "CREATE TABLE job_documents (job_id TEXT PRIMARY KEY, document BYTEA NOT NULL)",
    ),
    *(
        tuple(sql.format(**_POSTGRES_WORDS) for sql in step)
        for step in _MIGRATIONS[_FIRST_IN_POSTGRES:]
    ),
)
"""SQL statements that create and update the tables in PostgreSQL, by version of the tables.

Version 1 in PostgreSQL corresponds to version 3 in SQLite, and version 2 to version 4.
"""

APPLICATION_ID = 0x63697470
"""Value of ``PRAGMA application_id`` in the SQLite file of the web service: the ASCII letters
``citp``.
"""
VERSION = len(SQLITE)
"""Newest version of the tables in SQLite, stored as ``PRAGMA user_version``."""
CACHE_KIB = 256
"""Size of SQLite's page cache in KiB.

A larger cache is not faster, because rows are mostly appended.
"""


class _Engine:
    """Base class of the web service's database in SQLite and in PostgreSQL.

    It has a connection for writing, a connection for reading, and the liveness lock of this
    process.
    """

    store: SqlStore
    reader: SqlStore
    owner = ""  # name of the lock that shows that this process is alive; empty before ``register``
    _lock: ProcessLock | LivenessLock | None = None

    def close(self) -> None:
        """Release the liveness lock and close the connections."""
        if self._lock:
            self._lock.release()
        self.store.close()
        self.reader.close()


class _SqliteEngine(_Engine):
    """The web service's database in an SQLite file.

    Lock files, and the folder with the documents of jobs, are beside this file.
    """

    # End of a ``SELECT`` statement for the oldest job. With PostgreSQL, the statement skips jobs
    # that other workers have locked.
    OLDEST_FIRST = "ORDER BY rowid LIMIT 1"

    def __init__(self, path: Path, lock_wait: float, *, create: bool) -> None:
        """Open the file at ``path``. Statements wait at most ``lock_wait`` seconds for locks.

        With ``create``, a missing file is created, and a file of another program raises
        :class:`DatabaseError`.
        """
        # Without ``create``, the file is not examined, because this process may hold SQLite's locks
        # on it. Opening and closing the file again would release these locks.
        if create:
            found = contents(path)
            if found is None or (found.tables and found.application_id != APPLICATION_ID):
                raise DatabaseError(
                    f"{path}: is not a runtime store; name another file with --runtime-store"
                )
        self._path = path
        self._documents = path.with_name(path.name + ".documents")
        self.store = SqliteStore(
            path, lock_wait=lock_wait, durable=True, cache_kib=CACHE_KIB, create=create
        )
        self.store.execute("PRAGMA secure_delete = on")
        # Reads through this connection never wait for a write through the other connection.
        self.reader = SqliteStore(path, lock_wait=lock_wait, cache_kib=CACHE_KIB, create=False)

    def migrate(self) -> None:
        """Update the tables to version :data:`VERSION`. Call inside ``store.writing()``.

        Raises :class:`DatabaseError` if the tables have a newer version.
        """
        version = self.store.execute("PRAGMA user_version")[0][0]
        if version > VERSION:
            raise DatabaseError(
                f"{self._path}: has layout {version}, written by a newer citeproof; this one knows"
                f" layouts up to {VERSION}. Update citeproof or name another file with"
                " --runtime-store"
            )
        for number, statements in enumerate(SQLITE[version:], start=version + 1):
            for statement in statements:
                self.store.execute(statement)
            self.store.execute(f"PRAGMA user_version = {number}")
        self.store.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def register(self) -> None:
        """Create and lock the file that shows that this process is alive. Remove the lock files of
        dead processes.
        """
        for path in self._path.parent.glob(self._lock_path("*").name):
            is_held(path)  # removes the file if no process holds the lock
        self.owner = secrets.token_hex(8)
        self._lock = ProcessLock(self._lock_path(self.owner), 0o600)

    def is_alive(self, owner: str) -> bool:
        """Return whether the process that has the liveness lock ``owner`` is alive."""
        return bool(owner) and (owner == self.owner or is_held(self._lock_path(owner)))

    def has_lost(self, owner: str) -> bool:
        """Return False.

        With PostgreSQL, return whether the server restarted after the process ``owner`` acquired
        its lock. A restart releases the lock, although the process may still be alive.
        """
        return False

    @contextmanager
    def adding(self, job_id: str, document: bytes) -> Iterator[None]:
        """Context manager that stores the document of the new job ``job_id``. The caller inserts
        the row of the job inside the block.
        """
        with on_failure(lambda: self.delete_document(job_id)):
            self._write_document(job_id, document)
            with self.store.writing():
                yield

    def probe(self) -> None:
        """Write and delete a file, to find out whether this is possible.

        Raises :class:`StoreError` if it fails, for example because the disk is full.
        """
        name = f"probe-{secrets.token_hex(8)}"
        try:
            self._write_document(name, bytes(4096))
        finally:
            self.delete_document(name)

    def _write_document(self, name: str, document: bytes) -> None:
        try:
            self._documents.mkdir(mode=0o700, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            descriptor = os.open(self._documents / name, flags, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(document)
                file.flush()
                os.fsync(descriptor)
        except OSError as error:
            raise StoreError(cannot_be("written", self._documents, error)) from error

    def changing_job(self) -> AbstractContextManager[None]:
        """Context manager for a transaction that changes one job. SQLite locks the whole file for
        it, PostgreSQL only the row.
        """
        return self.store.writing()

    def document(self, job_id: str) -> bytes | None:
        """Return the document of a job. None if the document is missing or cannot be read."""
        try:
            return (self._documents / job_id).read_bytes()
        except OSError:
            return None

    def delete_document(self, job_id: str) -> None:
        with suppress(NotADirectoryError):
            (self._documents / job_id).unlink(missing_ok=True)

    def delete_orphans(self, now: float) -> None:
        """Delete documents that are more than 5 minutes old and whose job is neither waiting nor
        running. ``now`` is the present Unix time in seconds.
        """
        kept = {
            row[0]
            for row in self.reader.execute(
                "SELECT id FROM jobs WHERE state IN ('waiting', 'running')"
            )
        }
        for path in self._documents.glob("*"):
            with suppress(FileNotFoundError):  # another process deleted the file
                # the row of the job is inserted after the document is written
                if path.name not in kept and path.stat().st_mtime < now - 300.0:
                    path.unlink()

    @contextmanager
    def pruning(self) -> Iterator[SqliteStore]:
        """Context manager that yields a connection for deleting rows.

        After the block, the write-ahead log is emptied.
        """
        # Pruning waits only one second for the write lock, because a failed pruning is repeated
        # later.
        with closing(
            SqliteStore(self._path, lock_wait=1.0, cache_kib=CACHE_KIB, create=False)
        ) as store:
            store.execute("PRAGMA secure_delete = on")
            yield store
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def erase(self) -> None:
        """Empty the write-ahead log, which may contain deleted text. The log is not emptied while a
        connection reads it.
        """
        self.store.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def renew(self) -> None:
        """Do nothing.

        With PostgreSQL, this method acquires the liveness lock again if the connection was lost.
        """

    def _lock_path(self, owner: str) -> Path:
        return self._path.with_name(f"{self._path.name}.lock-{owner}")


class _PostgresEngine(_Engine):
    """The web service's database in a PostgreSQL schema, which processes on several hosts can
    share.
    """

    OLDEST_FIRST = "ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED"
    store: PostgresStore
    _lock: LivenessLock | None

    def __init__(self, address: ServerAddress, lock_wait: float) -> None:
        self.store = self.reader = open_server(address, lock_wait, "a runtime store in PostgreSQL")

    def migrate(self) -> None:
        migrate(self.store, "runtime", POSTGRES)

    def register(self) -> None:
        self._lock = self.store.liveness_lock()
        self.owner = f"{self._lock.name}@{self._start()}"

    def is_alive(self, owner: str) -> bool:
        return bool(owner) and owner.partition("@")[0] in self.store.owners()

    def has_lost(self, owner: str) -> bool:
        return owner.partition("@")[2] not in {"", self._start()}

    def _start(self) -> str:
        """Return the time at which the server started, as text: Unix time in milliseconds."""
        ((started,),) = self.store.execute(
            "SELECT round(extract(epoch FROM pg_postmaster_start_time()) * 1000)"
        )
        return str(int(started))

    @contextmanager
    def adding(self, job_id: str, document: bytes) -> Iterator[None]:
        with self.store.writing():
            yield
            self.store.execute("INSERT INTO job_documents VALUES (?, ?)", (job_id, document))

    def changing_job(self) -> AbstractContextManager[None]:
        self.renew()  # otherwise another worker could take the job after a restart of the server
        return self.store.transaction()

    def probe(self) -> None:
        """Do nothing. With SQLite, the method writes and deletes a file."""

    def document(self, job_id: str) -> bytes | None:
        rows = self.store.execute("SELECT document FROM job_documents WHERE job_id = ?", (job_id,))
        return bytes(rows[0][0]) if rows else None

    def delete_document(self, job_id: str) -> None:
        self.store.execute("DELETE FROM job_documents WHERE job_id = ?", (job_id,))

    def delete_orphans(self, now: float) -> None:
        self.store.execute(
            "DELETE FROM job_documents WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE id ="
            " job_documents.job_id AND state IN ('waiting', 'running'))"
        )

    def pruning(self) -> AbstractContextManager[PostgresStore]:
        return nullcontext(self.store)

    def erase(self) -> None:
        """Do nothing. With SQLite, the method removes deleted text from the disk."""

    def renew(self) -> None:
        if self._lock:
            self._lock.renew()


Place = Path | ServerAddress
"""Path of a file, or address of a PostgreSQL server."""
Engine = _SqliteEngine | _PostgresEngine
"""The web service's database in SQLite or PostgreSQL. The two classes have the same methods."""


def open_engine(place: Place, lock_wait: float, *, create: bool) -> Engine:
    """Open the web service's database at ``place``, a file or a server. Statements wait at most
    ``lock_wait`` seconds for locks.

    With ``create``, a missing file is created.
    """
    if isinstance(place, ServerAddress):
        return _PostgresEngine(place, lock_wait)
    return _SqliteEngine(place, lock_wait, create=create)
