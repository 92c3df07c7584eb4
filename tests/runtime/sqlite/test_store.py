"""What is particular to the SQLite engine: the files in its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.runtime.sqlite.store import SqliteRuntimeStore

if TYPE_CHECKING:
    from pathlib import Path


def test_no_lock_is_left_behind(path: Path) -> None:
    SqliteRuntimeStore(path).close()
    assert {file.name for file in path.parent.iterdir()} <= {"runtime.db", "runtime.db-wal", "runtime.db-shm"}
