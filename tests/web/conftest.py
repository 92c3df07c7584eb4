"""A service over a database that lives in memory, and a client that speaks to it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from citeproof.errors import DatabaseError
from citeproof.models import Candidate, Lookup, Method, Record
from citeproof.runtime.store import RuntimeStore
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity
from citeproof.web.app import create_app
from citeproof.web.metrics import Metrics
from citeproof.web.service import Service
from citeproof.web.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TITLES = (
    "Attention is All you Need",
    "Deep Residual Learning for Image Recognition",
    "Straße and Ångström: <b>Markup</b> & Signs",
)


class FakeDatabase:
    """Three titles, compared one by one; a title that starts with ``fail`` breaks the look-up."""

    def __init__(self, path: Path) -> None:
        text = path.read_text()
        if not text.startswith("titles"):
            raise DatabaseError(f"{path}: is not a database")
        self.titles = (*TITLES, *text.splitlines()[1:])
        self.closed = False
        self.go_on = Event()
        self.go_on.set()

    def look_up(self, title: str, threshold: float = 0.9, max_candidates: int = 100_000) -> Lookup:
        self.go_on.wait(60)
        assert not self.closed
        if title.startswith("fail"):
            raise RuntimeError(f"cannot look up {title}")
        started = time.perf_counter()
        scored = [
            Candidate(record(place, text), similarity(normalize_title(title), normalize_title(text)))
            for place, text in enumerate(self.titles[:max_candidates])
        ]
        scored.sort(key=lambda candidate: -candidate.similarity)
        found = tuple(one for one in scored if one.similarity >= threshold)
        milliseconds = 1000 * (time.perf_counter() - started)
        nearest = None if found else scored[0]
        return Lookup(title, threshold, found, nearest, Method.INDEXED, "word_index", len(scored), True, milliseconds)

    def describe(self) -> dict[str, Any]:
        return {"records": len(self.titles), "method": "indexed"}

    def close(self) -> None:
        self.closed = True


def record(place: int, title: str) -> Record:
    return Record(
        f"conf/test/{place}", title, ("Ada Author", "Bo Writer"), 2017, "Test", "inproceedings", source="fake"
    )


@pytest.fixture
def database_file(tmp_path: Path) -> Path:
    """Return a file that the fake database opens."""
    path = tmp_path / "books.db"
    path.write_text("titles\n")
    return path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RuntimeStore]:
    """Open a runtime store that waits half a second for a lock."""
    store = RuntimeStore(tmp_path / "runtime.db", lock_wait=0.5)
    yield store
    store.close()


@pytest.fixture
def service(database_file: Path, store: RuntimeStore) -> Iterator[Service]:
    """Put the service together from the fakes."""
    shelf = Shelf(database_file, FakeDatabase)
    with ThreadPoolExecutor(2) as threads:
        yield Service(shelf, store, Metrics(database_file), threads)
    shelf.close()


@pytest.fixture
def client(service: Service) -> Iterator[TestClient]:
    """Return a client whose unforeseen failures are answers, as over a real connection."""
    with TestClient(create_app(service), raise_server_exceptions=False) as client:
        yield client
