"""A clock that can be replaced: tests pass a clock that does not wait."""

import threading
import time

from citeproof.online.net.service import Kind, SourceError


class Clock:
    """The clock of the system. Another thread can end its pauses."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def monotonic(self) -> float:
        """Return seconds of a clock that never goes backwards."""
        return time.monotonic()

    def wall(self) -> float:
        """Return seconds since the epoch, for comparison with the dates in headers."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait for ``seconds``. Raises :class:`SourceError` of the kind ``STOPPED`` once :meth:`stop` is called."""
        if self._stopped.wait(seconds):
            raise SourceError(Kind.STOPPED)

    def stop(self) -> None:
        """End all current and later pauses, so that an interrupted run exits at once."""
        self._stopped.set()

    @property
    def stopped(self) -> bool:
        """Whether :meth:`stop` was called."""
        return self._stopped.is_set()
