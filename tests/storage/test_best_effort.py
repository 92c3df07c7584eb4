"""Writes that a run can do without."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from citeproof.errors import DatabaseError
from citeproof.storage.best_effort import BestEffortWrites


def test_the_first_failure_ends_all_writing() -> None:
    writes = BestEffortWrites()
    written: list[int] = []

    def fail() -> None:
        raise DatabaseError("full")

    writes.write(lambda: written.append(1))
    writes.write(fail)
    writes.write(lambda: written.append(2))
    assert (written, writes.trouble) == ([1], "full")


def test_of_many_threads_one_waits_for_a_lock_that_is_not_given() -> None:
    writes = BestEffortWrites()
    tried = []
    start = threading.Barrier(8)

    def locked() -> None:
        tried.append(1)
        raise DatabaseError("locked")

    def write(_: int) -> None:
        start.wait(timeout=30)
        writes.write(locked)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert len(tried) == 1
