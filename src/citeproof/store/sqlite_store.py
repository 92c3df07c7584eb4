"""Read and write SQLite files while citeproof runs, such as the cache and the jobs of the web
service.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

import apsw

from citeproof.model.errors import DatabaseError, StoreBusyError, cannot_be
from citeproof.store.sql import LOCK_WAIT_SECONDS, StoreError
from citeproof.store.sqlite import (
    MAGIC,
    Failures,
    ReadOnlyFile,
    explained,
    identity,
    identity_or_none,
)

_DAMAGED = "{path}: is damaged ({0}); stop what uses it and move it away: a new one is made"
_NOT_OPENED: Failures = (
    (apsw.NotADBError, DatabaseError, "{path}: is not an SQLite database; name another file"),
    (apsw.CorruptError, StoreError, _DAMAGED),
    (apsw.Error, DatabaseError, "{path}: cannot be opened for writing: {0}"),
    (OSError, DatabaseError, "{path}: cannot be opened for writing: {0.strerror}"),
)
_FAILURES: Failures = (
    (apsw.BusyError, StoreBusyError, "{path}: another process holds the write lock: {0}"),
    (apsw.LockedError, StoreBusyError, "{path}: another process holds the write lock: {0}"),
    (apsw.CorruptError, StoreError, _DAMAGED),
    (apsw.Error, StoreError, "{path}: {0}"),
)


class Contents(NamedTuple):
    """What an SQLite file contains: its ``PRAGMA application_id``, and the names of its tables
    without SQLite's internal tables.
    """

    application_id: int
    tables: frozenset[str]


NOTHING = Contents(0, frozenset())
"""The :class:`Contents` of a missing or empty file."""


def contents(path: Path) -> Contents | None:
    """Return the :class:`Contents` of the file at ``path``. None if it is not an SQLite file.

    Call this function before opening a :class:`SqliteStore`, because opening changes any SQLite
    database to write-ahead logging.
    """
    try:
        if path.is_dir():
            raise DatabaseError(f"{path}: is a directory; name a file")
        if not (path.exists() and path.stat().st_size):
            return NOTHING
        with path.open("rb") as opened:
            if opened.read(len(MAGIC)) != MAGIC:
                return None
    except OSError as error:
        raise DatabaseError(cannot_be("read", path, error)) from error
    try:
        with closing(ReadOnlyFile(path)) as file:
            # the header of the file may be older than the log
            application_id = file.rows("PRAGMA application_id")[0][0]
            names = (
                row[0] for row in file.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
            )
            return Contents(
                application_id, frozenset(name for name in names if not name.startswith("sqlite_"))
            )
    except DatabaseError as error:
        if isinstance(error.__cause__, apsw.CorruptError):
            raise StoreError(_DAMAGED.format(error.__cause__, path=path)) from error
        raise


class SqliteStore:
    """An SQLite file for reading and writing, which several threads can use at once.

    Statements that fail raise ``DatabaseError``.
    """

    def __init__(
        self,
        path: Path,
        *,
        lock_wait: float = LOCK_WAIT_SECONDS,
        durable: bool = False,
        cache_kib: int = 2_000,
        create: bool = True,
    ) -> None:
        """Open the file at ``path`` with write-ahead logging. Without ``create``, the file must
        exist.

        ``lock_wait`` is the maximum time in seconds to wait for locks. ``cache_kib`` is the size of
        the page cache in KiB. With ``durable``, committed transactions survive a power failure, but
        every commit waits for an ``fsync``.
        """
        self.path, self.name = path, str(path)
        self._explained = partial(explained, path, _FAILURES)
        self._lock, self._lock_wait = RLock(), lock_wait
        with explained(path, _NOT_OPENED):
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
                # An existing file is not opened, because closing it would release the locks that
                # SQLite holds on the file.
                with suppress(FileExistsError):
                    os.close(os.open(path.resolve(), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            self._connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
            self._connection.set_busy_timeout(round(lock_wait * 1000))
            self._connection.pragma("journal_mode", "wal")
            self._connection.pragma("synchronous", "full" if durable else "normal")
            self._connection.pragma("cache_size", -cache_kib)
            self._file = identity(path)[:2]

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        r"""Run an SQL statement and return all rows.

        A lone surrogate in a value, which UTF-8 cannot encode, is stored as the six characters
        ``\udcff``.
        """
        with self._lock, self._explained():
            try:
                return list(self._connection.execute(sql, values))
            except UnicodeEncodeError:
                return list(self._connection.execute(sql, [_storable(value) for value in values]))

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run an SQL statement.

        Return the number of rows that were inserted, updated or deleted.
        """
        with self._lock:
            self.execute(sql, values)
            return self._connection.changes()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Context manager that runs the statements of the block in one transaction.

        Nested calls are savepoints.
        """
        with self._lock, self._explained(), self._connection:
            yield

    # context manager in which all statements read the same snapshot of the file
    reading = transaction

    @contextmanager
    def writing(self, lock_wait: float | None = None) -> Iterator[None]:
        """Context manager for a transaction that acquires the write lock of the file before the
        block. It cannot be nested.

        Raises :class:`~citeproof.model.errors.StoreBusyError` if the lock is not free within
        ``lock_wait`` seconds. The default is the time-out that was passed to the constructor.
        """
        with self._lock, self._explained():
            self.require_in_place()
            self._connection.set_busy_timeout(
                round(1000 * (self._lock_wait if lock_wait is None else lock_wait))
            )
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def require_in_place(self) -> None:
        """Raise :class:`StoreError` if the file was removed or replaced. A write to the open file
        would then be lost.
        """
        found = identity_or_none(self.path)
        if not found or found[:2] != self._file:
            raise StoreError(f"{self.path}: was removed or replaced while it was open; start again")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


def _storable(value: Any) -> Any:
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
