"""Run functions in pools of worker processes, and exchange messages with child processes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Generic, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

Item = TypeVar("Item")
Result = TypeVar("Result")
Found_co = TypeVar("Found_co", covariant=True)

_AHEAD = 3  # maximum number of pending calls per worker process
_ENVIRONMENT = threading.Lock()  # held while a variable is set for a process that starts
LENGTH_BYTES = 4
"""Number of bytes before a message. These bytes state the length of the message."""


@dataclass(frozen=True, slots=True)
class Lost(Generic[Item]):
    """An item whose worker process died twice: in a call with other items, and in a call with only
    this item.
    """

    item: Item
    seconds: float  # duration of the second call, in seconds


class Call(Protocol[Found_co]):
    """A call that runs, or waits to run, in a worker process."""

    def result(self) -> Found_co:
        """Wait for the result and return it.

        Raises the exception of the call, or one of :attr:`Workers.deaths`.
        """


class Workers(Protocol):
    """A pool of worker processes, on this machine or in a cluster."""

    # exceptions that a call raises if the worker process died
    deaths: tuple[type[BaseException], ...]

    @property
    def count(self) -> int:
        """Number of calls that can run at the same time."""

    def submit(
        self, function: Callable[[list[Item]], list[Result]], items: list[Item]
    ) -> Call[list[Result]]:
        """Call ``function`` with ``items`` in a worker process, without waiting for the result."""

    def call(
        self, function: Callable[[list[Item]], list[Result]], items: list[Item]
    ) -> list[Result]:
        """Call ``function`` in a worker process that runs no other call, and wait for the
        result.
        """


class ProcessPool:
    """A pool of worker processes on this machine.

    Each process has a :class:`~concurrent.futures.ProcessPoolExecutor`.

    Worker processes start when needed, and end with this process, even if it is killed. Each thread
    that uses :meth:`call` has a separate worker process, so the death of a worker process fails
    only one call.
    """

    deaths: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, count: int) -> None:
        self.count = count
        self._threads = ThreadPoolExecutor(count)
        self._thread = threading.local()
        self._executors: dict[ProcessPoolExecutor, list[BaseProcess]] = {}
        """Map from each executor to its worker process."""
        self._busy: set[ProcessPoolExecutor] = set()

    def submit(
        self, function: Callable[[list[Item]], list[Result]], items: list[Item]
    ) -> Future[list[Result]]:
        """Call ``function`` with ``items`` in a worker process, without waiting for the result."""
        return self._threads.submit(self.call, function, items)

    def call(
        self, function: Callable[[list[Item]], list[Result]], items: list[Item]
    ) -> list[Result]:
        """Call ``function`` in the worker process of this thread.

        If it dies, the next call starts a new process.
        """
        executor: ProcessPoolExecutor | None = getattr(self._thread, "executor", None)
        if executor is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            context = multiprocessing.get_context("spawn")
            # each starts a process, and the first one ends the protection from Ctrl-C
            with _undisturbed():
                executor = ProcessPoolExecutor(1, context, initializer=_begin)
            with _undisturbed():
                before = multiprocessing.active_children()
                future = executor.submit(function, items)
                started = [one for one in multiprocessing.active_children() if one not in before]
            self._thread.executor = executor
            self._executors[executor] = started
        else:
            future = executor.submit(function, items)
        self._busy.add(executor)
        try:
            return future.result()
        except BrokenExecutor:
            self._thread.executor = None
            self._executors.pop(executor, None)
            executor.shutdown(wait=False)
            raise
        finally:
            if future.done():
                self._busy.discard(executor)

    def close(self) -> None:
        """End the worker processes, also those with a call: nobody waits for its result."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for executor, processes in list(self._executors.items()):
            if executor in self._busy:
                for process in processes:
                    process.kill()
            # an executor that shuts down while Python exits prints a traceback
            executor.shutdown(wait=True, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def call_in_order(
    workers: Workers,
    function: Callable[[list[Item]], list[Result]],
    items: Iterable[Item],
    batch_size: int,
) -> Iterator[Result | Lost[Item]]:
    """Yield the result of ``function`` for each item, in order.

    An item that kills a worker twice gives ``Lost``.

    ``function`` gets a list of at most ``batch_size`` items, and returns a list with one result per
    item. If a worker process dies, its items are retried one by one. At most ``_AHEAD`` lists per
    worker process are pending.
    """
    # Item 6 of 1 to 8 kills its worker, in batches of 4: 1-4 succeed, 5-8 fail; then 5 succeeds, 6
    # is Lost, 7 and 8 succeed.
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
    """Return the number of CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Context manager in which Python starts without Ctrl-C and without the working folder.

    A worker process would otherwise print a traceback if Ctrl-C comes while it starts, and run a
    ``multiprocessing.py`` of the folder in which a user checks a paper.
    """
    with _ENVIRONMENT:
        before = os.environ.get("PYTHONSAFEPATH")
        os.environ["PYTHONSAFEPATH"] = "1"
        # a child process begins with the mask of the thread that starts it
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            if sys.platform != "win32":
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            if before is None:
                del os.environ["PYTHONSAFEPATH"]
            else:
                os.environ["PYTHONSAFEPATH"] = before


def _begin() -> None:
    """Prepare a worker process: ignore Ctrl-C, and end when the parent process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if parent := parent_process():
        with suppress(OSError):
            parent.join()
        os._exit(1)


def command(module: str, *arguments: object) -> list[str]:
    """Return the command that runs a Python module.

    The working folder is not searched for modules to import.
    """
    return [sys.executable, "-P", "-m", module, *map(str, arguments)]


def environment() -> dict[str, str]:
    """Return the environment variables of this process for a child process, with ``sys.path`` as
    ``PYTHONPATH``.
    """
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
    }


def framed(content: bytes) -> bytes:
    """Return ``content`` as a message: the length of ``content`` in four bytes, then
    ``content``.
    """
    return len(content).to_bytes(LENGTH_BYTES) + content


def read_message(stream: IO[bytes]) -> bytes | None:
    """Return the content of the next message of ``stream``, or None if the stream ends before the
    message does.
    """
    head = stream.read(LENGTH_BYTES)
    length = int.from_bytes(head)
    content = stream.read(length)
    return content if len(head) == LENGTH_BYTES and len(content) == length else None
