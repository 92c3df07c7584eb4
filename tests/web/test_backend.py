"""A title that is held is looked up where it is asked; the rest by the search process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import pytest

from citeproof.bibdb.title_index.format import index_path
from citeproof.bibdb.title_index.writer.create import create
from citeproof.models import Lookup, Method
from citeproof.web.backend import Backend
from citeproof.web.worker.metrics import Metrics
from citeproof.web.worker.reloading_database import open_reloading

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.models import Verdict
    from citeproof.runtime import RuntimeStore
    from citeproof.runtime.jobs import JobDocument
    from citeproof.web.jobs.queue import JobQueue


class Asked:
    """Finds nothing, and remembers what it was asked for."""

    def __init__(self) -> None:
        self.titles: list[str] = []

    async def look_up(self, title: str, threshold: float, max_candidates: int) -> Lookup:
        self.titles.append(title)
        return Lookup(title, threshold, (), None, Method.INDEXED, "title_index", 0, complete=True, milliseconds=1.0)

    async def verify(self, document: JobDocument, threshold: float) -> Verdict:
        raise NotImplementedError


class Jobs:
    """Jobs that may be in the way of look-ups."""

    def __init__(self) -> None:
        self.gave_room = 0

    def give_room(self) -> None:
        self.gave_room += 1


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def path(sample_path: Path, tmp_path: Path) -> Path:
    """Return a database of the built-in sample with a title index."""
    path = tmp_path / "sample.db"
    path.write_bytes(sample_path.read_bytes())
    create(path)
    return path


@pytest.fixture
def sample(path: Path, store: RuntimeStore, asked: Asked) -> Iterator[Backend]:
    """Return a service over it."""
    yield Backend(reloading := open_reloading(path), store, Metrics(path), asked, cast("JobQueue", Jobs()))
    reloading.close()


def look_up(backend: Backend, title: str) -> Lookup:
    return asyncio.run(backend.look_up(title, 1000))


def test_a_title_that_is_held_needs_no_other_process(sample: Backend, asked: Asked) -> None:
    assert look_up(sample, "Attention is all you need").found
    assert not asked.titles
    assert not look_up(sample, "No such title is in the sample of works").found
    assert asked.titles == ["No such title is in the sample of works"]
    assert b'citeproof_lookup_seconds_count{method="indexed"} 2.0' in sample.metrics.render()


def test_without_index_the_search_process_looks(sample: Backend, asked: Asked, path: Path) -> None:
    index_path(path).unlink()
    look_up(sample, "Attention is all you need")
    assert asked.titles == ["Attention is all you need"]


def test_a_title_of_many_records_is_left_to_the_search_process(
    sample: Backend, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.bibdb.title_index.reader.attached._FEW_RECORDS", 0)
    look_up(sample, "Attention is all you need")
    assert asked.titles == ["Attention is all you need"]


def test_jobs_give_room_for_each_look_up(sample: Backend) -> None:
    look_up(sample, "Attention is all you need")
    look_up(sample, "A title that no work has")
    assert cast("Jobs", sample.jobs).gave_room == 2
