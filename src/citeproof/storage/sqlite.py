"""SQLite files that citeproof reads and never writes to, not one byte.

A file that citeproof built is opened *immutable*: it is only ever replaced as a whole, so it needs neither locks nor
side files. It is mapped into memory. Writing over it in place (``cp``) while it is open may therefore end the process
by SIGBUS; a file that was cut short is noticed before each statement.

A foreign file may be changed by its own program at any time, so it is read under SQLite's locks, except where that
would create a file (write-ahead mode without a log): such a file is immutable while nobody has it open for writing.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from threading import Condition, RLock
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import apsw

from citeproof.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

APPLICATION_ID = 0x63697465
"""``cite`` in ASCII: ``PRAGMA application_id`` of every database that citeproof builds."""

_MAGIC = b"SQLite format 3\0"
_LOCK_WAIT_MS = 5_000
_MAPPED_BYTES = 1 << 40


class Identity(NamedTuple):
    """What changes when a file is replaced or written to."""

    device: int
    inode: int
    size: int
    mtime_ns: int


def identity(path: Path | str) -> Identity:
    """Return the identity of the file that ``path`` names now; raise :class:`OSError` when there is none."""
    stat = os.stat(path)  # noqa: PTH116 - several times as fast as Path.stat, and called for every request
    return Identity(stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)


def is_sqlite(path: Path) -> bool:
    """Say whether the file at ``path`` begins as SQLite files do; raise :class:`OSError` when it cannot be read."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


class ReadOnlyFile:
    """A SQLite file that many threads read at once, each with a connection of its own.

    Connections are made when all others are at work and kept for the next. When the file has been
    replaced on disk, threads share the connections that there are: every answer comes from the
    file that was opened first.
    """

    def __init__(self, path: Path) -> None:
        """Open ``path``; raise :class:`DatabaseError` when it is missing, unreadable or no SQLite file."""
        self.path = path
        self.identity, self.application_id = _examine(path)
        self._uri = _uri(path, self.application_id)
        self._idle: list[apsw.Connection] = []
        self._lock = RLock()
        self._returned = Condition(self._lock)
        self._closed = False
        self._watched: IO[bytes] | None = None
        """The file once more, to see its size; closing it drops no locks, because a file of ours is read without."""
        with _explained(path):
            self._idle.append(self._connect())
        if self.application_id == APPLICATION_ID:
            self._watch_size()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows; raise :class:`DatabaseError` when it fails."""
        connection = self._lend()
        try:
            return connection.execute(sql, values).fetchall()
        except (apsw.Error, UnicodeDecodeError) as error:
            raise _explanation(self.path, error) from error
        finally:
            self._take_back(connection)

    def read(self, offset: int, size: int) -> bytes:
        """Return bytes of the file itself, without what a write-ahead log holds; zeros beyond its end.

        A second open file would not do: closing it would drop the locks of all connections of this process.
        """
        connection = self._lend()
        try:
            return connection.read("main", 0, offset, size)[1]
        except apsw.Error as error:
            raise _explanation(self.path, error) from error
        finally:
            self._take_back(connection)

    def _lend(self) -> apsw.Connection:
        self._refuse_cut_short()
        return self._take()

    def _take_back(self, connection: apsw.Connection) -> None:
        with self._lock:
            if self._closed:
                connection.close()
            else:
                self._idle.append(connection)
                self._returned.notify()

    def close(self) -> None:
        """Close all idle connections, and the others when they come back."""
        with self._lock:
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            if self._watched:
                self._watched.close()

    def _take(self) -> apsw.Connection:
        with self._lock:
            if self._closed:
                raise DatabaseError(f"{self.path}: already closed")
            while not self._idle:
                if self._is_current():
                    with _explained(self.path):
                        return self._connect()
                self._returned.wait()
            return self._idle.pop()

    def _refuse_cut_short(self) -> None:
        """Raise when a file of ours has become shorter: what is mapped beyond its end cannot be read.

        Of a foreign file SQLite's locks keep other programs off.
        """
        if self._watched is None:
            return
        try:
            size = os.fstat(self._watched.fileno()).st_size
        except (OSError, ValueError):
            return  # closed by another thread just now
        if size < self.identity.size:
            raise DatabaseError(f"{self.path}: was written over while in use; put a new file in its place with mv")

    def _watch_size(self) -> None:
        with suppress(OSError):
            file = self.path.open("rb", buffering=0)
            stat = os.fstat(file.fileno())
            if (stat.st_dev, stat.st_ino) == self.identity[:2]:
                self._watched = file
            else:  # replaced just now: what SQLite has open is whole
                file.close()

    def _is_current(self) -> bool:
        try:
            now = identity(self.path)
        except OSError:
            return False
        return now[:2] == self.identity[:2]

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(self._uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        connection.set_busy_timeout(_LOCK_WAIT_MS)
        connection.execute("PRAGMA temp_store = memory; PRAGMA query_only = on; PRAGMA trusted_schema = off")
        if self.application_id == APPLICATION_ID:
            connection.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        return connection


def _examine(path: Path) -> tuple[Identity, int]:
    """Return identity and application id from the header; SQLite's own messages would not tell what is wrong."""
    try:
        found = identity(path)
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        raise DatabaseError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise DatabaseError(f"{path}: is a directory, not a database") from None
    except OSError as error:
        raise DatabaseError(f"{path}: cannot be read: {error.strerror}") from error
    if not header:
        raise DatabaseError(f"{path}: is empty, not a database")
    if not header.startswith(_MAGIC):
        raise DatabaseError(f"{path}: is not an SQLite database; `citeproof db build` makes one from a dump")
    return found, int.from_bytes(header[68:72])


def _uri(path: Path, application_id: int) -> str:
    """Return the address under which the file is opened without a byte written."""
    address = "file:" + quote(str(path.absolute()))
    with path.open("rb") as file:
        write_ahead = file.read(20)[18:20] == b"\2\2"
    unfinished = any(_size(path.with_name(path.name + suffix)) for suffix in ("-wal", "-journal"))
    if unfinished or not (write_ahead or application_id == APPLICATION_ID):
        return address + "?mode=ro"
    return address + "?mode=ro&immutable=1"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (apsw.Error, UnicodeDecodeError) as error:
        raise _explanation(path, error) from error


def _explanation(path: Path, error: apsw.Error | UnicodeDecodeError) -> DatabaseError:
    """Return what went wrong with the file at ``path``, in words for a user."""
    if isinstance(error, apsw.NotADBError):
        return DatabaseError(f"{path}: is not an SQLite database, or is encrypted")
    if isinstance(error, apsw.CorruptError):
        return DatabaseError(f"{path}: is damaged ({error}); build it again")
    if isinstance(error, UnicodeDecodeError):
        return DatabaseError(f"{path}: is damaged, or holds text that is not UTF-8 ({error.reason})")
    if isinstance(error, apsw.BusyError):
        return DatabaseError(f"{path}: another program keeps it locked")
    return DatabaseError(f"{path}: cannot be read as a database: {error}")
