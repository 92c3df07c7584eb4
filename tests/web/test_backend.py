"""The resources of the routes: titles are looked up by the search process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from citeproof.model.record import Lookup, Method
from citeproof.web.backend import Backend, Metrics
from citeproof.web.reloading_database import open_reloading
from citeproof.web.searcher import Searcher, Searches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from citeproof.store.runtime.store import RuntimeStore
    from citeproof.web.jobs.queue import JobQueue


class Asked(Searcher):
    """A search process that finds nothing and records the titles."""

    def __init__(self) -> None:
        super().__init__(())
        self.asked: list[str] = []

    async def ask(self, search: Callable[..., Any], *values: Any) -> Any:  # type: ignore[override]
        assert search is Searches.look_up
        title, threshold, _candidates, _every = values
        self.asked.append(title)
        return Lookup(
            title,
            threshold,
            (),
            None,
            Method.INDEXED,
            "title_index",
            0,
            complete=True,
            milliseconds=1.0,
        )


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def sample(sample_path: Path, store: RuntimeStore, asked: Asked) -> Iterator[Backend]:
    """Return a service over the built-in sample."""
    metrics = Metrics(sample_path)
    yield Backend(
        reloading := open_reloading(sample_path), store, metrics, asked, cast("JobQueue", None)
    )
    reloading.close()


def look_up(backend: Backend, title: str) -> Lookup:
    return asyncio.run(backend.look_up(title, 1000))


def test_look_up_asks_the_search_process_and_counts(sample: Backend, asked: Asked) -> None:
    assert not look_up(sample, "No such title is in the sample of works").found
    assert asked.asked == ["No such title is in the sample of works"]
    assert b'citeproof_lookup_seconds_count{method="indexed"} 1.0' in sample.metrics.render()
