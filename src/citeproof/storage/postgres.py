"""A PostgreSQL database as a store: the only module that imports the PostgreSQL library.

What messages say never holds a password: libpq leaves it out, and the address is shown without it.
"""

from __future__ import annotations

import secrets
import time
from contextlib import contextmanager, suppress
from select import POLLIN, poll
from threading import RLock, local
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.errors import DeadlockDetected, LockNotAvailable
from psycopg_pool import ConnectionPool, PoolTimeout

from citeproof.errors import DatabaseError, StoreBusyError
from citeproof.storage.sql import LOCK_WAIT_SECONDS, CommitUnknownError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citeproof.server_address import ServerAddress

    Connection = psycopg.Connection[tuple[Any, ...]]

MOST_CONNECTIONS = 4
"""Of one store in one process: one writes, the others read."""
CONNECT_SECONDS = 10
LOST_AFTER_SECONDS = 30
"""After so long without an answer a host counts as gone, and the server lets go of its locks."""
IDLE_SECONDS = 10
"""A transaction in which a host does nothing for so long is undone: others wait longer than that for its lock."""
_OPTIONS = {
    "autocommit": True,
    "connect_timeout": CONNECT_SECONDS,
    "application_name": "citeproof",
    "keepalives_idle": LOST_AFTER_SECONDS // 3,
    "keepalives_interval": LOST_AFTER_SECONDS // 6,
    "keepalives_count": 4,
    "tcp_user_timeout": 1000 * LOST_AFTER_SECONDS,
}
_ASK_AGAIN_SECONDS = 0.05
_WRITERS = 0x63697477
"""First half of the key of the lock that one writer of a schema has at a time: the letters ``citw``."""
_OWNERS = 0x6369746F
"""First half of the keys by which processes show that they live: the letters ``cito``."""
_OF_SESSION = f"""SELECT set_config('tcp_keepalives_idle', '{LOST_AFTER_SECONDS // 3}', false),
set_config('tcp_keepalives_interval', '{LOST_AFTER_SECONDS // 6}', false),
set_config('tcp_keepalives_count', '4', false), set_config('idle_in_transaction_session_timeout', %s, false)"""
"""What the server is told of each connection. Its own keepalives are the system's, two hours on Linux: for so long
it would keep the locks of a host whose network is gone."""
_BEGIN = """SELECT pg_current_xact_id()::text, set_config('lock_timeout', %s, true)"""
_LOCK = f"""{_BEGIN}, pg_advisory_xact_lock(%s, hashtext(current_schema()))"""
_OUTCOME = "SELECT pg_xact_status(%s::xid8)"
_HELD = """SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = %s
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


class PostgresStore:
    """A :class:`~citeproof.storage.sql.SqlStore` in the schema that the address leads to."""

    def __init__(self, address: ServerAddress, *, lock_wait: float = LOCK_WAIT_SECONDS) -> None:
        """Connect to ``address``; raise :class:`DatabaseError` when that fails."""
        self.name = str(address)
        self._address = address
        self._lock_wait = lock_wait
        self._lent = local()
        connect(address).close()  # its error says why; a pool's says that time is over
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            address.url, min_size=1, max_size=MOST_CONNECTIONS, timeout=CONNECT_SECONDS, kwargs=_OPTIONS,
            configure=_configure, open=True,
        )  # fmt: skip

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows; raise :class:`DatabaseError` when it fails."""
        cursor = self._run(sql, values)
        return cursor.fetchall() if cursor.description else []

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run one statement and return how many rows it inserted, updated or deleted."""
        return self._run(sql, values).rowcount

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each of ``rows`` in one transaction."""
        with self.transaction():
            self._lent.connection.cursor().executemany(_translated(sql), list(map(_storable, rows)))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All statements of this thread inside take effect together or not at all."""
        with self._explained():
            if getattr(self._lent, "connection", None):
                yield
                return
            with self._begun(_BEGIN, (_milliseconds(self._lock_wait),)):
                yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """All statements of this thread inside see one moment."""
        with self._explained(), self._begun("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY", ()):
            yield

    @contextmanager
    def writing(self, lock_wait: float | None = None) -> Iterator[None]:
        """As :meth:`transaction`, with the lock that one writer of the schema has at a time."""
        patience = _milliseconds(self._lock_wait if lock_wait is None else lock_wait)
        with self._explained(), self._begun(_LOCK, (patience, _WRITERS)):
            yield

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()

    def owners(self) -> frozenset[str]:
        """Return the names of the processes that live, on all hosts."""
        return frozenset(str(row[0]) for row in self.execute(_HELD.replace("%s", str(_OWNERS))))

    def _run(self, sql: str, values: Sequence[Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        with self._explained():
            lent: Connection | None = getattr(self._lent, "connection", None)
            if lent:
                return lent.execute(_translated(sql), _storable(values))
            for attempt in range(MOST_CONNECTIONS + 1):
                connection = self._pool.getconn()
                try:
                    return connection.execute(_translated(sql), _storable(values))
                except psycopg.OperationalError:  # what is run alone may be run again: it reads, or deletes
                    if not connection.broken or attempt == MOST_CONNECTIONS:
                        raise
                finally:
                    self._give_back(connection)
        raise AssertionError("the last attempt returns or raises")

    @contextmanager
    def _begun(self, first: str, values: tuple[Any, ...]) -> Iterator[None]:
        """Lend this thread a connection in a transaction whose first statement is ``first``.

        That statement returns the transaction's number where anything is to be written. A connection that is found
        broken at its first statement has written nothing, so another takes its place.
        """
        for _ in range(MOST_CONNECTIONS + 1):
            connection = self._pool.getconn()
            try:
                connection.execute("BEGIN")
                begun = connection.execute(first, values)
                number = begun.fetchall()[0][0] if begun.description else ""
                break
            except psycopg.OperationalError:
                broken = connection.broken
                self._give_back(connection)
                if not broken:
                    raise
        else:
            raise StoreError(f"{self.name}: the connection was lost")
        self._lent.connection = connection
        try:
            yield
            self._commit(connection, number)
        finally:
            self._lent.connection = None
            self._give_back(connection)

    def _commit(self, connection: Connection, number: str) -> None:
        """Commit; where the connection is lost before the answer comes, ask the server what became of it.

        Example: the server commits and its answer is lost. Who takes that for a failure writes everything again, and
        counts it twice.
        """
        try:
            connection.execute("COMMIT")
        except psycopg.OperationalError:
            if not connection.broken or not number or not self._is_committed(number):
                raise

    def _is_committed(self, number: str) -> bool:
        """Say whether a transaction took effect, as soon as the server knows; it outlives a restart of the server.

        Raises :class:`CommitUnknownError` when the server does not know in :data:`LOST_AFTER_SECONDS`.
        """
        deadline = time.monotonic() + LOST_AFTER_SECONDS
        while True:
            with suppress(DatabaseError, psycopg.Error), connect(self._address) as asking:
                outcome = asking.execute(_OUTCOME, (number,)).fetchall()[0][0]
                if outcome in {"committed", "aborted"}:
                    return bool(outcome == "committed")
            if time.monotonic() > deadline:
                raise CommitUnknownError(f"{self.name}: the connection was lost while a change was being recorded")
            time.sleep(_ASK_AGAIN_SECONDS)

    def _give_back(self, connection: Connection) -> None:
        """Return a connection to the pool, without a transaction; a broken one is replaced there."""
        with suppress(psycopg.Error):
            connection.rollback()
        self._pool.putconn(connection)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (LockNotAvailable, DeadlockDetected) as error:
            raise StoreBusyError(f"{self.name}: another process holds the write lock: {_first(error)}") from None
        except PoolTimeout:
            raise StoreError(f"{self.name}: no connection within {CONNECT_SECONDS} seconds") from None
        except psycopg.Error as error:
            raise StoreError(f"{self.name}: {_first(error)}") from None


class ProcessPresence:
    """A lock under a random number that lives as long as this process, so that all hosts can tell whether it does."""

    def __init__(self, address: ServerAddress) -> None:
        """Take a number that nobody has; raise :class:`DatabaseError` when the server cannot be reached."""
        self._address = address
        self._lock = RLock()
        self.name = str(secrets.randbelow(2**31))
        """What stands for this process in a table."""
        self._connection = connect(address)
        self._take()

    def renew(self) -> None:
        """Take the number again where the connection was lost; meanwhile this process may have been taken for dead.

        Costs next to nothing while the connection is there: it is asked only after it has something to say, such as
        that the server has ended it. Raises :class:`DatabaseError` when the server cannot be reached.
        """
        with self._lock:
            if self._is_quiet():
                return
            with suppress(psycopg.Error):
                self._connection.execute("SELECT 1")
            if self._connection.broken or self._connection.closed:
                self._connection = connect(self._address)
                self._take()

    def _is_quiet(self) -> bool:
        try:
            waiting = poll()
            waiting.register(self._connection.fileno(), POLLIN)
            return not waiting.poll(0)
        except psycopg.Error:  # it is closed
            return False

    def release(self) -> None:
        """Let others see that this process is gone."""
        with self._lock, suppress(psycopg.Error):  # a server that has gone holds no lock
            self._connection.execute("SELECT pg_advisory_unlock_all()")
            self._connection.close()

    def _take(self) -> None:
        self._connection.execute("SELECT pg_advisory_lock(%s, %s)", (_OWNERS, int(self.name)))


def connect(address: ServerAddress) -> Connection:
    """Return a connection; raise :class:`DatabaseError`, which shows no password, when there is none to be had."""
    try:
        connection = psycopg.connect(address.url, **_OPTIONS)  # type: ignore[arg-type]
        _configure(connection)
        return connection
    except psycopg.ProgrammingError:  # its message may quote a part of the address
        raise DatabaseError(f"{address}: is no address of a PostgreSQL server") from None
    except psycopg.Error as error:
        raise DatabaseError(f"{address}: {_first(error)}") from None


def _configure(connection: Connection) -> None:
    """Tell the server when to take this host for gone."""
    connection.execute(_OF_SESSION, (_milliseconds(IDLE_SECONDS),))


def _translated(sql: str) -> str:
    """Return ``sql`` with the library's sign for a value; ours has no percent sign, and ``?`` for values alone."""
    return sql.replace("?", "%s")


def _storable(values: Sequence[Any]) -> list[Any]:
    """Return ``values`` as PostgreSQL's text type can hold them: it has no NUL and no half of a character."""
    return [
        value.replace("\0", "\ufffd").encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for value in values
    ]


def _milliseconds(seconds: float) -> str:
    """Return a time as the server takes it; 0 would mean for ever."""
    return f"{max(1, round(1000 * seconds))}ms"


def _first(error: Exception) -> str:
    """Return the first line of what the server says: the lines after it may quote a row."""
    return str(error).partition("\n")[0]
