"""Turn signals that end the process into exceptions, so that temporary files are removed."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from citeproof.model.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIGNALS = ("SIGTERM", "SIGHUP")
"""Signals of a service manager and of a closing terminal. Ctrl-C is an exception already."""


def build_stopped(name: str) -> BaseException:
    """Return the exception for a build that the signal ``name`` stopped."""
    return BuildError(f"stopped by {name}; nothing was changed")


def run_stopped(name: str) -> BaseException:
    """Return the exception for a run that the signal ``name`` stopped: that of Ctrl-C."""
    return KeyboardInterrupt(name)


@contextmanager
def stoppable(stopped: Callable[[str], BaseException] = build_stopped) -> Iterator[None]:
    """Raise the exception that ``stopped`` makes of a signal of :data:`SIGNALS`; for the main thread.

    A signal that is ignored, as under nohup, stays ignored.
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
