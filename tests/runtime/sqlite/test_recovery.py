"""Runs of dead processes are closed at the next start; runs of living ones are left alone."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

from citeproof.runtime.events import BatchRun, BatchSummary, Search
from citeproof.runtime.sqlite.store import SqliteRuntimeStore
from citeproof.storage.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.runtime import RuntimeStore

DYING = """
import os, signal, sys
from pathlib import Path
from citeproof.runtime.events import BatchRun, Search
from citeproof.runtime.sqlite.store import SqliteRuntimeStore
store = SqliteRuntimeStore(Path(sys.argv[1]))
store.start_run(BatchRun("dying", "r", 200, 5, 1)).result(10)
store.record_item("dying", 0, Search("a title", error=ValueError("x"))).result(10)
os.kill(os.getpid(), signal.SIGKILL)
"""


def runs(path: Path) -> list[tuple[Any, ...]]:
    store = Store(path)
    try:
        return store.execute(
            "SELECT id, status, error_message, total_processed, error_count FROM batch_runs ORDER BY id"
        )
    finally:
        store.close()


def test_a_killed_process_leaves_no_running_batch(path: Path) -> None:
    process = subprocess.run([sys.executable, "-c", DYING, str(path)], check=False)
    assert process.returncode == -9
    assert runs(path)[0][1] == "running"
    assert list(path.parent.glob("*.lock-*"))
    SqliteRuntimeStore(path).close()
    assert runs(path) == [("dying", "interrupted", "the server process ended before the batch did", 1, 1)]
    assert not list(path.parent.glob("*.lock-*"))


def test_the_running_batch_of_a_living_process_is_left_alone(store: RuntimeStore, path: Path, hit: Search) -> None:
    store.start_run(BatchRun("living", "r", 200, 1, 1)).result(5)
    SqliteRuntimeStore(path).close()
    assert runs(path) == [("living", "running", None, 0, 0)]
    store.record_item("living", 0, hit).result(5)
    store.complete_run("living", BatchSummary(1, 1, 0, 0, 1.0)).result(5)
    assert runs(path) == [("living", "completed", None, 1, 0)]


def test_recovery_is_logged(path: Path) -> None:
    subprocess.run([sys.executable, "-c", DYING, str(path)], check=False)
    SqliteRuntimeStore(path).close()
    store = Store(path)
    assert store.execute("SELECT level, event FROM event_logs") == [("warning", "batches_interrupted")]
    store.close()
