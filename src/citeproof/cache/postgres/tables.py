"""The tables of the cache in PostgreSQL. Long texts are indexed by their hash: an index takes some 2,700 bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.cache.sql_verified import RECORD_COLUMNS, SOURCE_DATE
from citeproof.storage.layout import bring_up_to_date
from citeproof.storage.postgres import PostgresStore

if TYPE_CHECKING:
    from citeproof.server_address import ServerAddress

KIND = "cache"
LOCK_WAIT_SECONDS = 5.0
"""How long to wait for another run that writes: its writes take milliseconds."""
_OTHERS = ", ".join(f"{name} TEXT" for name in (*RECORD_COLUMNS, SOURCE_DATE) if name not in {"title", "year"})

MIGRATIONS = (
    (
        f"""CREATE TABLE scholar_results (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title TEXT NOT NULL,
            year INTEGER, created_at TEXT COLLATE "C" NOT NULL, {_OTHERS})""",
        """CREATE UNIQUE INDEX scholar_results_once
            ON scholar_results (md5(title), md5(coalesce(authors, '')), coalesce(year, 0))""",
        """CREATE TABLE search_results (source TEXT NOT NULL, query TEXT NOT NULL, position INTEGER NOT NULL,
            record TEXT, created_at TEXT COLLATE "C" NOT NULL)""",
        "CREATE UNIQUE INDEX search_results_once ON search_results (source, md5(query), position)",
    ),
)
"""Each step brings the tables from the version before it to its own number, counted from 1. Add, never edit."""


def open_cache(address: ServerAddress) -> PostgresStore:
    """Connect to ``address`` and bring both tables up to date; raise :class:`DatabaseError` where that fails."""
    store = PostgresStore(address, lock_wait=LOCK_WAIT_SECONDS)
    try:
        with store.writing():
            bring_up_to_date(store, KIND, MIGRATIONS)
    except BaseException:
        store.close()
        raise
    return store
