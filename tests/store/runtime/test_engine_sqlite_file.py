"""The page cache of a connection to the runtime store is small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from citeproof.store.opening import insert_rows
from citeproof.store.runtime.engine import CACHE_KIB
from citeproof.store.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

ROWS, ROW = 3_000, "x" * 1_000


def test_cache_kib_limits_the_memory_of_a_connection(tmp_path: Path) -> None:
    assert _kept(SqliteStore(tmp_path / "plain.db")) > 1_500_000, "else this shows nothing"
    assert 0 < _kept(SqliteStore(tmp_path / "runtime.db", cache_kib=CACHE_KIB)) < 500_000


def _kept(store: SqliteStore) -> int:
    """Return the growth of SQLite's memory in bytes while 3 MB are written."""
    store.execute("CREATE TABLE events (title TEXT)")
    before = apsw.memory_used()
    for _ in range(ROWS // 100):
        insert_rows(store, "INSERT INTO events", [(ROW,)] * 100)
    grown = apsw.memory_used() - before
    store.close()
    return grown
