"""Rate limits, shared by all threads."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyrate_limiter import InMemoryBucket, Rate, RateItem

from citeproof.online.net.service import Pace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from citeproof.online.net.clock import Clock

_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_MAX_INTERVAL = 60.0
"""Maximum seconds of an interval. In a longer one requests are spread evenly, instead of a burst and a long pause."""


class RateLimiter:
    """Limits requests by a sliding window, and the number of open connections."""

    def __init__(self, pace: Pace, clock: Clock) -> None:
        self._clock = clock
        self._queue = threading.Lock()
        self._connections = threading.BoundedSemaphore(pace.connections)
        self._set(pace)

    @contextmanager
    def slot(self, check: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Wait until a request may be sent, and occupy one connection during the block.

        ``check`` is called after the wait for the queue. It raises an exception to cancel the request.
        """
        with self._connections:
            # Threads queue at the lock: the first sleeps until the window has room, and none polls.
            with self._queue:
                check()
                self._wait()
            yield

    def slow_down(self, stated: Pace | None) -> None:
        """Adopt the rate limit that the host states if it is lower than the current one."""
        if stated and stated.requests / stated.seconds < self._pace.requests / self._pace.seconds:
            with self._queue:
                self._set(stated)

    def _set(self, pace: Pace) -> None:
        self._pace = pace
        self._window = InMemoryBucket([Rate(pace.requests, int(pace.seconds * 1000))])

    def _wait(self) -> None:
        while True:
            now = int(self._clock.monotonic() * 1000)
            self._window.leak(now)
            item = RateItem("request", now)
            if self._window.put(item):
                return
            milliseconds = self._window.waiting(item)
            assert isinstance(milliseconds, int)
            self._clock.sleep((milliseconds + 1) / 1000)  # one more, because ``now`` is rounded down


def stated_pace(headers: Mapping[str, str]) -> Pace | None:
    """Return the rate limit in the ``x-rate-limit-*`` headers of a response; None without a plausible one.

    Crossref may send a header twice, which is read as ``50, 50``; the smallest number counts. A limit of less than one
    request per minute is taken for an error of the host and ignored.
    """
    limits = _numbers(headers.get("x-rate-limit-limit", ""))
    seconds = _numbers(headers.get("x-rate-limit-interval", ""))
    if not limits or not seconds or min(limits) < 1 or max(seconds) < 1:
        return None
    pace = Pace(min(limits), float(max(seconds)))
    if pace.seconds <= _MAX_INTERVAL:
        return pace
    gap = pace.seconds / pace.requests
    return Pace(1, gap) if gap <= _MAX_INTERVAL else None


def _numbers(text: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(text)]
