"""A connection to the runtime store keeps little of the file in memory, however much is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from citeproof.runtime.sqlite.file import connect
from citeproof.storage.store import Store

if TYPE_CHECKING:
    from pathlib import Path

ROWS, ROW = 3_000, "x" * 1_000


def test_three_megabytes_of_records_leave_less_than_half_a_megabyte_in_memory(tmp_path: Path) -> None:
    assert _kept(Store(tmp_path / "plain.db")) > 1_500_000, "else this shows nothing"
    assert 0 < _kept(connect(tmp_path / "runtime.db", 1.0)) < 500_000


def _kept(store: Store) -> int:
    """Return by how many bytes SQLite's memory grows while records are written."""
    store.execute("CREATE TABLE events (title TEXT)")
    before = apsw.memory_used()
    for _ in range(ROWS // 100):
        store.execute_many("INSERT INTO events VALUES (?)", [(ROW,)] * 100)
    grown = apsw.memory_used() - before
    store.close()
    return grown
