"""How fast a host may be asked, kept for all threads together."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyrate_limiter import InMemoryBucket, Rate, RateItem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from citeproof.net.clock import Clock


@dataclass(frozen=True, slots=True)
class Pace:
    """At most ``requests`` in any ``seconds``, and ``connections`` under way at a time."""

    requests: int
    seconds: float = 1.0
    connections: int = 4


class Bucket:
    """The requests of one lane of one host, counted over a sliding window."""

    def __init__(self, pace: Pace, clock: Clock) -> None:
        self._clock = clock
        self._turn = threading.Lock()
        self._places = threading.BoundedSemaphore(pace.connections)
        self._set(pace)

    @contextmanager
    def place(self, check: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Wait for a turn, and hold one of the connections meanwhile.

        ``check`` may raise to leave the queue: what was learned while waiting can make the question pointless.
        """
        with self._places:
            # Waiting inside the lock makes a queue of the threads: one computes the wait, none polls.
            with self._turn:
                check()
                self._wait()
            yield

    def slow_down(self, stated: Pace | None) -> None:
        """Take over the pace that the host states where it is slower than ours; it never makes us faster."""
        if stated and stated.requests / stated.seconds < self._pace.requests / self._pace.seconds:
            with self._turn:
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
            # One millisecond more than the window asks for, because the clock is cut to milliseconds.
            milliseconds = self._window.waiting(item)
            assert isinstance(milliseconds, int)
            self._clock.sleep((milliseconds + 1) / 1000)


class Pacer:
    """The buckets of a run: one for each lane of each place, made when first used and shared by all threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def bucket(self, place: str, lane: str, pace: Pace) -> Bucket:
        """Return the bucket of ``lane`` at ``place``; ``pace`` counts only for the first who asks."""
        with self._lock:
            return self._buckets.setdefault((place, lane), Bucket(pace, self._clock))


_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_LONGEST_WINDOW = 60.0
"""Seconds. A limit for longer is spread over its time, so that no run stands still after a burst."""


def stated_pace(headers: Mapping[str, str]) -> Pace | None:
    """Return the pace in a host's ``x-rate-limit-*`` headers.

    Crossref may send each header twice, which arrives as ``50, 50``: the smallest counts. More than a minute
    between two requests is no pace but a mistake, and is not heeded.
    """
    limits = _numbers(headers.get("x-rate-limit-limit", ""))
    seconds = _numbers(headers.get("x-rate-limit-interval", ""))
    if not limits or not seconds or min(limits) < 1 or max(seconds) < 1:
        return None
    pace = Pace(min(limits), float(max(seconds)))
    if pace.seconds <= _LONGEST_WINDOW:
        return pace
    gap = pace.seconds / pace.requests
    return Pace(1, gap) if gap <= _LONGEST_WINDOW else None


def _numbers(text: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(text)]
