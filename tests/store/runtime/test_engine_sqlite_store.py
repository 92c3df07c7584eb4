"""The files of a runtime store in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import DatabaseError, StoreBusyError
from citeproof.store.runtime.store import RuntimeStore
from citeproof.store.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.store.runtime.store import Search


def test_close_leaves_no_lock_file(path: Path) -> None:
    RuntimeStore(path).close()
    assert {file.name for file in path.parent.iterdir()} <= {
        "runtime.db",
        "runtime.db-wal",
        "runtime.db-shm",
    }


def test_record_single_and_statistics_fail_after_the_file_was_removed(
    path: Path, hit: Search, caplog: pytest.LogCaptureFixture
) -> None:
    store = RuntimeStore(path)
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


def test_close_waits_for_the_lock_until_its_time_out(path: Path, hit: Search) -> None:
    store = RuntimeStore(path)
    locker = SqliteStore(path)
    with locker.writing():
        event = store.record_single("r", 1, hit)
        store.close(0.1)
        with pytest.raises(StoreBusyError):
            event.result(0)
    locker.close()


def test_prune_fails_while_another_process_holds_the_lock(path: Path) -> None:
    store = RuntimeStore(path)
    locker = SqliteStore(path)
    with locker.writing(), pytest.raises(StoreBusyError):
        store.prune(1)
    locker.close()
    store.close()
