"""Open a database that citeproof writes, create and update its tables, and insert rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from citeproof.model.errors import DatabaseError, MissingExtraError
from citeproof.store.sql import ServerAddress

if TYPE_CHECKING:
    from citeproof.store.postgres import PostgresStore
    from citeproof.store.sqlite_store import SqliteStore

SqlStore: TypeAlias = "SqliteStore | PostgresStore"
"""A database that citeproof reads and writes, in SQLite or PostgreSQL.

The two classes have the same methods.
"""

# Maximum number of rows per ``INSERT`` statement. Each statement acquires Python's global lock, so
# larger statements are faster. But the database engine caches a separate prepared statement for
# each number of rows.
_ROWS_PER_INSERT = 32


def open_server(address: ServerAddress, lock_wait: float, use: str) -> PostgresStore:
    """Connect to a PostgreSQL server. A write waits at most ``lock_wait`` seconds for a lock.

    ``use`` says what the server is used for, such as "a cache in PostgreSQL". If the PostgreSQL
    library is not installed, the error message names this use.
    """
    try:
        from citeproof.store.postgres import PostgresStore
    except ImportError as error:
        raise MissingExtraError(use, "postgres", error.name) from None
    return PostgresStore(address, lock_wait=lock_wait)


def insert_rows(
    store: SqlStore, insert: str, rows: Sequence[Sequence[Any]], conflict: str = ""
) -> None:
    """Insert ``rows``, which must have equal length, with few SQL statements. ``insert`` is the
    beginning of the statements, and ``conflict`` an ``ON CONFLICT`` clause for their end.

    Example: ``insert_rows(store, "INSERT INTO t", [(1, 2), (3, 4)])`` runs
    ``INSERT INTO t VALUES (?, ?), (?, ?)``.
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
    """Run those of ``migrations`` that have not yet run on the tables of ``kind``, such as
    ``cache``. Call inside ``store.writing()``.

    Migration N changes the tables from version N - 1 to version N. The table ``citeproof_layouts``
    has the present version. Example: a host with 3 migrations changes the tables to version 3.
    Hosts with 2 migrations can still use the tables. A host with only 1 migration raises
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
