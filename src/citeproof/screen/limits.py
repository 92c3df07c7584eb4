"""How long a paper may be read, and with how much memory: one that takes more costs itself, and nothing else."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

try:
    import resource
except ImportError:  # not a Unix: nothing is limited
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator

GRACE_SECONDS = 5
"""A reader that does not listen, because it is inside a library, is killed so much later."""
_ONE_AT_A_TIME = threading.Lock()
"""A process has one timer and one limit, whatever its threads."""


class OverTime(BaseException):
    """Reading a paper took longer than it may."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one paper may take."""

    seconds: float = 60.0
    megabytes: int = 2048
    """Of memory that is not shared, of the whole process that reads it."""

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Raise :class:`OverTime` or :class:`MemoryError` in the block when it takes more.

        In a thread other than the main one, and inside a library, the process is killed instead.
        """
        with _ONE_AT_A_TIME, self._memory(), self._time():
            yield

    @contextmanager
    def _time(self) -> Iterator[None]:
        before = None
        if threading.current_thread() is threading.main_thread():
            before = signal.signal(signal.SIGALRM, _too_long)
        signal.setitimer(signal.ITIMER_REAL, self.seconds, GRACE_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if before is not None:
                signal.signal(signal.SIGALRM, before)

    @contextmanager
    def _memory(self) -> Iterator[None]:
        if resource is None:
            yield
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = self.megabytes << 20
        with suppress(ValueError, OSError):  # a lower limit is set for all of us
            resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
        try:
            yield
        finally:
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _too_long(_number: int, _frame: object) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    raise OverTime
