"""Rate limits and circuit breakers for HTTP services.

All threads of a run share the same objects.
"""

import math
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from pyrate_limiter import InMemoryBucket, Rate, RateItem

from citeproof.online.net.service import NOT_COUNTED, Clock, Kind, Pace, SourceError

_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
# maximum interval of a rate limit in seconds; 100 requests in 300 s are taken for 1 request in 3 s
_MAX_INTERVAL = 60.0


class RateLimiter:
    """Limits how often requests are sent to a service, and how many connections to it are open at
    once.
    """

    def __init__(self, pace: Pace, clock: Clock) -> None:
        self._clock = clock
        self._queue = threading.Lock()
        self._connections = threading.BoundedSemaphore(pace.connections)
        self._set(pace)

    @contextmanager
    def slot(self, check: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Context manager that waits for a free connection, calls ``check``, and then waits until
        the rate limit permits a request. ``check`` may raise an exception.
        """
        with self._connections:
            # the first thread sleeps until a request may be sent, and other threads wait for the
            # lock
            with self._queue:
                check()
                self._wait()
            yield

    def slow_down(self, stated: Pace | None) -> None:
        """From now on use the rate limit ``stated``, which a service has sent, if it is lower than
        the current rate limit.
        """
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
            # one millisecond more, because ``now`` is rounded down
            self._clock.sleep((milliseconds + 1) / 1000)


def stated_pace(headers: Mapping[str, str]) -> Pace | None:
    """Return the rate limit that the ``x-rate-limit-*`` headers of a response state. None if there
    are no such headers, or if the limit is below one request per minute.
    """
    # Crossref may send a header twice, which is read as ``50, 50``; the lowest rate is used
    names = ("x-rate-limit-limit", "x-rate-limit-interval")
    limits, seconds = ([*map(int, _NUMBER.findall(headers.get(name, "")))] for name in names)
    if not limits or not seconds or min(limits) < 1 or max(seconds) < 1:
        return None
    pace = Pace(min(limits), float(max(seconds)))
    if pace.seconds <= _MAX_INTERVAL:
        return pace
    gap = pace.seconds / pace.requests
    return Pace(1, gap) if gap <= _MAX_INTERVAL else None


_MAX_FAILURES = 3  # number of consecutive failures that open the circuit breaker
# seconds without requests after the circuit breaker opens, and after each failed trial request
_COOL_DOWN = 120.0
MAX_RETRY_AFTER = 60.0
"""Maximum number of seconds to wait before a retry. If the header ``Retry-After`` states more,
requests to the service fail at once until that time has passed.
"""


class Breaker:
    """The circuit breaker of one service. While it is open, requests fail without being sent.

    Three consecutive failures open it. After two minutes one trial request is sent, and its success
    closes the circuit breaker. A status such as 403 stops all further requests. A long
    ``Retry-After`` stops requests for that time.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = self._openings = 0
        self._opened_at: float | None = None
        self._disabled_until = -math.inf
        self._last = ""  # message of the last failure

    def check(self) -> int:
        """Raise :class:`SourceError` if no request may be sent. Otherwise return how often the
        circuit breaker has opened so far.
        """
        with self._lock:
            now = self._clock.monotonic()
            if now < self._disabled_until:
                raise SourceError(Kind.OUT_FOR_THE_RUN, self._last)
            if self._opened_at is not None:
                if now - self._opened_at < _COOL_DOWN:
                    raise SourceError(Kind.CIRCUIT_OPEN, self._last)
                # this is the trial request; other requests wait for another cool-down
                self._opened_at = now
            return self._openings

    def recheck(self, openings: int) -> None:
        """Raise :class:`SourceError` if the circuit breaker has opened after the call of
        :meth:`check` that returned ``openings``.
        """
        with self._lock:
            if self._openings != openings:
                raise SourceError(Kind.CIRCUIT_OPEN, self._last)

    def failed(self, failure: SourceError) -> None:
        """Count ``failure``, a failed request or a failed attempt to connect. Too many failures
        open the circuit breaker.
        """
        if failure.kind in NOT_COUNTED:
            return
        with self._lock:
            self._last = str(failure)
            self._failures += 1
            if failure.kind is Kind.REFUSED:
                self._disabled_until = math.inf
            elif failure.retry_after is not None and failure.retry_after > MAX_RETRY_AFTER:
                self._disabled_until = self._clock.monotonic() + failure.retry_after
            elif self._failures >= _MAX_FAILURES:
                self._opened_at = self._clock.monotonic()
                self._openings += 1

    def close(self) -> bool:
        """Close the circuit breaker, so that requests are sent. Return whether it was open."""
        with self._lock:
            was_open = self._opened_at is not None
            self._opened_at, self._failures = None, 0
            return was_open
