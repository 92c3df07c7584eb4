"""One lock per query."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from citeproof.online.source import QueryLocks


def test_of_blocks_the_same_query_and_no_other() -> None:
    locks = QueryLocks()
    inside = threading.Event()
    sent: list[str] = []

    def ask(query: str) -> None:
        with locks.of(query):
            sent.append(query)
            inside.set()

    with ThreadPoolExecutor(2) as pool:
        with locks.of("one"):
            waiting = pool.submit(ask, "one")
            pool.submit(ask, "two").result(5)
            assert sent == ["two"]
        waiting.result(5)
    assert sent == ["two", "one"]
    assert not locks._locks


def test_of_releases_the_lock_of_a_failed_query() -> None:
    locks = QueryLocks()
    try:
        with locks.of("one"):
            raise ValueError
    except ValueError:
        pass
    with locks.of("one"):
        assert len(locks._locks) == 1
    assert not locks._locks
