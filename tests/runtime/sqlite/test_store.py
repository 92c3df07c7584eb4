"""What is particular to the SQLite engine: the files in its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.errors import DatabaseError, StoreBusyError
from citeproof.runtime.sqlite.store import SqliteRuntimeStore
from citeproof.storage.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.runtime.events import Search


def test_no_lock_is_left_behind(path: Path) -> None:
    SqliteRuntimeStore(path).close()
    assert {file.name for file in path.parent.iterdir()} <= {"runtime.db", "runtime.db-wal", "runtime.db-shm"}


def test_a_store_that_was_removed_takes_no_record_and_says_so(
    path: Path, hit: Search, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqliteRuntimeStore(path)
    for file in path.parent.glob("runtime.db*"):
        if ".lock-" not in file.name:
            file.unlink()
    with pytest.raises(DatabaseError, match="was removed or replaced"):
        store.record_single("r", 1, hit).result(5)
    with pytest.raises(DatabaseError, match="was removed or replaced"):
        store.statistics()
    assert "was removed or replaced" in caplog.text
    assert not path.exists()
    store.close()


def test_closing_waits_for_the_lock_as_long_as_it_is_told(path: Path, hit: Search) -> None:
    store = SqliteRuntimeStore(path)
    locker = Store(path)
    with locker.writing():
        event = store.record_single("r", 1, hit)
        store.close(0.1)
        with pytest.raises(StoreBusyError):
            event.result(0)
    locker.close()


def test_old_events_wait_while_another_process_holds_the_lock(path: Path) -> None:
    store = SqliteRuntimeStore(path)
    locker = Store(path)
    with locker.writing(), pytest.raises(StoreBusyError):
        store.prune(1)
    locker.close()
    store.close()
