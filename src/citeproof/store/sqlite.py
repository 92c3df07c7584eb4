"""Build bibliographic databases in SQLite, and read SQLite files of citeproof and of other
programs.

A database that citeproof built never changes and is only replaced as a whole. It is opened with
``immutable=1``, without locks. A file of another program may change at any time, so it is read with
SQLite's locks. The exception is a file in write-ahead mode without a log. Locks on it would create
new files in the folder, so it is opened with ``immutable=1``, too.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import RLock
from typing import IO, Any, NamedTuple
from urllib.parse import quote

import apsw

from citeproof.model.errors import BuildError, CiteproofError, DatabaseError, cannot_be

APPLICATION_ID = 0x63697465
"""Value of ``PRAGMA application_id`` in every database that citeproof builds: the ASCII letters
``cite``.
"""
# maximum number of values in an SQL statement; a small number, so that few different statements are
# prepared
_VALUES_A_STATEMENT = 500
MAGIC = b"SQLite format 3\0"
# The page cache has 48 MiB. SQLite sorts up to this amount of data in memory, and larger amounts in
# temporary files. The journal holds only pages that were written before the last checkpoint, so it
# stays small.
_PRAGMAS = (
    *("page_size = 8192", "locking_mode = exclusive", "journal_mode = delete"),
    *("synchronous = normal", f"cache_size = -{48 << 10}"),
)

Failures = tuple[tuple[type[Exception], type[CiteproofError], str], ...]
"""Rules for converting exceptions. Each rule has the type of an exception, the type of the
exception to raise instead, and a template of the message of the latter.
"""
_FAILURES: Failures = (
    (apsw.NotADBError, DatabaseError, "{path}: is not an SQLite database, or is encrypted"),
    (apsw.CorruptError, DatabaseError, "{path}: is damaged ({0}); build it again"),
    (apsw.BusyError, DatabaseError, "{path}: another program keeps it locked"),
    (apsw.Error, DatabaseError, "{path}: cannot be read as a database: {0}"),
    (
        UnicodeDecodeError,
        DatabaseError,
        "{path}: is damaged, or holds text that is not UTF-8 ({0.reason})",
    ),
)
_BUILD_FAILURES: Failures = (
    (apsw.FullError, BuildError, "{path.parent}: no space left on the disk"),
    (apsw.Error, BuildError, "{path}: cannot be written: {0}"),
)


@contextmanager
def explained(path: Path, failures: Failures = _FAILURES) -> Iterator[None]:
    """Context manager that replaces an exception of the block by the one that the first matching
    rule of ``failures`` states. ``path`` is the file that the message names.
    """
    try:
        yield
    except Exception as error:
        for kind, raised, message in failures:
            if isinstance(error, kind):
                raise raised(message.format(error, path=path)) from error
        raise


class Identity(NamedTuple):
    """Properties of a file that change if the file is replaced or written to."""

    device: int
    inode: int
    size: int
    mtime_ns: int


def identity(path: Path | str | int) -> Identity:
    """Return the :class:`Identity` of a file, given by path or descriptor.

    A missing file raises :class:`OSError`.
    """
    # several times as fast as Path.stat, and called for every request
    stat = os.stat(path)  # noqa: PTH116
    return Identity(stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)


def identity_or_none(path: Path | str) -> Identity | None:
    """Return the :class:`Identity` of a file. None if the file is missing."""
    try:
        return identity(path)
    except OSError:
        return None


class Watch:
    """Checks whether files were replaced or written to. Threads can share a watch."""

    def __init__(
        self, *paths: Path, seconds: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Watch the files at ``paths``. :meth:`look` reads the disk at most once every ``seconds``
        seconds.
        """
        self._paths = tuple(map(os.fspath, paths))
        self._seconds, self._clock = seconds, clock
        self._seen: tuple[float, tuple[Identity | None, ...]] = (float("-inf"), ())

    def look(self) -> tuple[Identity | None, ...]:
        """Return the :class:`Identity` of every watched file, or None for a missing file."""
        now = self._clock()
        when, found = self._seen
        if now - when >= self._seconds:
            found = tuple(map(identity_or_none, self._paths))
            self._seen = now, found
        return found


class ReadOnlyFile:
    """An SQLite file opened for reading.

    If another file replaces it on the disk, results still come from the opened file.
    """

    def __init__(self, path: Path) -> None:
        """Open ``path``.

        Raises :class:`DatabaseError` if the file is missing, unreadable or not an SQLite file.
        """
        self.path = path
        self.identity, header = _examine(path)
        self.application_id = int.from_bytes(header[68:72])
        self._lock = RLock()  # allows one statement at a time
        self._closed = False
        # second handle of the file, to notice if the file is truncated
        self._watched: IO[bytes] | None = None
        with explained(path):
            # The file is not memory-mapped, because the first access to a mapped page would also
            # read the pages around it.
            flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            self._connection = apsw.Connection(_uri(path, header, self.application_id), flags=flags)
            self._connection.set_busy_timeout(5_000)  # in milliseconds
            self._connection.execute(
                "PRAGMA temp_store = memory; PRAGMA query_only = on; PRAGMA trusted_schema = off"
            )
            self._connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        if self.application_id == APPLICATION_ID:
            with suppress(OSError):
                watched = path.open("rb", buffering=0)
                if identity(watched.fileno())[:2] == self.identity[:2]:
                    self._watched = watched
                else:  # the file was replaced just now; the file that SQLite has open is complete
                    watched.close()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run an SQL statement and return all rows.

        Raises :class:`DatabaseError` if the statement fails.
        """
        with self._lock, explained(self.path):
            return self._checked().execute(sql, values).fetchall()

    def columns(self, select: str) -> list[str]:
        """Return the names of the columns of the result of the query ``select``."""
        with self._lock, explained(self.path):
            cursor = self._checked().execute(f"SELECT * FROM ({select}) LIMIT 1")  # noqa: S608
            return [column[0] for column in cursor.description]

    def rows_with(self, sql: str, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of the query ``sql`` with ``values`` in the place of ``{}``, as in
        ``SELECT * FROM t WHERE id IN ({})``.

        Many values are split over several queries.
        """
        for start in range(0, len(values), _VALUES_A_STATEMENT):
            batch = values[start : start + _VALUES_A_STATEMENT]
            yield from self.rows(sql.format(", ".join("?" * len(batch))), batch)

    def read(self, offset: int, size: int) -> bytes:
        """Return ``size`` bytes of the file from ``offset``. Changes that are still in the
        write-ahead log are not included.

        Bytes beyond the end of the file are 0.
        """
        # SQLite reads the bytes, because closing another handle would release all locks of this
        # process on the file.
        with self._lock, explained(self.path):
            return self._checked().read("main", 0, offset, size)[1]

    def close(self) -> None:
        """Wait until a running statement ends, and close the file."""
        with self._lock:
            self._closed = True
            self._connection.close()
            if self._watched:
                self._watched.close()

    def _checked(self) -> apsw.Connection:
        """Return the open connection.

        Raises :class:`DatabaseError` if the file was closed or truncated.
        """
        # SQLite itself would read zeros beyond the end of a truncated file.
        if self._closed:
            raise DatabaseError(f"{self.path}: already closed")
        if self._watched and os.fstat(self._watched.fileno()).st_size < self.identity.size:
            raise DatabaseError(
                f"{self.path}: was written over while in use; put a new file in its place with mv"
            )
        return self._connection


def _examine(path: Path) -> tuple[Identity, bytes]:
    """Return identity and first 100 bytes of the SQLite file at ``path``.

    Raises :class:`DatabaseError` if it is missing, unreadable or not an SQLite file.
    """
    try:
        found = identity(path)
        if path.is_fifo():
            raise DatabaseError(f"{path}: is a pipe, not a database")
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        raise DatabaseError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise DatabaseError(f"{path}: is a directory, not a database") from None
    except OSError as error:
        raise DatabaseError(cannot_be("read", path, error)) from error
    if not header:
        raise DatabaseError(f"{path}: is empty, not a database")
    if not header.startswith(MAGIC):
        raise DatabaseError(
            f"{path}: is not an SQLite database; `citeproof db build` makes one from a dump"
        )
    return found, header


def _uri(path: Path, header: bytes, application_id: int) -> str:
    """Return the ``file:`` URI with which SQLite reads the file at ``path`` without creating other
    files in its folder.

    ``header`` is the first 100 bytes of the file.
    """
    address = "file:" + quote(str(path.absolute()))
    write_ahead = header[18:20] == b"\2\2"
    logs = (identity_or_none(f"{path}{suffix}") for suffix in ("-wal", "-journal"))
    if any(log and log.size for log in logs) or not (
        write_ahead or application_id == APPLICATION_ID
    ):
        return address + "?mode=ro"
    return address + "?mode=ro&immutable=1"


class BulkFile:
    """A new SQLite file that is being filled. A failed statement raises :class:`BuildError`; then
    the caller must delete the file.
    """

    def __init__(self, path: Path, application_id: int) -> None:
        """Create the database in the empty file at ``path``, with the ``PRAGMA application_id``
        ``application_id``. If the file is not empty, continue at its last :meth:`checkpoint`.
        """
        self._explained = partial(explained, path, _BUILD_FAILURES)
        with self._explained():
            self._connection = apsw.Connection(str(path))
            for pragma in (*_PRAGMAS, f"application_id = {application_id}"):
                self._connection.execute("PRAGMA " + pragma).fetchall()
            # with a handler, Ctrl-C interrupts a statement
            self._connection.set_progress_handler(lambda: False, 200_000)
            self.checkpoints: int = self._connection.pragma("user_version")
            self._connection.execute("BEGIN")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one or more SQL statements and return all rows."""
        with self._explained():
            return list(self._connection.execute(sql, values))

    def stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query one by one."""
        with self._explained():
            yield from self._connection.execute(sql)

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run the SQL statement ``sql`` once for every row of values in ``rows``."""
        with self._explained():
            self._connection.executemany(sql, rows)

    def checkpoint(self, number: int) -> None:
        """Commit all changes so far, and store ``number``, the number of checkpoints, as
        :attr:`checkpoints`.

        If the process is killed later, the file has the content of the last checkpoint. Another
        process can read this content with a :class:`Settled`.
        """
        self.execute(f"PRAGMA user_version = {number}")
        self.execute("COMMIT; BEGIN")
        self.checkpoints = number

    def finish(self) -> None:
        """Commit and close the file."""
        with self._explained():
            self._connection.execute("COMMIT")
            self._connection.close()

    def discard(self) -> None:
        """Close the file without a commit."""
        self._connection.close(True)


class Settled(BulkFile):
    """Reads finished tables of a :class:`BulkFile` that another process is still writing.

    The writer keeps the file locked, so the reader ignores locks by ``immutable=1``. This is safe
    for tables to which no more rows are added, because new tables and indexes use new pages of the
    file.
    """

    def __init__(self, path: Path) -> None:
        self._explained = partial(explained, path, _BUILD_FAILURES)
        address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        with self._explained():
            self._connection = apsw.Connection(
                address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            )
            self._connection.execute(f"PRAGMA cache_size = -{16 << 10}").fetchall()  # in KiB
            self._connection.execute("BEGIN; SELECT count(*) FROM sqlite_schema").fetchall()
