"""Pruning deletes old events, keeps counters and running batches, and overwrites text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from citeproof.store.runtime import store as runtime_store
from citeproof.store.runtime.store import BatchRun, BatchSummary, RuntimeStore, Search

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.store.runtime.conftest import Engine

START = datetime(2026, 1, 1, tzinfo=UTC)


def test_prune_deletes_old_events_only(
    engine: Engine, hit: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_store, "_PRUNED_AT_ONCE", 3)
    moment = START
    store = engine.open(clock=lambda: moment)
    for number in range(10):
        store.record_single(str(number), 1, hit).result(5)
    for run_id, done in (("done", True), ("open", False)):
        store.start_run(BatchRun(run_id, "r", 200, 1, 1)).result(5)
        store.record_item(run_id, 0, hit).result(5)
        if done:
            store.complete_run(run_id, BatchSummary(1, 1, 0, 0, 1.0)).result(5)
    store.log("info", "old", "an old event")
    moment = START + timedelta(days=30)
    store.record_single("new", 1, hit).result(5)
    assert store.prune(30.5) == 0
    assert store.prune(29.5) == 13
    statistics = store.statistics()
    tables = dict(statistics.tables)
    assert tables.pop("runtime_counters") == 5
    assert {name: rows for name, rows in tables.items() if rows} == {
        "single_search_events": 1,
        "batch_runs": 1,
        "batch_items": 1,
    }
    assert statistics.counters["single_search_requests"] == 11
    store.complete_run("open", BatchSummary(1, 1, 0, 0, 1.0)).result(5)
    store.close()


def test_prune_overwrites_titles_in_the_file(path: Path, hit: Search) -> None:
    moment = START
    store = RuntimeStore(path, clock=lambda: moment)
    store.record_single("r", 1, Search("An unmistakable confidential title", hit.lookup)).result(5)
    assert b"unmistakable" in written(path.parent)
    moment = START + timedelta(days=2)
    store.prune(1)
    store.close()
    assert b"unmistakable" not in written(path.parent)


def written(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())
