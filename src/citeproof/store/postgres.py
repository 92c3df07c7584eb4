"""A PostgreSQL database to which citeproof writes. Only this module imports the PostgreSQL library.

Each transaction stores a random text, called *mark*. If the connection is lost during a commit, the
stored mark proves that the transaction was committed.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from selectors import EVENT_READ, DefaultSelector
from threading import RLock, local
from typing import Any, cast

import psycopg
from psycopg.errors import DeadlockDetected, LockNotAvailable
from psycopg_pool import ConnectionPool, PoolTimeout

from citeproof.model.errors import DatabaseError, StoreBusyError
from citeproof.store.sql import LOCK_WAIT_SECONDS, CommitUnknownError, ServerAddress, StoreError

Connection = psycopg.Connection[tuple[Any, ...]]

_CONNECT_SECONDS = 10  # time-out of a connection attempt
# seconds without a sign of the client after which the server closes a connection and releases its
# locks
_LOST_AFTER_SECONDS = 30
# seconds after which the server aborts an idle transaction, so that other hosts get its lock
_IDLE_SECONDS = 10
_OPTIONS = {  # for each connection; keepalives detect a server that does not respond
    "autocommit": True,
    "connect_timeout": _CONNECT_SECONDS,
    "application_name": "citeproof",
    "keepalives_idle": _LOST_AFTER_SECONDS // 3,
    "keepalives_interval": _LOST_AFTER_SECONDS // 6,
    "keepalives_count": 4,
    "tcp_user_timeout": 1000 * _LOST_AFTER_SECONDS,
}
# first key of the advisory lock that only one writer of a schema can hold: the letters ``citw``
_WRITERS = 0x63697477
# first key of the advisory locks that show that a process is alive: the letters ``cito``
_OWNERS = 0x6369746F
# first key of the advisory lock for creating ``citeproof_marks``: the letters ``citm``
_MARKERS = 0x6369746D
# SQL statement that sets the server's time-outs for a connection. By default, a server on Linux
# would keep the locks of a host without network for two hours.
_SESSION_SETTINGS = f"""SELECT
set_config('tcp_keepalives_idle', '{_LOST_AFTER_SECONDS // 3}', false),
set_config('tcp_keepalives_interval', '{_LOST_AFTER_SECONDS // 6}', false),
set_config('tcp_keepalives_count', '4', false),
set_config('idle_in_transaction_session_timeout', %s, false)"""
# SQL statement that creates the table with the mark of the last transaction of each connection. The
# server's own transaction numbers do not suffice, because the server may assign a number again
# after a crash.
_CREATE_MARKS = """CREATE TABLE IF NOT EXISTS citeproof_marks (
    connection TEXT PRIMARY KEY, mark TEXT NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now())"""
_DELETE_OLD_MARKS = """DELETE FROM citeproof_marks WHERE connection IN (
    SELECT connection FROM citeproof_marks WHERE at < now() - interval '1 day'
    FOR UPDATE SKIP LOCKED)"""
_SET_MARK = """INSERT INTO citeproof_marks (connection, mark) VALUES (%s, %s)
ON CONFLICT (connection) DO UPDATE SET mark = excluded.mark, at = now()"""
_BEGIN = f"WITH marked AS ({_SET_MARK}) SELECT set_config('lock_timeout', %s, true)"
_LOCK = f"{_BEGIN}, pg_advisory_xact_lock(%s, hashtext(current_schema()))"
_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
# SQL statement that waits until a connection has no open transaction, and returns the mark of its
# last commit.
_READ_MARK = (
    f"{_SET_MARK.partition(' DO ')[0]} DO UPDATE SET mark = citeproof_marks.mark RETURNING mark"
)
# SQL statement that selects the numbers of the liveness locks.
_OWNER_LOCKS = f"""SELECT objid FROM pg_locks
WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = {_OWNERS}
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""  # noqa: S608


class _MarkedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection with a random ``name``, which is the key of a row in the table
    ``citeproof_marks``.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.name = secrets.token_hex(8)


class PostgresStore:
    """Connections to a schema of a PostgreSQL server, with the methods of ``SqliteStore``.

    Threads can share the connections.
    """

    def __init__(self, address: ServerAddress, *, lock_wait: float = LOCK_WAIT_SECONDS) -> None:
        """Connect to ``address``. ``lock_wait`` is the time-out for locks in seconds."""
        self.name = str(address)  # address without the password
        self._address, self._lock_wait = address, lock_wait
        self._thread = local()  # ``connection`` is the connection of the thread's open transaction
        # This connection is made before the pool, because it raises the cause if no connection is
        # possible. The pool would report only a time-out.
        with self._explained(), connect(address) as connection:
            if connection.execute("SELECT to_regclass('citeproof_marks')").fetchall() == [(None,)]:
                with connection.transaction():
                    connection.execute(
                        "SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))", (_MARKERS,)
                    )
                    connection.execute(_CREATE_MARKS)
            connection.execute(_DELETE_OLD_MARKS)
        self._pool: ConnectionPool[_MarkedConnection] = ConnectionPool(
            # one connection for writing, three for reading
            address.url,
            min_size=1,
            max_size=4,
            timeout=_CONNECT_SECONDS,
            kwargs=_OPTIONS,
            connection_class=_MarkedConnection,
            configure=_configure,
            check=ConnectionPool.check_connection,
            open=True,
        )

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run an SQL statement and return all rows of the result."""
        cursor = self._run(sql, values)
        return cursor.fetchall() if cursor.description else []

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run an SQL statement.

        Return the number of rows that were inserted, updated or deleted.
        """
        return self._run(sql, values).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Context manager that runs the thread's statements in one transaction. Nested calls join
        the outer transaction.
        """
        with self._explained():
            if getattr(self._thread, "connection", None):
                yield
            else:
                with self._marked(_BEGIN, _milliseconds(self._lock_wait)):
                    yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Context manager for a read-only transaction. All statements that the thread runs in the
        block read the same snapshot of the database.
        """
        with (
            self._explained(),
            self._pool.connection() as connection,
            self._begun(connection, _SNAPSHOT),
        ):
            yield

    @contextmanager
    def writing(self, lock_wait: float | None = None) -> Iterator[None]:
        """Context manager for a transaction during which no other connection can write to the
        schema.

        ``lock_wait`` is the time-out in seconds for getting the write lock. The default is the
        time-out that was passed to the constructor.
        """
        time_out = _milliseconds(self._lock_wait if lock_wait is None else lock_wait)
        with self._explained(), self._marked(_LOCK, time_out, _WRITERS):
            yield

    def require_in_place(self) -> None:
        """Do nothing. With SQLite, the method checks that the file was not removed."""

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    def owners(self) -> frozenset[str]:
        """Return the names of all :class:`LivenessLock` locks that processes on any host hold
        now.
        """
        return frozenset(str(row[0]) for row in self.execute(_OWNER_LOCKS))

    def liveness_lock(self) -> LivenessLock:
        """Return a new :class:`LivenessLock`.

        The server releases the lock when this process ends or loses the connection.
        """
        return LivenessLock(self._address)

    def _run(self, sql: str, values: Sequence[Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        # no statement contains a percent sign
        statement, values = sql.replace("?", "%s"), _storable(values)
        with self._explained():
            if connection := getattr(self._thread, "connection", None):
                return cast(
                    "psycopg.Cursor[tuple[Any, ...]]", connection.execute(statement, values)
                )
            with self._pool.connection() as connection:
                return connection.execute(statement, values)

    @contextmanager
    def _marked(self, first: str, *values: Any) -> Iterator[None]:
        """Context manager for a transaction whose ``first`` statement, with ``values``, stores a
        random mark in ``citeproof_marks``.

        If the connection is lost during the commit, the mark shows whether the transaction was
        committed.
        """
        mark = secrets.token_hex(8)
        with self._pool.connection() as connection:
            with self._begun(connection, first, connection.name, mark, *values):
                yield
            try:
                connection.commit()
            except psycopg.OperationalError:
                if not connection.broken or not self._is_committed(connection.name, mark):
                    raise

    @contextmanager
    def _begun(self, connection: _MarkedConnection, first: str, *values: Any) -> Iterator[None]:
        """Context manager that begins a transaction of this thread on ``connection`` with the
        statement ``first``.
        """
        connection.execute("BEGIN")
        connection.execute(first, values)
        self._thread.connection = connection
        try:
            yield
        finally:
            self._thread.connection = None

    def _is_committed(self, name: str, mark: str) -> bool:
        """Return whether the transaction that stored ``mark`` was committed. ``name`` is the name
        of the lost connection.
        """
        deadline = time.monotonic() + _LOST_AFTER_SECONDS
        while True:
            with suppress(DatabaseError, psycopg.Error), connect(self._address) as connection:
                connection.execute(
                    "SELECT set_config('lock_timeout', %s, false)",
                    (_milliseconds(_CONNECT_SECONDS),),
                )
                return bool(connection.execute(_READ_MARK, (name, "")).fetchall() == [(mark,)])
            if time.monotonic() > deadline:
                raise CommitUnknownError(
                    f"{self.name}: the connection was lost while a change was being recorded"
                )
            time.sleep(0.05)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (LockNotAvailable, DeadlockDetected) as error:
            raise StoreBusyError(
                f"{self.name}: another process holds the write lock: {_first_line(error)}"
            ) from None
        except PoolTimeout:
            raise StoreError(
                f"{self.name}: no connection within {_CONNECT_SECONDS} seconds"
            ) from None
        except psycopg.Error as error:
            raise StoreError(f"{self.name}: {_first_line(error)}") from None


class LivenessLock:
    """An advisory lock that shows processes on all hosts that this process is alive.

    The server releases the lock when the process ends.
    """

    def __init__(self, address: ServerAddress) -> None:
        """Acquire the lock.

        An unreachable server raises :class:`~citeproof.model.errors.DatabaseError`.
        """
        self._address, self._lock = address, RLock()
        # number of the lock as text, stored as the owner of a job
        self.name = str(secrets.randbelow(2**31))
        self._connect()

    def renew(self) -> None:
        """Acquire the lock again if the connection was lost. Without this lock, other hosts assume
        that this process is dead.
        """
        with self._lock:
            # A statement is sent only if there is data to read, such as the message that the server
            # closes the connection. If the connection is closed, the statement fails.
            with suppress(psycopg.Error), DefaultSelector() as selector:
                selector.register(self._connection.fileno(), EVENT_READ)
                if not selector.select(0):
                    return
            with suppress(psycopg.Error):
                self._connection.execute("SELECT 1")
            if self._connection.broken or self._connection.closed:
                self._connect()

    def release(self) -> None:
        """Release the lock."""
        with self._lock, suppress(psycopg.Error):  # an unreachable server holds no lock
            self._connection.execute("SELECT pg_advisory_unlock_all()")
            self._connection.close()

    def _connect(self) -> None:
        self._connection = connect(self._address)
        self._connection.execute("SELECT pg_advisory_lock(%s, %s)", (_OWNERS, int(self.name)))


def connect(address: ServerAddress) -> Connection:
    """Return a new connection to ``address``.

    Raises :class:`~citeproof.model.errors.DatabaseError`, whose message does not contain the
    password.
    """
    try:
        connection = psycopg.connect(address.url, **_OPTIONS)  # type: ignore[arg-type]
        _configure(connection)
        return connection
    except psycopg.ProgrammingError:  # the message may quote a part of the address
        raise DatabaseError(f"{address}: is not the address of a PostgreSQL server") from None
    except psycopg.Error as error:
        raise DatabaseError(f"{address}: {_first_line(error)}") from None


def _configure(connection: Connection) -> None:
    connection.execute(_SESSION_SETTINGS, (_milliseconds(_IDLE_SECONDS),))


def _storable(values: Sequence[Any]) -> list[Any]:
    """Return ``values`` with NUL characters and lone surrogates replaced, because PostgreSQL cannot
    store them.
    """
    return [
        (
            value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
            if isinstance(value, str)
            else value
        )
        for value in values
    ]


def _milliseconds(seconds: float) -> str:
    """Return a time-out in seconds as text for PostgreSQL: ``250ms`` for 0.25.

    The result is at least ``1ms``, because PostgreSQL takes 0 for no time-out.
    """
    return f"{max(1, round(1000 * seconds))}ms"


def _first_line(error: Exception) -> str:
    """Return the first line of an error message. The other lines are left out, because they may
    quote data from the database.
    """
    return str(error).partition("\n")[0]
