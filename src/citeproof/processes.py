"""Run functions in pools of worker processes, and exchange messages with child processes."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import IO, Any, Generic, Protocol, Self, TypeVar, cast

Item = TypeVar("Item")
Result = TypeVar("Result")
Found_co = TypeVar("Found_co", covariant=True)

_AHEAD = 3  # maximum number of pending calls per process
# maximum seconds for which a child process runs after the parent has closed the pipe
_ENDING_SECONDS = 3.0
# a child process calls the function ``idle`` after this many seconds without a question
_IDLE_SECONDS = 60.0
LENGTH_BYTES = 4
"""Number of bytes before a message. These bytes state the length of the message."""
Stopped = Callable[[], bool]
"""Type of a function that returns whether the parent process has closed the pipe or ended."""
Answerer = Callable[[Any, Stopped], object]
"""Type of a function that takes a question of the parent process, and returns the answer. Its
second argument says whether to stop early.
"""


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

    def done(self) -> bool:
        """Return whether the call has ended."""

    def cancel(self) -> bool:
        """Cancel the call if it has not begun. Return whether it was cancelled."""


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


class DeadWorkerError(Exception):
    """Raised if a worker process died during a call."""


class ProcessPool:
    """A pool of worker processes on this machine.

    Worker processes start when needed, and end with this process, even if it is killed. Each thread
    that uses :meth:`call` has a separate worker process, so the death of a worker process fails
    only one call.
    """

    deaths: tuple[type[BaseException], ...] = (DeadWorkerError,)

    def __init__(self, count: int) -> None:
        self.count = count
        self._threads = ThreadPoolExecutor(count)
        self._thread = threading.local()
        self._workers: set[_Worker] = set()

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
        worker: _Worker | None = getattr(self._thread, "worker", None)
        if worker is None:
            worker = self._thread.worker = _Worker()
            self._workers.add(worker)
        try:
            answer = worker.ask((function, items))
        except DeadWorkerError:
            self._thread.worker = None
            self._workers.discard(worker)
            worker.close()
            raise
        if isinstance(answer, Exception):
            raise answer
        return cast("list[Result]", answer)

    def close(self) -> None:
        """End the worker processes, even those that run a call. The results of these calls are
        lost.
        """
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in list(self._workers):
            worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Worker:
    """A worker process. Its garbage collector has the same thresholds as that of this process."""

    def __init__(self) -> None:
        import subprocess  # most runs start no worker

        # The worker has its own process group, so that it gets no Ctrl-C. It ends with this
        # process.
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            command(__name__, *gc.get_threshold()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            process_group=0,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._questions, self._answers = self._process.stdin, self._process.stdout
        self._asked = threading.Lock()  # held during a call

    def ask(self, question: object) -> object:
        """Return the answer to ``question``. Raises :class:`DeadWorkerError`."""
        asked = framed(pickle.dumps(question, pickle.HIGHEST_PROTOCOL))
        with self._asked:
            try:
                self._questions.write(asked)
                self._questions.flush()
                answer = read_message(self._answers)
            # the process died during the call, or was closed before the call
            except (OSError, ValueError):
                answer = None
        if answer is None:
            raise DeadWorkerError
        return pickle.loads(answer)  # noqa: S301 - written by our own child

    def close(self) -> None:
        """End the process. If it runs a call, it is killed."""
        if not self._asked.acquire(blocking=False):
            self._process.kill()
            self._asked.acquire()
        with suppress(OSError):
            self._questions.close()
        self._answers.close()
        self._process.wait()
        self._asked.release()


def call_in_order(
    workers: Workers,
    function: Callable[[list[Item]], list[Result]],
    items: Iterable[Item],
    batch_size: int,
    here: Callable[[list[Item]], list[Result]] | None = None,
) -> Iterator[Result | Lost[Item]]:
    """Yield the result of ``function`` for each item, in order.

    For an item that kills a worker twice, yield ``Lost``.

    ``function`` gets a list of at most ``batch_size`` items, and returns a list with one result per
    item. If a worker process dies, its items are retried one by one. At most ``_AHEAD`` lists per
    process are pending. While this process waits for a result, it calls ``here`` with lists that no
    worker has begun.
    """
    # Example: items 1 to 8 are sent in batches of 4, and item 6 kills its worker. Items 1 to 4
    # succeed. The batch of items 5 to 8 fails, so these items are sent one by one: 5, 7 and 8
    # succeed, and 6 becomes Lost.
    remaining = iter(items)
    waiting: deque[tuple[list[Item], Call[list[Result]]]] = deque()
    most = _AHEAD * (workers.count + (here is not None))
    while (batch := list(islice(remaining, batch_size))) or waiting:
        if batch:
            waiting.append((batch, workers.submit(function, batch)))
        if not batch or len(waiting) >= most:
            if here:
                _help(waiting, here)
            batch, call = waiting.popleft()
            try:
                results = call.result()
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


def _help(
    waiting: deque[tuple[list[Item], Call[list[Result]]]],
    here: Callable[[list[Item]], list[Result]],
) -> None:
    """Take calls of ``waiting`` that have not begun, and run them in this process with the function
    ``here``. Stop when the first call of ``waiting`` is done.
    """
    for place, (batch, call) in enumerate(waiting):
        if waiting[0][1].done():
            return
        if call.cancel():
            helped = Future[list[Result]]()
            helped.set_result(here(batch))
            waiting[place] = batch, helped


def cores() -> int:
    """Return the number of CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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


def answer_all(answer: Answerer, idle: Callable[[], object]) -> None:
    """Answer the questions of the parent process, which are pickled, until it closes the pipe.

    Call this in the main thread of a child process. ``answer`` must return exceptions instead of
    raising them. ``idle()`` is called after :data:`_IDLE_SECONDS` without a question.
    """
    # A terminal or systemd sends these signals to all processes; the parent handles them.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # standard output carries the answers, so printed text goes to standard error
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    questions: SimpleQueue[Any] = SimpleQueue()
    ended = threading.Event()
    threading.Thread(target=_read, args=(questions, ended), daemon=True).start()
    try:
        while True:
            try:
                asked = questions.get(timeout=_IDLE_SECONDS)
            except Empty:
                idle()
                continue
            if asked is None:
                return
            answers.write(
                framed(pickle.dumps(answer(asked[0], ended.is_set), pickle.HIGHEST_PROTOCOL))
            )
            answers.flush()
    except BrokenPipeError:
        os._exit(1)  # the parent has ended; a normal exit would fail to flush the buffer


def _read(questions: SimpleQueue[Any], ended: threading.Event) -> None:
    """Read the questions of the parent process from standard input, and put them into the queue
    ``questions``.

    When the parent closes the pipe, set ``ended``, and end this process soon after.
    """
    while content := read_message(sys.stdin.buffer):
        questions.put((pickle.loads(content),))  # noqa: S301 - written by our own parent
    ended.set()
    questions.put(None)
    threading.Event().wait(_ENDING_SECONDS)
    os._exit(1)


def outcome(answer: Callable[[], object], failure: type[Exception]) -> object:
    """Call ``answer``. Return its result or, if it raises an exception, this exception.

    An exception that cannot be pickled is replaced by an exception of the type ``failure``.
    """
    try:
        return answer()
    except Exception as error:  # noqa: BLE001 - the parent raises it
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
        except Exception:  # noqa: BLE001 - the exception's own code runs here
            said = failure(f"{type(error).__name__}: {error}")
            return said.with_traceback(error.__traceback__)
        return error


def _called(call: tuple[Callable[[list[Item]], list[Result]], list[Item]], _: Stopped) -> object:
    function, items = call
    return outcome(partial(function, items), RuntimeError)


if __name__ == "__main__":
    gc.set_threshold(*map(int, sys.argv[1:]))
    answer_all(_called, tuple)
