"""Child processes that answer requests over pipes, one at a time, in the order of arrival.

The parent sends requests with :class:`Helper` from its event loop. The child calls :func:`answer_all`. It ends when its
standard input is closed, so it never outlives the parent. Messages are pickled; only citeproof writes to the pipes.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import logging
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Self, cast

from citeproof.model.errors import DatabaseError
from citeproof.processes import LENGTH_BYTES, environment, framed
from citeproof.web.logs import places

ENDING_SECONDS = 3.0
"""Maximum time that a child runs after its input was closed."""
IDLE_SECONDS = 60.0
"""Time without a request after which a child calls ``idle``."""
_READ_BYTES = 1 << 16
"""Maximum bytes of one read from the pipe."""
_MAX_BYTES = 1 << 27
"""Maximum length of a message. Text that a library prints into the pipe is larger if it is read as a length."""

_log = logging.getLogger("citeproof.web")


class ProcessEndedError(DatabaseError):
    """The process ended while it handled this request."""


class NotReachedError(DatabaseError):
    """The process ended before it handled this request."""


class StalledError(DatabaseError):
    """The process did not answer this request in time and was killed."""


class Unframer:
    """Splits a stream of bytes into messages."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the messages that are complete with ``data``; raise :class:`ValueError` if a length is too large."""
        self._data += data
        while len(self._data) >= LENGTH_BYTES:
            end = LENGTH_BYTES + int.from_bytes(self._data[:LENGTH_BYTES])
            if end > _MAX_BYTES:
                raise ValueError("not a message")
            if len(self._data) < end:
                return
            content = bytes(self._data[LENGTH_BYTES:end])
            del self._data[:end]
            yield content


class Helper(asyncio.SubprocessProtocol):
    """A running child process. Used from one event loop."""

    def __init__(self, limit: float) -> None:
        self.ended = asyncio.Event()
        self._limit = limit
        self._unframer = Unframer()
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._stall: asyncio.TimerHandle | None = None

    @classmethod
    async def start(cls, command: Sequence[str], limit: float) -> Self:
        """Run ``command``. The child is killed if one answer takes longer than ``limit`` seconds.

        Raises :class:`OSError` if it cannot be started.
        """
        # In its own process group the child gets no Ctrl-C; the parent stops it.
        _, helper = await asyncio.get_running_loop().subprocess_exec(
            lambda: cls(limit), *command, stderr=None, env=environment(), process_group=0
        )
        return helper

    async def ask(self, question: object) -> Any:
        """Return the answer to a request.

        Raises the exception that the child raised, :class:`ProcessEndedError`, :class:`NotReachedError` or
        :class:`StalledError`.
        """
        if self.ended.is_set():
            raise NotReachedError("the process has ended")
        waiter: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        number = next(self._numbers)
        self._waiting[number] = waiter
        self._questions.write(framed(pickle.dumps((number, question), pickle.HIGHEST_PROTOCOL)))
        self._stall = self._stall or self._watch()
        return await waiter

    async def close(self, patience: float) -> None:
        """Stop the child; kill it if it still runs after ``patience`` seconds."""
        self._questions.close()
        try:
            await asyncio.wait_for(self.ended.wait(), patience)
        except TimeoutError:
            self._kill()
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the pipes of the started process."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._questions = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Return the answers that have arrived to their callers; kill a process that sends anything else."""
        try:
            for content in self._unframer.feed(data):
                number, outcome = pickle.loads(content)  # noqa: S301 - see above
                _settle(self._waiting.pop(number), outcome)
        except Exception as error:  # noqa: BLE001 - no caller may wait for ever
            _log.error("a child process sent no answer: %s", type(error).__name__)
            self._kill()
        if self._stall:
            self._stall.cancel()
            self._stall = self._watch() if self._waiting else None

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the open requests. Answers come in order, so the process ended at the oldest request."""
        self.ended.set()
        if self._stall:
            self._stall.cancel()
        ending: DatabaseError = ProcessEndedError("the process ended at each attempt of this request")
        for waiter in self._waiting.values():
            _settle(waiter, ending)
            ending = NotReachedError("the process ended")
        self._waiting.clear()

    def _watch(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._limit, self._stalled)

    def _stalled(self) -> None:
        _log.error("a child process gave no answer in %g seconds; it is killed", self._limit)
        if self._waiting:
            oldest = self._waiting.pop(next(iter(self._waiting)))
            _settle(oldest, StalledError(f"no answer within {self._limit:g} seconds"))
        waiting, self._waiting = self._waiting, {}
        for waiter in waiting.values():
            _settle(waiter, NotReachedError("the process was killed"))
        self.ended.set()
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            self._transport.kill()


def _settle(waiter: asyncio.Future[Any], outcome: Any) -> None:
    if waiter.done():  # its request was cancelled
        return
    if isinstance(outcome, Exception):
        waiter.set_exception(outcome)
    else:
        waiter.set_result(outcome)


def collect_rarely() -> None:
    """Collect garbage less often, in a process that answers many requests.

    Thirty concurrent requests have about 10,000 objects, and none of them is garbage. With Python's default threshold
    of 700 new objects, a request for an exact title takes 1.3 times as long.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def answer_all(answer: Callable[[Any, Callable[[], bool]], object], idle: Callable[[], object]) -> None:
    """Answer the parent's requests until it closes the pipe. Call it in the main thread of a child.

    ``answer(request, stopped)`` returns the answer; ``stopped()`` is true when the parent has closed the pipe or has
    ended. ``idle`` is called after each minute without a request.
    """
    # A terminal or systemd sends these to all processes; the parent handles them.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # printed text must not be read as an answer
    questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
    ended = threading.Event()
    threading.Thread(target=_read, args=(questions, ended), daemon=True).start()
    try:
        while True:
            try:
                asked = questions.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                idle()
                continue
            if asked is None:
                return
            number, question = asked
            answers.write(framed(pickle.dumps((number, _outcome(answer, question, ended)), pickle.HIGHEST_PROTOCOL)))
            answers.flush()
    except BrokenPipeError:
        os._exit(1)  # the parent has ended; a normal exit would fail to flush the buffer


def _read(questions: queue.SimpleQueue[Any], ended: threading.Event) -> None:
    """Queue the parent's requests. When it closes the pipe, end the process after :data:`ENDING_SECONDS`."""
    unframer = Unframer()
    while data := os.read(sys.stdin.fileno(), _READ_BYTES):
        for content in unframer.feed(data):
            questions.put(pickle.loads(content))  # noqa: S301 - see above
    ended.set()
    questions.put(None)
    threading.Event().wait(ENDING_SECONDS)
    os._exit(1)


def _outcome(answer: Callable[[Any, Callable[[], bool]], object], question: object, ended: threading.Event) -> object:
    """Return the answer, or the exception with the places of its stack frames as notes."""
    try:
        return answer(question, ended.is_set)
    except Exception as error:  # noqa: BLE001 - the parent raises it
        sent = _portable(error)
        sent.__notes__ = places(error)
        return sent


def _portable(error: Exception) -> Exception:
    """Return ``error``, or a :class:`DatabaseError` with its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:  # noqa: BLE001 - the exception's own code runs here
        return DatabaseError(f"{type(error).__name__}: {error}")
    return error
