"""The file of the cache: opened only if it is one, with both tables in their newest layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.cache.sql_verified import RECORD_COLUMNS, SOURCE_DATE
from citeproof.errors import DatabaseError
from citeproof.storage.store import Store, contents

if TYPE_CHECKING:
    from pathlib import Path

APPLICATION_ID = 0x63697463
"""Marks the file as a cache (``PRAGMA application_id``): the letters ``citc``."""
LAYOUT = 2
"""The number of the newest layout (``PRAGMA user_version``)."""
TABLES = frozenset({"scholar_results", "search_results"})
LOCK_WAIT_SECONDS = 5.0
"""How long to wait for another run that writes to the same file: its writes take milliseconds."""

_SEARCH_RESULTS = """
CREATE TABLE IF NOT EXISTS search_results (
    source TEXT NOT NULL, query TEXT NOT NULL, position INTEGER NOT NULL, record TEXT, created_at TEXT NOT NULL,
    PRIMARY KEY (source, query, position)
) WITHOUT ROWID"""
_SCHOLAR_RESULTS = """
CREATE TABLE IF NOT EXISTS scholar_results (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, authors TEXT, year INTEGER, created_at TEXT NOT NULL
)"""
_UNIQUE = """
CREATE UNIQUE INDEX IF NOT EXISTS scholar_results_once
ON scholar_results (title, ifnull(authors, ''), ifnull(year, 0))"""
_ONCE = """
DELETE FROM scholar_results WHERE rowid NOT IN (
    SELECT max(rowid) FROM scholar_results GROUP BY title, ifnull(authors, ''), ifnull(year, 0)
)"""


def open_cache_file(path: Path) -> Store:
    """Open or create the cache at ``path``.

    A cache of an older layout gains the columns that it lacks and loses what it holds twice. Raises
    :class:`DatabaseError` for a file of anything else, which stays as it is.
    """
    _refuse_foreign(path)
    store = Store(path, lock_wait=LOCK_WAIT_SECONDS)
    try:
        if store.execute("PRAGMA user_version")[0][0] < LAYOUT:  # else nothing is written, and no lock waited for
            with store.writing():
                _bring_up_to_date(store)
    except BaseException:
        store.close()
        raise
    return store


def _refuse_foreign(path: Path) -> None:
    """Raise :class:`DatabaseError` unless ``path`` is a cache, or no file yet.

    Caches of before there was an application id are known by their tables.
    """
    found = contents(path)
    older = found is not None and found.application_id == 0 and found.tables <= TABLES
    if not older and (found is None or found.application_id != APPLICATION_ID):
        raise DatabaseError(f"{path}: is not a verification cache; name another file with --cache")


def _bring_up_to_date(store: Store) -> None:
    store.execute(_SEARCH_RESULTS)
    store.execute(_SCHOLAR_RESULTS)
    present = {row[1] for row in store.execute("PRAGMA table_info(scholar_results)")}
    for column in (*RECORD_COLUMNS, SOURCE_DATE):
        if column not in present:
            store.execute(f"ALTER TABLE scholar_results ADD COLUMN {column} TEXT")
    if not store.execute("SELECT 1 FROM sqlite_schema WHERE name = 'scholar_results_once'"):
        store.execute(_ONCE)
        store.execute(_UNIQUE)
    store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    store.execute(f"PRAGMA user_version = {LAYOUT}")
