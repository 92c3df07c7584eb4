"""Events, batches and statistics, in both engines."""

from __future__ import annotations

from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import StoreBusyError
from citeproof.store.runtime.store import COUNTERS, TABLES, BatchRun, BatchSummary, Search

if TYPE_CHECKING:
    from citeproof.store.runtime.store import RuntimeStore
    from tests.store.runtime.conftest import Engine


def test_statistics_of_an_empty_store_are_zero(store: RuntimeStore) -> None:
    statistics = store.statistics()
    assert statistics.counters == dict.fromkeys(COUNTERS, 0)
    assert statistics.tables == dict.fromkeys(TABLES, 0)
    assert len(statistics.hours) == 24


def test_record_single_stores_searches_and_counts_them(
    store: RuntimeStore, engine: Engine, hit: Search, miss: Search
) -> None:
    failed = Search("Broken", error=ValueError("because"))
    for request_id, search in (("r1", hit), ("r2", miss), ("r3", failed)):
        store.record_single(request_id, 5, search).result(5)
    counters = store.statistics().counters
    assert counters["single_search_requests"] == 3
    assert counters["single_search_found"] == 1
    assert counters["single_search_errors"] == 1
    sql = (
        "SELECT request_id, title, found, matched_key, max_candidates, error FROM"
        " single_search_events ORDER BY id"
    )
    assert engine.rows(sql) == [
        ("r1", "A title", 1, "conf/x/1", 5, None),
        ("r2", "Another", 0, None, 5, None),
        ("r3", "Broken", 0, None, 5, "ValueError: because"),
    ]


def test_complete_run_stores_a_batch_and_counts_it(
    store: RuntimeStore, engine: Engine, hit: Search, miss: Search
) -> None:
    run = BatchRun(token_hex(16), "r1", 200, 3, 5)
    store.start_run(run).result(5)
    assert engine.rows("SELECT status FROM batch_runs") == [("running",)]
    for position, search in enumerate((hit, miss)):
        store.record_item(run.run_id, position, search).result(5)
    store.complete_run(run.run_id, BatchSummary(2, 1, 1, 0, 12.5)).result(5)
    sql = (
        "SELECT status, error_message, total_input, total_processed, found_count, not_found_count"
        " FROM batch_runs"
    )
    assert engine.rows(sql) == [("completed", None, 3, 2, 1, 1)]
    assert engine.rows("SELECT run_id, position, title, found FROM batch_items ORDER BY id") == [
        (run.run_id, 0, "A title", 1),
        (run.run_id, 1, "Another", 0),
    ]
    counters = store.statistics().counters
    assert counters["batch_search_requests"] == 1
    assert counters["batch_search_items_total"] == 2
    assert counters["batch_search_found_total"] == 1


def test_abandon_run_stores_its_reason(store: RuntimeStore, engine: Engine) -> None:
    run = BatchRun(token_hex(16), "r1", 200, 3, 5)
    store.start_run(run).result(5)
    store.abandon_run(run, "failed", "the store stayed locked", 0.0)
    store.count_page_view().result(5)
    assert engine.rows("SELECT status, error_message FROM batch_runs") == [
        ("failed", "the store stayed locked")
    ]


def test_abandon_run_counts_the_titles_that_were_written(
    store: RuntimeStore, engine: Engine, hit: Search
) -> None:
    run = BatchRun(token_hex(16), "r1", 200, 3, 5)
    store.start_run(run).result(5)
    store.record_item(run.run_id, 0, hit).result(5)
    with engine.locked():
        cut_off = store.record_item(run.run_id, 1, hit)
        with pytest.raises(StoreBusyError):
            cut_off.result(5)
        store.abandon_run(run, "failed", "the store stayed locked", 1.0)
    store.count_page_view().result(5)
    sql = (
        "SELECT status, total_processed, found_count, not_found_count, error_count FROM batch_runs"
    )
    assert engine.rows(sql) == [("failed", 1, 1, 0, 0)]
    assert engine.rows("SELECT count(*) FROM batch_items") == [(1,)]
    counters = store.statistics().counters
    assert counters["batch_search_requests"] == counters["batch_search_items_total"] == 1
    assert counters["batch_search_found_total"] == 1


def test_abandon_run_stores_a_batch_without_a_start(store: RuntimeStore, engine: Engine) -> None:
    run = BatchRun(token_hex(16), "r1", 200, 3, 5)
    store.abandon_run(run, "failed", "the store stayed locked", 0.0)
    store.count_page_view().result(5)
    assert engine.rows("SELECT id, status, total_input FROM batch_runs") == [
        (run.run_id, "failed", 3)
    ]


def test_abandon_run_before_its_start_is_written_leaves_no_running_batch(
    store: RuntimeStore, engine: Engine
) -> None:
    run, other = (BatchRun(token_hex(16), "r1", 200, 3, 5) for _ in range(2))
    with engine.locked():
        store.start_run(run)
        store.abandon_run(run, "interrupted", "stopped", 0.0)
        started = store.start_run(other)
    started.result(5)
    assert dict(engine.rows("SELECT id, status FROM batch_runs")) == {
        run.run_id: "interrupted",
        other.run_id: "running",
    }


def test_statistics_count_searches_by_hour(engine: Engine, hit: Search, miss: Search) -> None:
    moment = datetime(2026, 3, 1, 0, 30, tzinfo=UTC)
    store = engine.open(clock=lambda: moment)
    store.record_single("a", 1, hit).result(5)
    moment = datetime(2026, 3, 1, 1, 0, tzinfo=UTC)
    store.record_single("b", 1, miss).result(5)
    moment = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
    hours = store.statistics().hours
    assert [(hour.hour, hour.searches, hour.found) for hour in hours[:2]] == [
        ("2026-03-01T00:00Z", 1, 1),
        ("2026-03-01T01:00Z", 1, 0),
    ]
    moment = datetime(2026, 3, 2, 0, 0, tzinfo=UTC)
    assert sum(hour.searches for hour in store.statistics().hours) == 1
    store.close()


def test_close_writes_queued_changes(engine: Engine, hit: Search) -> None:
    store = engine.open()
    events = [store.record_single(str(number), 1, hit) for number in range(500)]
    store.close()
    assert all(event.done() for event in events)
    assert engine.rows("SELECT count(*) FROM single_search_events") == [(500,)]


def test_record_item_after_a_restart_of_the_server_keeps_the_batch_running(
    store: RuntimeStore, engine: Engine, hit: Search
) -> None:
    run = BatchRun(token_hex(16), "r1", 200, 2, 5)
    store.start_run(run).result(5)
    engine.restart()
    store.record_item(run.run_id, 0, hit).result(5)
    engine.open().close()
    assert engine.rows("SELECT status FROM batch_runs") == [("running",)]
