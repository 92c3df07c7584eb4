"""The clock that is handed in, so that an hour passes in no time in a test."""

from __future__ import annotations

import threading
import time
from typing import Protocol

from citeproof.net.failure import Kind, SourceError


class Clock(Protocol):
    """What the client needs to know of time."""

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""

    def wall(self) -> float:
        """Return seconds since the epoch, to compare with a date that a server states."""

    def sleep(self, seconds: float) -> None:
        """Wait; raises :class:`SourceError` when the clock was stopped."""

    def stop(self) -> None:
        """End all waiting, now and later."""

    @property
    def stopped(self) -> bool:
        """Whether all waiting has ended."""


class SystemClock:
    """The machine's own clock."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        return time.monotonic()

    def wall(self) -> float:
        """Return seconds since the epoch."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait; raises :class:`SourceError` when the clock was stopped."""
        if self._stopped.wait(seconds):
            raise SourceError(Kind.STOPPED)

    def stop(self) -> None:
        """End all waiting, now and later: a run that is interrupted must not sit out its pauses."""
        self._stopped.set()

    @property
    def stopped(self) -> bool:
        """Whether all waiting has ended."""
        return self._stopped.is_set()
