"""End cleanly when told to: what would kill the process becomes an exception, so that nothing is left lying about."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNALS = ("SIGTERM", "SIGHUP")
"""What a service manager or a closing terminal sends. Ctrl-C is an exception already."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise :class:`BuildError` in the block when the process is told to end; for the main thread."""

    def stop(number: int, _: object) -> None:
        raise BuildError(f"stopped by {signal.Signals(number).name}; nothing was changed")

    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
