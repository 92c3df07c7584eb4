from concurrent.futures import ThreadPoolExecutor

import pytest

from citeproof.online.net.limits import RateLimiter
from citeproof.online.net.service import Clock, Kind, Pace, SourceError


def test_sleep_waits() -> None:
    clock = Clock()
    start = clock.monotonic()
    clock.sleep(0.01)
    assert clock.monotonic() - start >= 0.009


def test_stop_ends_all_pauses() -> None:
    clock = Clock()
    bucket = RateLimiter(Pace(1, 3600.0), clock)

    def ask(_: int) -> str:
        try:
            with bucket.slot():
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
