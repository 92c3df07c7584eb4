"""Time as a thing that is handed in, so that a test can let an hour pass at once."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """What the client needs to know of time."""

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""

    def wall(self) -> float:
        """Return seconds since the epoch, to compare with a date that a server states."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        return time.monotonic()

    def wall(self) -> float:
        """Return seconds since the epoch."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
