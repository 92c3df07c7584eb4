"""A server from start to stop: replaced databases, running batches, many clients."""

from __future__ import annotations

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.store.sqlite_store import SqliteStore
from tests.database.versions import VERSION_3

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TITLE = {"title": "Attention is all you need"}


def runs(store: Path) -> list[tuple[Any, ...]]:
    reader = SqliteStore(store)
    try:
        return reader.execute("SELECT status, error_message, total_processed FROM batch_runs")
    finally:
        reader.close()


def replace_database(database: Path, sample: Path, venue: str) -> None:
    new = database.with_name("new.db")
    shutil.copy(sample, new)
    writer = SqliteStore(new)
    # As a database of an old version: its records have no checksums that would have to agree.
    for statement in VERSION_3:
        writer.execute(statement)
    writer.execute("UPDATE publications SET venue = ?", (venue,))
    writer.execute("PRAGMA journal_mode = delete")
    writer.close()
    os.replace(new, database)  # noqa: PTH105 - the call that a build makes


def test_server_opens_a_replaced_database_without_a_failed_request(
    start_server: Callable[..., Any], sample_path: Path, tmp_path: Path
) -> None:
    database = tmp_path / "live.db"
    shutil.copy(sample_path, database)
    server = start_server(database=database)
    done = Event()

    def search() -> list[int]:
        statuses = []
        while not done.is_set():
            statuses.append(server.post("/api/search/title", TITLE)[0])
        return statuses

    with ThreadPoolExecutor(3) as clients:
        searching = [clients.submit(search) for _ in range(3)]
        try:
            for number in range(8):
                replace_database(database, sample_path, f"Venue {number}")
                server.wait_until(
                    lambda number=number: (
                        server.post("/api/search/title", TITLE)[1]["venue"] == f"Venue {number}"
                    )
                )
        finally:
            done.set()
        statuses = [status for one in searching for status in one.result()]
    assert len(statuses) > 10
    assert set(statuses) == {200}


def test_server_finishes_a_running_batch_before_it_stops(
    start_server: Callable[..., Any], tmp_path: Path
) -> None:
    server = start_server()
    titles = [f"Some title that is not there {number}" for number in range(150)]
    with ThreadPoolExecutor(1) as clients:
        batch = clients.submit(server.post, "/api/search/title/batch", {"titles": titles})
        server.wait_until(lambda: bool(runs(tmp_path / "runtime.db")))
        server.stop()
        status, answer = batch.result()
    assert status == 200
    assert answer["summary"]["total_processed"] == 150
    assert runs(tmp_path / "runtime.db") == [("completed", None, 150)]


def test_server_marks_a_batch_that_outlasts_the_grace(
    start_server: Callable[..., Any], tmp_path: Path
) -> None:
    server = start_server(grace=0, lock_wait=30.0)
    store = SqliteStore(tmp_path / "runtime.db")
    titles = [
        f"Some title that is not there {number} " + "and more words" * 60 for number in range(200)
    ]
    with ThreadPoolExecutor(1) as clients:
        batch = clients.submit(server.post, "/api/search/title/batch", {"titles": titles})
        server.wait_until(lambda: bool(runs(tmp_path / "runtime.db")))
        with store.writing():  # so that the batch cannot be completed
            server.process.terminate()
            status, answer = batch.result()
            assert (status, answer["title"]) == (503, "Service Unavailable")
            assert answer["detail"].startswith("The service was stopped before")
        server.process.join()
    store.close()
    status, message, _ = runs(tmp_path / "runtime.db")[0]
    assert status == "interrupted"
    assert message == "the service was stopped before the batch was done"


def test_server_counts_what_many_clients_counted(start_server: Callable[..., Any]) -> None:
    server = start_server()

    def client(number: int) -> tuple[int, int, int, int]:
        singles = found = items = found_items = 0
        for round_ in range(8):
            title = TITLE["title"] if round_ % 2 else f"No title {number} {round_}"
            status, answer = server.post("/api/search/title", {"title": title})
            assert status == 200
            singles += 1
            found += answer["found"]
            status, answer = server.post(
                "/api/search/title/batch", {"titles": [title, f"Other {number}"]}
            )
            assert status == 200
            items += answer["summary"]["total_processed"]
            found_items += answer["summary"]["found_count"]
        return singles, found, items, found_items

    with ThreadPoolExecutor(8) as clients:
        counted = [sum(column) for column in zip(*clients.map(client, range(8)), strict=True)]
    counters = server.get("/api/runtime/stats")[1]["counters"]
    assert counted == [
        counters["single_search_requests"],
        counters["single_search_found"],
        counters["batch_search_items_total"],
        counters["batch_search_found_total"],
    ]
    assert counters["batch_search_requests"] == 64


def test_server_deletes_old_events_at_its_start(start_server: Callable[..., Any]) -> None:
    server = start_server()
    assert server.post("/api/search/title", TITLE)[0] == 200
    server.stop()
    time.sleep(0.01)
    server = start_server(retain_days=0.0)
    server.wait_until(
        lambda: server.get("/api/runtime/stats")[1]["tables"]["single_search_events"] == 0
    )
    assert server.get("/api/runtime/stats")[1]["counters"]["single_search_requests"] == 1


def test_server_records_its_own_events(start_server: Callable[..., Any], tmp_path: Path) -> None:
    server = start_server()
    server.stop()
    reader = SqliteStore(tmp_path / "runtime.db")
    assert reader.execute("SELECT event FROM event_logs ORDER BY id") == [
        ("started",),
        ("stopped",),
    ]
    reader.close()


@pytest.mark.parametrize(
    "text", ["10.1109/CVPR.2016.90", "https://doi.org/10.1109/cvpr.2016.90", "arXiv:1706.03762"]
)
def test_server_returns_the_work_of_an_identifier_as_related(
    start_server: Callable[..., Any], text: str
) -> None:
    status, answer = start_server().post("/api/search/title", {"title": text})
    assert status == 200
    assert answer["found"] is False
    assert answer["related"][0]["match"] in ("doi", "arxiv_id")
    assert answer["related"][0]["title"] in (
        "Deep Residual Learning for Image Recognition",
        "Attention Is All You Need",
    )
