"""A circuit breaker for one source: after repeated failures it is not asked, so that a run does not wait for it.

A closed circuit lets questions through. Three failures in a row open it, and an open one refuses every question for
two minutes; then it lets one through, whose answer closes it. The end of a run closes it too, for what is still open.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.net.failure import NOT_COUNTED, Kind, SourceError

if TYPE_CHECKING:
    from citeproof.net.clock import Clock

FAILURES_IN_A_ROW = 3
LONGEST_RETRY_AFTER = 60.0
"""Seconds. A source that wants to be left alone for longer is out for the run."""
COOL_DOWN = 120.0
"""Seconds after which an open circuit lets one question through."""


@dataclass(frozen=True, slots=True)
class Permit:
    """Permission to ask one question, which may take several attempts and a long wait for each."""

    breaker: Breaker
    openings: int

    def recheck(self) -> None:
        """Raise :class:`SourceError` where other questions have opened the circuit meanwhile."""
        self.breaker.recheck(self.openings)

    def unreachable(self, reason: str) -> None:
        """Note an attempt for which no connection could be made."""
        self.breaker.unreachable(reason)


class Breaker:
    """Counts the failures of one source in a row, and says when it may be asked."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._opened_at: float | None = None
        self._back_at: float | None = None
        self._refused = False
        self._last = ""
        self._openings = 0

    def check(self) -> Permit:
        """Let one question through; raise :class:`SourceError` where the source must not be asked now."""
        with self._lock:
            now = self._clock.monotonic()
            if self._refused or (self._back_at is not None and now < self._back_at):
                raise SourceError(Kind.OUT_FOR_THE_RUN, self._last)
            if self._opened_at is None:
                return Permit(self, self._openings)
            if now - self._opened_at < COOL_DOWN:
                raise SourceError(Kind.CIRCUIT_OPEN, self._last)
            self._opened_at = now  # this one question decides; the others wait another cool-down
            return Permit(self, self._openings)

    def recheck(self, openings: int) -> None:
        """Raise :class:`SourceError` where the circuit has opened more often than ``openings`` times."""
        with self._lock:
            if self._openings != openings:
                raise SourceError(Kind.CIRCUIT_OPEN, self._last)

    def succeeded(self) -> None:
        """Note a usable answer, also one that says that there is nothing."""
        with self._lock:
            self._failures = 0
            self._opened_at = None

    def failed(self, failure: SourceError) -> None:
        """Note a failure that stood after all retries."""
        if failure.kind in NOT_COUNTED:
            return
        with self._lock:
            self._last = str(failure)
            self._failures += 1
            if failure.kind is Kind.REFUSED:
                self._refused = True
            elif failure.retry_after is not None and failure.retry_after > LONGEST_RETRY_AFTER:
                self._back_at = self._clock.monotonic() + failure.retry_after
            else:
                self._open()

    def unreachable(self, reason: str) -> None:
        """Note that no connection could be made: each attempt counts, and nobody need try as often as for an answer."""
        with self._lock:
            self._last = reason
            self._failures += 1
            self._open()

    def _open(self) -> None:
        if self._failures >= FAILURES_IN_A_ROW:
            self._opened_at = self._clock.monotonic()
            self._openings += 1

    def close(self) -> bool:
        """Close the circuit where failures have opened it; return whether it was open."""
        with self._lock:
            was_open = self._opened_at is not None
            self._opened_at = None
            self._failures = 0
            return was_open
