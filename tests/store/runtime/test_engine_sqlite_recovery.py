"""At the start, running batches of dead processes are marked as interrupted."""

from __future__ import annotations

import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.store.runtime.store import BatchRun, BatchSummary, RuntimeStore, Search
from citeproof.store.sqlite_store import SqliteStore
from tests.store.runtime.conftest import SqliteEngine

if TYPE_CHECKING:
    from pathlib import Path


DYING = """
import os, signal, sys
from pathlib import Path
from citeproof.store.runtime.store import BatchRun, Search
from citeproof.store.runtime.store import RuntimeStore
store = RuntimeStore(Path(sys.argv[1]))
store.start_run(BatchRun("dying", "r", 200, 5, 1)).result(10)
store.record_item("dying", 0, Search("a title", error=ValueError("x"))).result(10)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def engine(tmp_path: Path) -> SqliteEngine:
    return SqliteEngine(tmp_path)


def runs(path: Path) -> list[tuple[Any, ...]]:
    store = SqliteStore(path)
    try:
        return store.execute(
            "SELECT id, status, error_message, total_processed, error_count FROM batch_runs ORDER"
            " BY id"
        )
    finally:
        store.close()


def test_runtime_store_interrupts_the_batch_of_a_killed_process(path: Path) -> None:
    process = subprocess.run([sys.executable, "-c", DYING, str(path)], check=False)
    assert process.returncode == -9
    assert runs(path)[0][1] == "running"
    assert list(path.parent.glob("*.lock-*"))
    again = RuntimeStore(path)
    counters = again.statistics().counters
    again.close()
    assert counters["batch_search_requests"] == counters["batch_search_items_total"] == 1
    assert counters["batch_search_found_total"] == 0
    RuntimeStore(path).close()  # which counts nothing twice
    assert runs(path) == [
        ("dying", "interrupted", "the server process ended before the batch did", 1, 1)
    ]
    assert not list(path.parent.glob("*.lock-*"))


def test_runtime_store_keeps_the_running_batch_of_a_live_process(
    store: RuntimeStore, path: Path, hit: Search
) -> None:
    store.start_run(BatchRun("living", "r", 200, 1, 1)).result(5)
    RuntimeStore(path).close()
    assert runs(path) == [("living", "running", None, 0, 0)]
    store.record_item("living", 0, hit).result(5)
    store.complete_run("living", BatchSummary(1, 1, 0, 0, 1.0)).result(5)
    assert runs(path) == [("living", "completed", None, 1, 0)]


@pytest.mark.parametrize("completes", [True, False])
def test_close_a_batch_whose_process_was_taken_for_dead_is_counted_once(
    store: RuntimeStore, path: Path, hit: Search, completes: bool
) -> None:
    run = BatchRun("living", "r", 200, 2, 1)
    store.start_run(run).result(5)
    store.record_item("living", 0, hit).result(5)
    for lock in path.parent.glob("*.lock-*"):
        lock.unlink()
    RuntimeStore(path).close()
    assert runs(path)[0][1] == "interrupted"
    store.record_item("living", 1, hit).result(5)
    if completes:
        store.complete_run("living", BatchSummary(2, 2, 0, 0, 1.0)).result(5)
    else:
        store.abandon_run(run, "failed", "a fault", 1.0)
    store.count_page_view().result(5)
    counters = store.statistics().counters
    assert counters["batch_search_requests"] == 1
    assert counters["batch_search_items_total"] == counters["batch_search_found_total"] == 2


def test_runtime_store_logs_interrupted_batches(path: Path) -> None:
    subprocess.run([sys.executable, "-c", DYING, str(path)], check=False)
    RuntimeStore(path).close()
    store = SqliteStore(path)
    assert store.execute("SELECT level, event FROM event_logs") == [
        ("warning", "batches_interrupted")
    ]
    store.close()


def test_files_beside_the_store_can_be_read_by_their_owner_only(
    store: RuntimeStore, path: Path
) -> None:
    (lock,) = path.parent.glob("*.lock-*")
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600
