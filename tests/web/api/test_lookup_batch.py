"""``POST /api/search/title/batch``: summary, items, and every row of its error table."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import pytest
from starlette.requests import Request

from citeproof.model.errors import DatabaseError, StoreBusyError
from citeproof.store.sql import CommitUnknownError
from citeproof.store.sqlite_store import SqliteStore
from citeproof.web.api.lookup import search_batch
from citeproof.web.api.shapes import TitleBatch

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

    from citeproof.store.runtime.store import BatchSummary, RuntimeStore
    from citeproof.web.backend import Backend

URL = "/api/search/title/batch"
FOUND = "Attention is All you Need"


def test_batch_returns_summary_and_items(client: TestClient) -> None:
    titles = ["No such title", f"  {FOUND.upper()} ", "", FOUND, "fail here", " \t"]
    answer = client.post(URL, json={"titles": titles, "max_candidates": 7})
    assert answer.status_code == 200
    body = answer.json()
    summary = body["summary"]
    assert len(summary.pop("run_id")) == 32
    assert summary.pop("duration_ms") > 0
    assert summary == {
        "limit": 200,
        "total_input": 6,
        "total_processed": 3,
        "found_count": 1,
        "not_found_count": 1,
        "error_count": 1,
        "max_candidates": 7,
    }
    items = body["items"]
    assert [(item["index"], item["query_title"], item["found"]) for item in items] == [
        (0, "No such title", False),
        (1, FOUND.upper(), True),
        (4, "fail here", False),
    ]
    assert items[0]["nearest"]
    assert items[0]["error"] is None
    assert items[1]["title"] == FOUND
    assert items[1]["index_used"] == "word_index"
    assert "failed" in items[2]["error"]


def test_batch_drops_repeated_titles_ignoring_case(client: TestClient) -> None:
    body = client.post(URL, json={"titles": ["Straße", "STRASSE", "strasse  ", "Strasse 2"]}).json()
    assert [item["query_title"] for item in body["items"]] == ["Straße", "Strasse 2"]


def test_batch_is_recorded(client: TestClient, store: RuntimeStore, tmp_path: Path) -> None:
    body = client.post(URL, json={"titles": [FOUND, "None such", "fail"]}).json()
    statistics = store.statistics()
    assert statistics.counters["batch_search_requests"] == 1
    assert statistics.counters["batch_search_items_total"] == 3
    assert statistics.counters["batch_search_found_total"] == 1
    assert statistics.tables["batch_items"] == 3
    reader = SqliteStore(tmp_path / "runtime.db")
    assert reader.execute("SELECT id, status, total_processed, error_count FROM batch_runs") == [
        (body["summary"]["run_id"], "completed", 3, 1)
    ]
    errors = [row[0] for row in reader.execute("SELECT error FROM batch_items ORDER BY position")]
    assert errors == [None, None, "RuntimeError: cannot look up fail"]
    reader.close()


@pytest.mark.parametrize("titles", [[], [""], [" ", "\n\t"]])
def test_batch_without_a_title_is_400(client: TestClient, titles: list[str]) -> None:
    assert_problem(client.post(URL, json={"titles": titles}), 400, "no title")


def test_batch_of_too_many_titles_is_400(client: TestClient) -> None:
    titles = [f"Title {number}" for number in range(201)]
    assert_problem(client.post(URL, json={"titles": titles}), 400, "Batch size exceeds limit")


def test_batch_limit_counts_different_titles(client: TestClient) -> None:
    titles = [f"Title {number}" for number in range(200)]
    answer = client.post(URL, json={"titles": [*titles, *titles, ""]})
    assert answer.status_code == 200
    assert answer.json()["summary"]["total_processed"] == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"titles": "one"},
        {"titles": None},
        {"titles": [1]},
        {"titles": ["ok", None]},
        {"titles": ["ok", "x" * 2001]},
        {"titles": ["ok"], "max_candidates": 0},
        {"titles": ["ok"], "max_candidates": 500_001},
        {"titles": ["ok"], "max_candidates": "many"},
        [],
    ],
)
def test_batch_with_an_invalid_body_is_422(
    client: TestClient, store: RuntimeStore, body: Any
) -> None:
    assert_problem(client.post(URL, json=body), 422, "cannot be used")
    assert store.statistics().tables["batch_runs"] == 0


def test_batch_without_a_database_is_404(client: TestClient, database_file: Path) -> None:
    database_file.unlink()
    assert_problem(client.post(URL, json={"titles": ["a"]}), 404, "does not exist")


def test_batch_over_one_mebibyte_is_413(client: TestClient) -> None:
    assert_problem(client.post(URL, json={"titles": ["x" * 1999] * 600}), 413, "1 MiB")


def test_batch_of_unknown_length_over_one_mebibyte_is_413(client: TestClient) -> None:
    chunks = (b" " * 65536 for _ in range(17))
    answer = client.post(URL, content=chunks, headers={"Content-Type": "application/json"})
    assert_problem(answer, 413, "1 MiB")


def test_batch_of_exactly_one_mebibyte_is_read(client: TestClient) -> None:
    content = b'{"titles": ["a"]}'.ljust(1024 * 1024)
    answer = client.post(URL, content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StoreBusyError("locked"), "locked by another process"),
        (DatabaseError("disk is full"), "cannot be written"),
    ],
)
def test_batch_fails_and_records_why_if_the_store_refuses(
    client: TestClient,
    store: RuntimeStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    words: str,
) -> None:
    refused: Future[None] = Future()
    refused.set_exception(error)
    monkeypatch.setattr(store, "record_item", lambda *_: refused)
    assert_problem(client.post(URL, json={"titles": ["a", "b"]}), 500, words)
    store.count_page_view().result(5)
    reader = SqliteStore(tmp_path / "runtime.db")
    status, message = reader.execute("SELECT status, error_message FROM batch_runs")[0]
    reader.close()
    assert status == "failed"
    assert words in message


def test_search_batch_records_no_second_end_when_the_commit_of_the_first_is_unknown(
    client: TestClient, store: RuntimeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown: Future[None] = Future()
    unknown.set_exception(CommitUnknownError("the connection was lost"))
    ends = []
    monkeypatch.setattr(store, "complete_run", lambda *_: unknown)
    monkeypatch.setattr(store, "abandon_run", lambda *given: ends.append(given))
    assert_problem(
        client.post(URL, json={"titles": ["a"]}), 500, "not known whether this request was recorded"
    )
    assert ends == []


def test_search_batch_cancelled_while_its_completion_is_queued_is_completed_and_counted_once(
    backend: Backend, store: RuntimeStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cancelled() -> None:
        complete, queued = store.complete_run, asyncio.Event()

        def never_acknowledged(run_id: str, summary: BatchSummary) -> Future[None]:
            complete(run_id, summary).result(5)
            queued.set()
            return Future()

        monkeypatch.setattr(store, "complete_run", never_acknowledged)
        request = Request({"type": "http", "request_id": "r"})
        batch = asyncio.create_task(search_batch(backend, request, TitleBatch(titles=["a", "b"])))
        await queued.wait()
        batch.cancel()
        with pytest.raises(asyncio.CancelledError):
            await batch

    asyncio.run(cancelled())
    store.count_page_view().result(5)  # written after whatever was queued before
    reader = SqliteStore(tmp_path / "runtime.db")
    assert reader.execute("SELECT status FROM batch_runs") == [("completed",)]
    counters = dict(reader.execute("SELECT name, value FROM runtime_counters"))
    reader.close()
    assert (counters["batch_search_requests"], counters["batch_search_items_total"]) == (1, 2)


def test_batch_records_a_lock_time_out_at_its_start(
    client: TestClient, tmp_path: Path, hold_lock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with hold_lock(tmp_path / "runtime.db"):
        assert_problem(client.post(URL, json={"titles": ["a"]}), 500, "locked by another process")
    assert "another process holds the write lock" in caplog.text
    client.get("/")  # whatever was owed before it is written by then
    reader = SqliteStore(tmp_path / "runtime.db")
    ((status, message),) = reader.execute("SELECT status, error_message FROM batch_runs")
    assert reader.execute(
        "SELECT value FROM runtime_counters WHERE name = 'batch_search_requests'"
    ) == [(1,)]
    reader.close()
    assert status == "failed"
    assert "locked by another process" in message


def test_batch_over_an_unreadable_database_is_recorded_as_failed(
    client: TestClient, tmp_path: Path, database_file: Path
) -> None:
    database_file.write_text("something else")
    assert_problem(client.post(URL, json={"titles": ["a", "b"]}), 500, "database cannot be read")
    client.get("/")
    reader = SqliteStore(tmp_path / "runtime.db")
    runs = reader.execute(
        "SELECT status, error_message, total_processed, error_count FROM batch_runs"
    )
    reader.close()
    assert [(run[0], *run[2:]) for run in runs] == [("failed", 2, 2)]
    assert "database cannot be read" in runs[0][1]


def assert_problem(answer: Any, status: int, words: str) -> None:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-request-id"]
    assert words in answer.json()["detail"]
