"""Work dealt out to other processes, its results in order. A process that dies costs the item it died of.

A function is called in another process with some items, and returns one result for each. Where the process dies, the
items are tried once more by themselves: first together, then half by half. Example: of the items 1 to 8 the item 6
kills its process. 1-8 fails, 1-4 succeeds, 5-8 fails, 5-6 fails, 5 succeeds, 6 is lost, 7-8 succeeds.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""Calls for each process that are dealt out before the first result is taken: one at work, two waiting."""
PRELOADED = "citeproof.opening"
"""What is imported once for all processes, where the system can fork."""


@dataclass(frozen=True, slots=True)
class Lost(Generic[Item]):
    """An item that its process did not survive, twice."""

    item: Item
    seconds: float
    """How long the process lived with it by itself."""


class Workers(Protocol):
    """Processes that call functions: of this machine, or of a cluster."""

    @property
    def count(self) -> int:
        """How many processes work at the same time."""

    deaths: tuple[type[BaseException], ...]
    """What a future raises when the process that worked on it died."""

    def submit(self, function: Callable[[list[Item]], list[Result]], items: list[Item]) -> Future[list[Result]]:
        """Have ``function`` called with ``items`` in one of the processes."""

    def alone(self, function: Callable[[list[Item]], list[Result]], items: list[Item]) -> Future[list[Result]]:
        """Do the same where nothing else is at work, so that a death is the fault of ``items``."""


class ProcessPool:
    """Processes of this machine, which end with this one however it ends."""

    deaths: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, count: int) -> None:
        """Work in ``count`` processes; they begin with the first work."""
        self._count = count
        self._executor: Executor | None = None
        self._single: Executor | None = None

    @property
    def count(self) -> int:
        """How many processes there are."""
        return self._count

    def submit(self, function: Callable[[list[Item]], list[Result]], items: list[Item]) -> Future[list[Result]]:
        """Have ``function`` called with ``items`` in one of the processes, in new ones where one has died."""
        try:
            self._executor = self._executor or _executor(self._count)
            return self._executor.submit(function, items)
        except BrokenExecutor:
            self._executor = _executor(self._count)
            return self._executor.submit(function, items)

    def alone(self, function: Callable[[list[Item]], list[Result]], items: list[Item]) -> Future[list[Result]]:
        """Do the same in a process of its own."""
        try:
            self._single = self._single or _executor(1)
            return self._single.submit(function, items)
        except BrokenExecutor:
            self._single = _executor(1)
            return self._single.submit(function, items)

    def close(self) -> None:
        """Drop what has not begun, and let the processes end."""
        for executor in filter(None, (self._executor, self._single)):
            executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._single = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def call_in_order(
    workers: Workers, function: Callable[[list[Item]], list[Result]], items: Iterable[Item], most: int
) -> Iterator[Result | Lost[Item]]:
    """Yield the result of ``function`` for each of ``items``, in their order, ``most`` of them in one call.

    A few calls are under way at a time, whatever the number of items, so that memory is bounded. What ``function``
    raises is raised here. Those under way when nobody wants further results are dropped with the workers: a signal to
    all processes of a run would find cancelled futures in a broken pool, which prints a traceback.
    """
    waiting: deque[tuple[list[Item], Future[list[Result]]]] = deque()
    for some in _batches(items, most):
        waiting.append((some, workers.submit(function, some)))
        if len(waiting) >= AHEAD * workers.count:
            yield from _results(workers, function, *waiting.popleft())
    while waiting:
        yield from _results(workers, function, *waiting.popleft())


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _batches(items: Iterable[Item], most: int) -> Iterator[list[Item]]:
    remaining = iter(items)
    while some := list(islice(remaining, most)):
        yield some


def _results(
    workers: Workers,
    function: Callable[[list[Item]], list[Result]],
    items: list[Item],
    future: Future[list[Result]],
) -> Iterator[Result | Lost[Item]]:
    try:
        yield from future.result()
    except workers.deaths:
        yield from _again(workers, function, items)


def _again(
    workers: Workers, function: Callable[[list[Item]], list[Result]], items: list[Item]
) -> Iterator[Result | Lost[Item]]:
    """Try ``items`` by themselves, and the half that kills its process by quarters, down to single ones."""
    began = monotonic()
    try:
        yield from workers.alone(function, items).result()
    except workers.deaths:
        if len(items) == 1:
            yield Lost(items[0], monotonic() - began)
            return
        middle = len(items) // 2
        yield from _again(workers, function, items[:middle])
        yield from _again(workers, function, items[middle:])


def _executor(count: int) -> Executor:
    """Return processes that share no state with this one; threads of ours make a plain fork unsafe."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if context.get_start_method() == "forkserver":
        context.set_forkserver_preload([PRELOADED])
    return ProcessPoolExecutor(count, context, initializer=_begin)


def _begin() -> None:
    """Leave Ctrl-C to the process that deals the work out, and end with it even when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing
    from multiprocessing.connection import wait

    if parent := multiprocessing.parent_process():
        with suppress(OSError):
            wait([parent.sentinel])
        os._exit(1)
