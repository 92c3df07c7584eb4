"""Another process holds the store's write lock: writes wait and fail, other requests are
answered.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.web.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable


def search(server: Any, title: str = "Attention is all you need") -> tuple[int, Any]:
    status, answer = server.post("/api/search/title", {"title": title})
    return status, answer


WAIT = 4.0
"""Time-out of these servers for the lock."""


def test_lock_wait_is_30_seconds_by_default() -> None:
    assert Options(Path("x.db"), Path("runtime.db")).lock_wait == 30


@pytest.mark.slow
def test_server_answers_reads_and_fails_writes_under_a_held_lock(
    start_server: Callable[..., Any], hold_lock: Callable[..., Any], tmp_path: Path
) -> None:
    server = start_server(lock_wait=WAIT)
    assert search(server)[0] == 200
    holder = hold_lock(tmp_path / "runtime.db")
    begun = time.monotonic()
    with ThreadPoolExecutor(12) as clients:
        waiting = [clients.submit(search, server) for _ in range(10)]
        batch = clients.submit(server.post, "/api/search/title/batch", {"titles": ["a", "b"]})
        # All are looked up, although more searches wait for the store than there are threads for
        # look-ups.
        server.wait_until(lambda: lookups(server) == 11)
        # What needs no write lock goes on.
        for path in (
            "/api/health",
            "/api/runtime/stats",
            "/metrics",
            "/docs",
            "/openapi.json",
            "/",
        ):
            assert server.get(path)[0] == 200, path
        assert server.post("/api/search/title", {"title": ""})[0] == 422
        assert time.monotonic() - begun >= WAIT or not any(one.done() for one in waiting)
        answers = [one.result() for one in (*waiting, batch)]
    waited = time.monotonic() - begun
    assert waited >= WAIT
    for status, answer in answers:
        assert status == 500
        assert "locked by another process" in answer["detail"]
    holder.let_go()
    assert search(server)[0] == 200
    server.stop()
    counters = start_server().get("/api/runtime/stats")[1]["counters"]
    assert counters["single_search_requests"] == 12
    assert counters["single_search_errors"] == 10
    assert counters["single_search_found"] == 2
    assert counters["web_page_views"] == 1


def lookups(server: Any) -> int:
    figures = server.get("/metrics")[1].splitlines()
    return sum(
        int(float(line.split()[-1]))
        for line in figures
        if line.startswith("citeproof_lookup_seconds_count")
    )
