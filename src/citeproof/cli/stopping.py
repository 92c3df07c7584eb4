"""End cleanly when told to: what would kill the process becomes an exception, so that nothing is left lying about."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIGNALS = ("SIGTERM", "SIGHUP")
"""What a service manager or a closing terminal sends. Ctrl-C is an exception already."""


def build_stopped(name: str) -> BaseException:
    """Return what ends a build that the signal ``name`` stopped."""
    return BuildError(f"stopped by {name}; nothing was changed")


def run_stopped(name: str) -> BaseException:
    """Return what ends a run that the signal ``name`` stopped: the same as Ctrl-C."""
    return KeyboardInterrupt(name)


@contextmanager
def stoppable(stopped: Callable[[str], BaseException] = build_stopped) -> Iterator[None]:
    """Raise what ``stopped`` returns in the block when the process is told to end; for the main thread.

    A signal that the process was started to ignore, as by nohup, stays ignored.
    """

    def stop(number: int, _: object) -> None:
        raise stopped(signal.Signals(number).name)

    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
