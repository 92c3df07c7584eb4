"""The server is killed at any moment: what it acknowledged is recorded, and no batch stays running."""

from __future__ import annotations

import os
import random
from http.client import HTTPException
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.runtime.sqlite.store import SqliteRuntimeStore
from citeproof.storage.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KILLS = int(os.environ.get("KILLS", "12"))
"""``KILLS=50`` makes it the longer run before a release."""
CLIENTS = 4


class Client(Thread):
    """Sends single searches and batches until the server is gone; remembers what was acknowledged."""

    def __init__(self, server: Any, name: str) -> None:
        super().__init__()
        self.server = server
        self.prefix = name
        self.singles: list[str] = []
        self.batches: dict[str, int] = {}
        self.first = Event()

    def run(self) -> None:
        try:
            for number in range(10_000):
                request_id = f"{self.prefix}-{number}"
                headers = {"X-Request-ID": request_id}
                if number % 3 == 2:
                    titles = [f"{title} {number}" for title in ("Attention is all you need", "Nothing", "Else")]
                    status, answer = self.server.post("/api/search/title/batch", {"titles": titles}, headers)
                    assert status == 200, answer
                    self.batches[answer["summary"]["run_id"]] = len(answer["items"])
                else:
                    status, answer = self.server.post("/api/search/title", {"title": "Attention"}, headers)
                    assert status == 200, answer
                    self.singles.append(request_id)
                self.first.set()
        except (OSError, HTTPException):
            self.first.set()


@pytest.mark.slow
def test_killed_again_and_again_under_load(start_server: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "runtime.db"
    chance = random.Random(20)
    acknowledged = 0
    interrupted = 0
    for kill in range(KILLS):
        server = start_server()
        clients = [Client(server, f"{kill}-{place}") for place in range(CLIENTS)]
        for client in clients:
            client.start()
        clients[0].first.wait(30)
        Event().wait(chance.uniform(0, 0.15))
        server.kill()
        for client in clients:
            client.join()
        SqliteRuntimeStore(path).close()
        store = Store(path)
        assert store.execute("PRAGMA integrity_check") == [("ok",)]
        assert store.execute("SELECT count(*) FROM batch_runs WHERE status = 'running'") == [(0,)]
        recorded = {row[0] for row in store.execute("SELECT request_id FROM single_search_events")}
        runs = dict(store.execute("SELECT id, total_processed FROM batch_runs WHERE status = 'completed'"))
        items = dict(store.execute("SELECT run_id, count(*) FROM batch_items GROUP BY run_id"))
        interrupted = store.execute("SELECT count(*) FROM batch_runs WHERE status = 'interrupted'")[0][0]
        store.close()
        for client in clients:
            assert set(client.singles) <= recorded
            assert client.batches.items() <= runs.items()
            assert client.batches.items() <= items.items()
            acknowledged += len(client.singles) + len(client.batches)
    assert acknowledged >= KILLS
    assert interrupted > 0
