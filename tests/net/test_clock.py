from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from citeproof.net.clock import SystemClock
from citeproof.net.failure import Kind, SourceError
from citeproof.net.pace import Bucket, Pace


def test_it_sleeps() -> None:
    clock = SystemClock()
    start = clock.monotonic()
    clock.sleep(0.01)
    assert clock.monotonic() - start >= 0.009


def test_a_stopped_clock_ends_all_waiting() -> None:
    clock = SystemClock()
    bucket = Bucket(Pace(1, 3600.0), clock)

    def ask(_: int) -> str:
        try:
            with bucket.place():
                return "asked"
        except SourceError as error:
            return error.kind.name

    assert ask(0) == "asked"
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.map(ask, range(2))
        clock.stop()
        assert list(waiting) == ["STOPPED", "STOPPED"]
    with pytest.raises(SourceError, match=Kind.STOPPED.value):
        clock.sleep(3600)
