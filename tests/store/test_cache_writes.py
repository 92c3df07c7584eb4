"""The cache stops writing after the first failure."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.store.cache import VerificationCache

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.store.conftest import Clock


@pytest.fixture
def cache(tmp_path: Path, clock: Clock) -> Iterator[VerificationCache]:
    cache = VerificationCache(tmp_path / "cache.db", clock)
    yield cache
    cache.close()


def test_write_does_nothing_after_the_first_failure(cache: VerificationCache) -> None:
    written: list[int] = []

    def fail() -> None:
        raise DatabaseError("full")

    cache._write(lambda: written.append(1))
    cache._write(fail)
    cache._write(lambda: written.append(2))
    assert (written, cache.trouble) == ([1], "full")


def test_write_waits_for_a_lock_in_one_of_many_threads(cache: VerificationCache) -> None:
    tried = []
    start = threading.Barrier(8)

    def locked() -> None:
        tried.append(1)
        raise DatabaseError("locked")

    def write(_: int) -> None:
        start.wait(timeout=30)
        cache._write(locked)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert len(tried) == 1
