"""One processor that long jobs leave alone while titles are looked up.

A look-up is at work for a moment only, and then waits for its next step: for the search process, for the disk. Where
jobs are on every processor, each step begins behind one of them and with cold caches, whatever their priority is.
Example: on two processors four long jobs have both; with the first look-up they share one, and two seconds after the
last look-up they have both again.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOM_SECONDS = 2.0
"""So long after the last word of a look-up jobs have all processors again."""


class Room:
    """Moves processes between all processors and all but one; does nothing where there is one, or no Linux."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: float | None = None
        self._all = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()

    def give(self, processes: Iterable[int]) -> None:
        """Keep ``processes`` off one processor, the first, until :data:`ROOM_SECONDS` after the last such call."""
        if len(self._all) > 1:
            self._until = self._clock() + ROOM_SECONDS
            _move(processes, self._all - {min(self._all)})

    def seconds_left(self) -> float | None:
        """Return when to call :meth:`end`; None where nothing is kept off anything."""
        return None if self._until is None else max(0.0, self._until - self._clock())

    def end(self, processes: Iterable[int]) -> None:
        """Let ``processes`` have all processors again, if the time is over."""
        if self.seconds_left() == 0:
            self._until = None
            _move(processes, self._all)


def _move(processes: Iterable[int], processors: set[int]) -> None:
    """Have all threads of ``processes`` run on ``processors`` alone; those that they start later do so too."""
    for process in processes:
        with suppress(OSError):  # it, or one of its threads, has just ended
            for thread in Path(f"/proc/{process}/task").iterdir():
                os.sched_setaffinity(int(thread.name), processors)
