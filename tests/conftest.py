"""What all tests share: where the data folder beside the checkout is, and the skip when it is missing."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real data beside the checkout, or skip and say so."""
    if not (SHARED / "README.md").is_file():
        pytest.skip("needs the data folder ../shared, which is not part of the project")
    return SHARED


class ManualClock:
    """A clock that stands still but for what sleeps; it moves at once, for all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        with self._lock:
            return self._now

    def wall(self) -> float:
        return self.monotonic() + 1_772_366_400.0

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._now += seconds
            self.slept.append(seconds)

    stopped = False

    def stop(self) -> None:
        """Nobody waits by this clock."""

    def advance(self, seconds: float) -> None:
        with self._lock:
            self._now += seconds


@pytest.fixture
def manual_clock() -> ManualClock:
    return ManualClock()
