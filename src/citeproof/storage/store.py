"""SQLite files that citeproof itself writes while it runs: the verification cache, the runtime store."""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from citeproof.errors import DatabaseError, StoreBusyError
from citeproof.storage.sql import LOCK_WAIT_SECONDS, StoreError
from citeproof.storage.sqlite import ReadOnlyFile, identity, is_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path


CACHE_KIB = 2_000
"""Of the file that a connection keeps in memory, as SQLite would by itself."""


class Contents(NamedTuple):
    """What tells whose file a database is."""

    application_id: int
    tables: frozenset[str]
    """Its own tables, without those of SQLite."""


NOTHING = Contents(0, frozenset())


def contents(path: Path) -> Contents | None:
    """Return what the file at ``path`` holds: :data:`NOTHING` for a missing or empty one, None for one of another kind.

    Nothing is written, not even beside the file; :class:`Store` turns any database that it opens to write-ahead
    logging, so ask before. Raises :class:`DatabaseError` when the file cannot be read.
    """
    try:
        size = path.stat().st_size if path.exists() else 0
        if path.is_dir():
            raise DatabaseError(f"{path}: is a directory; name a file")
        if size and not is_sqlite(path):
            return None
    except OSError as error:
        raise DatabaseError(f"{path}: cannot be read: {error.strerror}") from error
    if not size:
        return NOTHING
    file = ReadOnlyFile(path)
    try:
        application_id = file.rows("PRAGMA application_id")[0][0]
        names = (row[0] for row in file.rows("SELECT name FROM sqlite_schema WHERE type = 'table'"))
        return Contents(application_id, frozenset(name for name in names if not name.startswith("sqlite_")))
    finally:
        file.close()


class Store:
    """One connection that all threads share, one statement or transaction at a time."""

    def __init__(
        self,
        path: Path,
        *,
        lock_wait: float = LOCK_WAIT_SECONDS,
        durable: bool = False,
        cache_kib: int = CACHE_KIB,
    ) -> None:
        """Open or create the file at ``path``, and its folder; raise :class:`DatabaseError` when that fails.

        A committed transaction outlives the process; with ``durable`` it outlives a power cut too, at the
        price of one ``fsync`` a commit.
        """
        self.path = path
        self._lock = RLock()
        self._lock_wait = lock_wait
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = apsw.Connection(str(path))
            self._connection.set_busy_timeout(round(lock_wait * 1000))
            self._connection.pragma("journal_mode", "wal")
            self._connection.pragma("synchronous", "full" if durable else "normal")
            self._connection.pragma("cache_size", -cache_kib)
            self._file = identity(path)[:2]
        except apsw.NotADBError:
            raise DatabaseError(f"{path}: is not an SQLite database; name another file") from None
        except (apsw.Error, OSError) as error:
            raise DatabaseError(f"{path}: cannot be opened for writing: {error}") from error

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows; raise :class:`DatabaseError` when it fails."""
        with self._lock, self._explained():
            return list(self._connection.execute(sql, values))

    @property
    def name(self) -> str:
        """What a message calls it."""
        return str(self.path)

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run one statement and return how many rows it inserted, updated or deleted."""
        with self._lock:
            self.execute(sql, values)
            return self._connection.changes()

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each of ``rows`` in one transaction."""
        with self.transaction(), self._explained():
            self._connection.executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the connection; all statements inside take effect together or not at all."""
        with self._lock, self._explained(), self._connection:
            yield

    def reading(self) -> AbstractContextManager[None]:
        """All statements inside see one moment."""
        return self.transaction()

    @contextmanager
    def writing(self, lock_wait: float | None = None) -> Iterator[None]:
        """Hold the file's write lock from the first statement on; all inside takes effect together or not at all.

        Raises :class:`StoreBusyError` when another process keeps the lock for ``lock_wait`` seconds (none: as
        long as every statement waits), and :class:`DatabaseError` when the file is not there any more.
        Not to be nested.
        """
        with self._lock, self._explained():
            self.require_in_place()
            self._connection.set_busy_timeout(round(1000 * (self._lock_wait if lock_wait is None else lock_wait)))
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def require_in_place(self) -> None:
        """Raise :class:`DatabaseError` when the path names another file by now, or none: nobody would see a write."""
        try:
            in_place = identity(self.path)[:2] == self._file
        except OSError:
            in_place = False
        if not in_place:
            raise StoreError(f"{self.path}: was removed or replaced while it was open; start again")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (apsw.BusyError, apsw.LockedError) as error:
            raise StoreBusyError(f"{self.path}: another process holds the write lock: {error}") from error
        except apsw.Error as error:
            raise StoreError(f"{self.path}: {error}") from error
