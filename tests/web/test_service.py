"""What takes a moment is looked up at once; the rest in a thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.bibdb.database import Database
from citeproof.bibdb.title_index.attached import index_path
from citeproof.bibdb.title_index.create import create
from citeproof.web.metrics import Metrics
from citeproof.web.service import Service
from citeproof.web.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path

    from citeproof.models import Lookup
    from citeproof.runtime.store import RuntimeStore


class Handed:
    """Counts the calls that are handed to a thread."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self.calls = 0
        self._threads = threads

    def submit(self, *call: Any) -> Any:
        self.calls += 1
        return self._threads.submit(*call)


@pytest.fixture
def handed(service: Service) -> Handed:
    return Handed(service.threads)


@pytest.fixture
def path(sample_path: Path, tmp_path: Path) -> Path:
    """Return a database of the built-in sample with a title index."""
    path = tmp_path / "sample.db"
    path.write_bytes(sample_path.read_bytes())
    create(path)
    return path


@pytest.fixture
def sample(path: Path, store: RuntimeStore, handed: Handed) -> Iterator[Service]:
    """Return a service over it."""
    threads: Any = handed
    yield Service(shelf := Shelf(path, Database.open), store, Metrics(path), threads)
    shelf.close()


def look_up(service: Service, title: str) -> Lookup:
    return asyncio.run(service.look_up(title, 1000))


def test_found_and_missed_titles_of_a_small_index_need_no_thread(sample: Service, handed: Handed) -> None:
    assert look_up(sample, "Attention is all you need").found
    assert not look_up(sample, "No such title is in the sample of works").found
    assert handed.calls == 0
    assert b'citeproof_lookup_seconds_count{method="indexed"} 2.0' in sample.metrics.render()


def test_without_index_a_thread_looks(sample: Service, handed: Handed, path: Path) -> None:
    index_path(path).unlink()
    assert look_up(sample, "Attention is all you need").found
    assert handed.calls == 1


def test_a_title_of_many_records_is_left_to_a_thread(
    sample: Service, handed: Handed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.bibdb.title_index.attached._FEW_RECORDS", 0)
    assert look_up(sample, "Attention is all you need").found
    assert handed.calls == 1
