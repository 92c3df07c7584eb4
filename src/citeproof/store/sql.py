"""Functions for SQLite and PostgreSQL: parse server addresses, insert rows, and create and update
tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from citeproof.model.errors import ConfigurationError, DatabaseError, MissingExtraError

if TYPE_CHECKING:
    from citeproof.store.postgres import PostgresStore
    from citeproof.store.sqlite_store import SqliteStore

SqlStore: TypeAlias = "SqliteStore | PostgresStore"
"""A database that citeproof reads and writes, in SQLite or PostgreSQL.

The two classes have the same methods.
"""

LOCK_WAIT_SECONDS = 30.0
"""Default time-out, in seconds, of a write that waits for the lock of another process."""
# Maximum number of rows per ``INSERT`` statement. Each statement takes Python's global lock again,
# but each number of rows needs a prepared statement of its own in the cache of the engine.
_ROWS_PER_INSERT = 32
# Regex of the start of a URL of another kind: ``mysql://host/db``, or ``mysql:/host/db`` if it
# became a path.
_OTHER_SCHEME = re.compile(r"(?!postgres)[A-Za-z][A-Za-z0-9+.-]+:/")


class StoreError(DatabaseError):
    """Raised if a :data:`SqlStore` cannot be read or written.

    Results from other databases are not affected.
    """


class CommitUnknownError(StoreError):
    """Raised if the connection was lost and it is unknown whether a transaction was committed.

    Do not retry.
    """


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of a PostgreSQL server, such as
    ``postgresql://user:password@host:port/database?options``.
    """

    url: str = field(repr=False)  # the address with the password; not for messages or logs

    def __str__(self) -> str:
        """Return the address without password and options, for messages."""
        parts = urlsplit(self.url)
        user, at, host = parts.netloc.rpartition("@")
        return f"postgresql://{user.partition(':')[0]}{at}{host}{parts.path}"


def file_or_server(subject: str, place: object) -> Path | ServerAddress:
    """Parse ``place`` as the URL of a PostgreSQL server or as a file path.

    Error messages begin with ``subject``.
    """
    # Messages show no part of the address: in ``postgres://u:p@ss@host/db``, a part of the password
    # looks like a host.
    if isinstance(place, ServerAddress):
        return place
    text = str(place)
    if _OTHER_SCHEME.match(text):
        scheme = text.partition(":")[0]
        raise ConfigurationError(
            f"{subject}: {scheme} is not supported; name a file, or a server as postgresql://..."
        )
    if not text.startswith(("postgresql:", "postgres:", "postgresql+")):
        return Path(text)
    if not text.startswith(("postgresql://", "postgres://")):
        raise ConfigurationError(
            f"{subject}: write the address as postgresql://user:password@host:port/database"
        )
    before_options = text.partition("?")[0]
    if (
        before_options.count("@") > urlsplit(text).netloc.count("@")
        or before_options.count("@") > 1
        or "#" in text
    ):
        raise ConfigurationError(
            f"{subject}: the address cannot be understood; write @ / : ? # of a password as %40 %2F"
            " %3A %3F %23"
        )
    return ServerAddress(text)


def open_server(address: ServerAddress, lock_wait: float, use: str) -> PostgresStore:
    """Connect to a PostgreSQL server.

    If the library is not installed, the error message names the purpose ``use``.
    """
    try:
        from citeproof.store.postgres import PostgresStore
    except ImportError as error:
        raise MissingExtraError(use, "postgres", error.name) from None
    return PostgresStore(address, lock_wait=lock_wait)


@contextmanager
def on_failure(undo: Callable[[], object]) -> Iterator[None]:
    """Context manager that calls ``undo`` if the block raises an exception."""
    try:
        yield
    except BaseException:
        undo()
        raise


def insert_rows(
    store: SqlStore, insert: str, rows: Sequence[Sequence[Any]], conflict: str = ""
) -> None:
    """Insert ``rows`` of equal length with few SQL statements.

    ``conflict`` is an ``ON CONFLICT`` clause.

    Example: ``insert_rows(store, "INSERT INTO t", [(1, 2), (3, 4)])`` runs ``INSERT INTO t VALUES
    (?, ?), (?, ?)``.
    """
    for first in range(0, len(rows), _ROWS_PER_INSERT):
        chunk = rows[first : first + _ROWS_PER_INSERT]
        row = f"({', '.join('?' * len(chunk[0]))})"
        store.execute(
            f"{insert} VALUES {', '.join([row] * len(chunk))} {conflict}",
            list(chain.from_iterable(chunk)),
        )


_LAYOUTS = """CREATE TABLE IF NOT EXISTS citeproof_layouts (
    store TEXT PRIMARY KEY, version INTEGER NOT NULL, oldest INTEGER NOT NULL)"""


def migrate(store: SqlStore, kind: str, migrations: Sequence[Sequence[str]]) -> None:
    """Run new ``migrations`` on the tables of ``kind``, such as ``cache``.

    Call inside ``store.writing()``.

    Migration N changes the tables from version N - 1 to version N. The table ``citeproof_layouts``
    has the version. Example: a host with 3 migrations changes the tables to version 3. Hosts with 2
    migrations can still use the tables. A host with only 1 migration raises
    :class:`~citeproof.model.errors.DatabaseError`.
    """
    store.execute(_LAYOUTS)
    known = store.execute("SELECT version, oldest FROM citeproof_layouts WHERE store = ?", (kind,))
    version, oldest = known[0] if known else (0, 0)
    newest = len(migrations)
    if oldest > newest:
        raise DatabaseError(
            f"{store.name}: has layout {version} of the {kind} store, written by a newer citeproof;"
            f" this one knows layouts up to {newest}. Update citeproof"
        )
    for statement in chain.from_iterable(migrations[version:]):
        store.execute(statement)
    if version < newest:
        store.execute(
            "INSERT INTO citeproof_layouts (store, version, oldest) VALUES (?, ?, ?) ON CONFLICT"
            " (store) DO UPDATE SET version = excluded.version, oldest = excluded.oldest",
            (kind, newest, max(newest - 1, 1)),
        )
