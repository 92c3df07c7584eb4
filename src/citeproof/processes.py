"""Run functions in pools of worker processes, and exchange messages with child processes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Generic, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")
Found_co = TypeVar("Found_co", covariant=True)

_AHEAD = 3  # maximum number of pending calls per worker process
LENGTH_BYTES = 4
"""Number of bytes before a message that state the length of the message."""


@dataclass(frozen=True, slots=True)
class Lost(Generic[Item]):
    """An item whose worker died twice: in a call with other items, and in a call with this item alone."""

    item: Item
    seconds: float  # duration of the second call in seconds


class Call(Protocol[Found_co]):
    """A call that was submitted to a worker process."""

    def result(self) -> Found_co:
        """Wait for the result and return it. Raises the exception of the call, or one of :attr:`Workers.deaths`."""


class Workers(Protocol):
    """A pool of worker processes, on this machine or in a cluster."""

    deaths: tuple[type[BaseException], ...]  # exceptions that mean that the worker of a call died

    @property
    def count(self) -> int:
        """Number of calls that can run at the same time."""

    def submit(self, function: Callable[[list[Item]], list[Result]], items: list[Item]) -> Call[list[Result]]:
        """Call ``function`` with ``items`` in a worker."""

    def call(self, function: Callable[[list[Item]], list[Result]], items: list[Item]) -> list[Result]:
        """Call ``function`` in a worker that runs no other call, and return the result."""


class ProcessPool:
    """A pool of worker processes on this machine, each a :class:`~concurrent.futures.ProcessPoolExecutor` of its own.

    The processes start with the first call, and end with this process, even if it is killed. Each thread that calls
    :meth:`call` has its own worker process, so the death of a worker fails only one call.
    """

    deaths: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, count: int) -> None:
        self.count = count
        self._threads = ThreadPoolExecutor(count)
        self._thread = threading.local()
        self._executors: list[ProcessPoolExecutor] = []
        self._busy: set[ProcessPoolExecutor] = set()

    def submit(self, function: Callable[[list[Item]], list[Result]], items: list[Item]) -> Future[list[Result]]:
        """Call ``function`` with ``items`` in a worker."""
        return self._threads.submit(self.call, function, items)

    def call(self, function: Callable[[list[Item]], list[Result]], items: list[Item]) -> list[Result]:
        """Call ``function`` in the process of this thread. If that process dies, the next call starts another one."""
        executor: ProcessPoolExecutor | None = getattr(self._thread, "executor", None)
        if executor is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            context = multiprocessing.get_context("spawn")
            executor = self._thread.executor = ProcessPoolExecutor(1, context, initializer=_begin)
            self._executors.append(executor)
        future = executor.submit(function, items)
        self._busy.add(executor)
        try:
            return future.result()
        except BrokenExecutor:
            self._thread.executor = None
            raise
        finally:
            if future.done():
                self._busy.discard(executor)

    def close(self) -> None:
        """Cancel waiting calls. The processes end after their current calls."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for executor in self._executors:
            # An executor that shuts down while Python exits prints a traceback, so wait for those without a call.
            executor.shutdown(wait=executor not in self._busy, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def call_in_order(
    workers: Workers, function: Callable[[list[Item]], list[Result]], items: Iterable[Item], batch_size: int
) -> Iterator[Result | Lost[Item]]:
    """Yield the result of ``function`` for each item, in the order of ``items``, or :class:`Lost`.

    ``function`` gets at most ``batch_size`` items and returns one result for each; its exceptions are raised here. If a
    worker dies, the items of its batch are retried one by one. At most ``_AHEAD`` batches per worker are pending.
    """
    # Item 6 of 1 to 8 kills its worker, in batches of 4: 1-4 succeed, 5-8 fail; then 5 succeeds, 6 is Lost, 7 and 8
    # succeed.
    remaining = iter(items)
    waiting: deque[tuple[list[Item], Call[list[Result]]]] = deque()
    while (batch := list(islice(remaining, batch_size))) or waiting:
        if batch:
            waiting.append((batch, workers.submit(function, batch)))
        if not batch or len(waiting) >= _AHEAD * workers.count:
            batch, future = waiting.popleft()
            try:
                results = future.result()
            except workers.deaths:
                for item in batch:
                    began = monotonic()
                    try:
                        results = workers.call(function, [item])
                    except workers.deaths:
                        yield Lost(item, monotonic() - began)
                    else:
                        yield from results
            else:
                yield from results


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _begin() -> None:
    """Prepare a worker process: ignore Ctrl-C, which the parent handles, and end when the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if parent := parent_process():
        with suppress(OSError):
            parent.join()
        os._exit(1)


def command(module: str, *arguments: object) -> list[str]:
    """Return the command that runs ``module``. ``-P`` keeps modules of the working folder from being imported."""
    return [sys.executable, "-P", "-m", module, *map(str, arguments)]


def environment() -> dict[str, str]:
    """Return the environment of this process, with its ``sys.path`` as ``PYTHONPATH``, for a child process."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)}


def framed(content: bytes) -> bytes:
    """Return ``content`` as a message: its length in four bytes, then ``content``."""
    return len(content).to_bytes(LENGTH_BYTES) + content


def read_message(stream: IO[bytes]) -> bytes | None:
    """Return the content of the next message of ``stream``; None if the stream ends before the end of a message."""
    head = stream.read(LENGTH_BYTES)
    length = int.from_bytes(head)
    content = stream.read(length)
    return content if len(head) == LENGTH_BYTES and len(content) == length else None
