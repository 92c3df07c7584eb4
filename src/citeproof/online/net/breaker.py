"""A circuit breaker: pause the requests to a service after repeated failures, so that a run does not wait for it.

Three consecutive failures open the circuit. Requests then fail at once for two minutes. After that one trial request is
sent, and its success closes the circuit. :meth:`Breaker.close` closes it earlier, for the end of a run.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from citeproof.online.net.response import NOT_COUNTED, Kind, SourceError

if TYPE_CHECKING:
    from citeproof.online.net.clock import Clock

MAX_FAILURES = 3
"""Number of consecutive failures that open the circuit."""
MAX_RETRY_AFTER = 60.0
"""Maximum seconds of a ``Retry-After`` header that the client obeys by a pause. A longer one disables the service."""
COOL_DOWN = 120.0
"""Seconds between the opening of the circuit and a trial request, and between two trial requests."""


class Breaker:
    """The state of one service: closed, open, or disabled for this run."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._opened_at: float | None = None
        self._back_at: float | None = None
        self._refused = False
        self._last = ""
        self._openings = 0

    def check(self) -> int:
        """Allow one request, with its retries, and return the number of openings so far for :meth:`recheck`.

        Raises:
            SourceError: the circuit is open, or the service is disabled.
        """
        with self._lock:
            now = self._clock.monotonic()
            if self._refused or (self._back_at is not None and now < self._back_at):
                raise SourceError(Kind.OUT_FOR_THE_RUN, self._last)
            if self._opened_at is not None:
                if now - self._opened_at < COOL_DOWN:
                    raise SourceError(Kind.CIRCUIT_OPEN, self._last)
                self._opened_at = now  # this is the trial request; the others wait for another cool-down
            return self._openings

    def recheck(self, openings: int) -> None:
        """Cancel a request that waited in a queue if the circuit was opened meanwhile.

        Raises:
            SourceError: there were more than ``openings`` openings.
        """
        with self._lock:
            if self._openings != openings:
                raise SourceError(Kind.CIRCUIT_OPEN, self._last)

    def succeeded(self) -> None:
        """Record a usable response, which may be empty."""
        with self._lock:
            self._failures = 0
            self._opened_at = None

    def failed(self, failure: SourceError) -> None:
        """Record a failed request, or a failed attempt to connect."""
        if failure.kind in NOT_COUNTED:
            return
        with self._lock:
            self._last = str(failure)
            self._failures += 1
            if failure.kind is Kind.REFUSED:
                self._refused = True
            elif failure.retry_after is not None and failure.retry_after > MAX_RETRY_AFTER:
                self._back_at = self._clock.monotonic() + failure.retry_after
            elif self._failures >= MAX_FAILURES:
                self._opened_at = self._clock.monotonic()
                self._openings += 1

    def close(self) -> bool:
        """Close the circuit; return whether it was open."""
        with self._lock:
            was_open = self._opened_at is not None
            self._opened_at = None
            self._failures = 0
            return was_open
