"""Child processes that answer requests over pipes, one request at a time, in the order of arrival.

The parent process sends requests with :class:`Helper`. The child process calls :func:`answer_all`,
and ends when the parent closes the pipe. Messages are pickled. This is safe because only citeproof
writes to the pipes.
"""

import asyncio
import gc
import os
import pickle
import queue
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Self, cast

from citeproof.model.errors import DatabaseError
from citeproof.processes import LENGTH_BYTES, environment, framed, read_message
from citeproof.web.logs import log, places

# maximum seconds for which a child process runs after the parent has closed the pipe
_ENDING_SECONDS = 3.0
# seconds without a request after which a child process calls the function ``idle``
_IDLE_SECONDS = 60.0
# maximum number of bytes of an answer; a larger length shows that the data is not an answer
_MAX_BYTES = 1 << 27

Stopped = Callable[[], bool]
"""Function that returns whether the parent process has closed the pipe or ended."""
Answerer = Callable[[Any, Stopped], object]
"""Function that returns the answer to a request."""


class ProcessEndedError(DatabaseError):
    """Raised if the child process ended while it handled the request."""


class NotReachedError(DatabaseError):
    """Raised if the child process ended before it handled the request."""


class Helper:
    """A running child process that answers requests. Create it with :meth:`start`. Use it in one
    event loop only.
    """

    def __init__(self, process: asyncio.subprocess.Process, limit: float) -> None:
        self.process, self._limit = process, limit
        # futures of requests without an answer, oldest first
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._patience = asyncio.timeout(None)  # time-out of the next answer
        self._receiving = asyncio.create_task(self._receive())

    @classmethod
    async def start(cls, command: Sequence[str], limit: float) -> Self:
        """Run ``command`` as a child process. Kill it if an answer takes over ``limit`` seconds."""
        # In its own process group the child gets no Ctrl-C; the parent stops it.
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, env=environment(), process_group=0
        )
        helper = cls(process, limit)
        await asyncio.sleep(0)  # it begins to receive
        return helper

    @property
    def ended(self) -> bool:
        """Whether the process has ended or was killed, so that it answers no more requests."""
        return self._receiving.done()

    async def ask(self, question: object) -> Any:
        """Return the answer to ``question``.

        Raises the child's exception, or :class:`DatabaseError` without answer.
        """
        if self.ended:
            raise NotReachedError("the process has ended")
        waiter: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        cast("asyncio.StreamWriter", self.process.stdin).write(
            framed(pickle.dumps(question, pickle.HIGHEST_PROTOCOL))
        )
        if len(self._waiting) == 1:
            self._limit_next()
        return await waiter

    async def close(self, patience: float) -> None:
        """Stop the child process. Kill it if it still runs after ``patience`` seconds."""
        cast("asyncio.StreamWriter", self.process.stdin).close()
        await asyncio.wait([self._receiving], timeout=patience)
        self._receiving.cancel()  # this kills the child
        await self.process.wait()

    async def _receive(self) -> None:
        """Read answers and pass them to the waiting requests.

        Kill the child if an answer is late or invalid.
        """
        answers = cast("asyncio.StreamReader", self.process.stdout)
        ending: DatabaseError = ProcessEndedError(
            "the process ended at each attempt of this request"
        )
        try:
            async with self._patience:
                while True:
                    length = int.from_bytes(await answers.readexactly(LENGTH_BYTES))
                    if length > _MAX_BYTES:
                        raise ValueError("not a message")
                    # see above
                    outcome = pickle.loads(await answers.readexactly(length))  # noqa: S301
                    _settle(self._waiting.popleft(), outcome)
                    self._limit_next()
        except asyncio.IncompleteReadError:
            await self.process.wait()
        except TimeoutError:
            log.error("a child process gave no answer in %g seconds; it is killed", self._limit)
            ending = DatabaseError(f"no answer within {self._limit:g} seconds")
        except Exception as error:  # noqa: BLE001 - no caller may wait for ever
            log.error("a child process sent no answer: %s", type(error).__name__)
        finally:
            with suppress(ProcessLookupError):
                self.process.kill()
            # answers come in order, so the process ended at the oldest request
            for waiter in self._waiting:
                _settle(waiter, ending)
                ending = NotReachedError("the process ended")

    def _limit_next(self) -> None:
        """Restart the time-out for the next answer. Stop the time-out if no request is waiting."""
        self._patience.reschedule(
            asyncio.get_running_loop().time() + self._limit if self._waiting else None
        )


def _settle(waiter: asyncio.Future[Any], outcome: Any) -> None:
    if not waiter.done():  # else its request was cancelled
        (waiter.set_exception if isinstance(outcome, Exception) else waiter.set_result)(outcome)


def collect_rarely() -> None:
    """Run Python's garbage collector less often.

    This makes the look-up of an exact title 1.3 times as fast.

    By default Python collects after 700 new objects, but thirty concurrent requests have 10,000
    objects in use.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def answer_all(answer: Answerer, idle: Callable[[], object]) -> None:
    """Answer requests of the parent process until it closes the pipe.

    Call this in the main thread of a child process.

    ``idle()`` is called when no request has come for :data:`_IDLE_SECONDS`.
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
                asked = questions.get(timeout=_IDLE_SECONDS)
            except queue.Empty:
                idle()
                continue
            if asked is None:
                return
            answers.write(
                framed(pickle.dumps(_outcome(answer, asked[0], ended), pickle.HIGHEST_PROTOCOL))
            )
            answers.flush()
    except BrokenPipeError:
        os._exit(1)  # the parent has ended; a normal exit would fail to flush the buffer


def _read(questions: queue.SimpleQueue[Any], ended: threading.Event) -> None:
    """Put requests into the queue ``questions``.

    When the parent closes the pipe, set ``ended`` and end the process.
    """
    while content := read_message(sys.stdin.buffer):
        questions.put((pickle.loads(content),))  # noqa: S301 - see above
    ended.set()
    questions.put(None)
    threading.Event().wait(_ENDING_SECONDS)
    os._exit(1)


def _outcome(answer: Answerer, question: object, ended: threading.Event) -> object:
    """Return the answer to ``question``.

    If an exception is raised, return an exception that can be pickled.
    """
    try:
        return answer(question, ended.is_set)
    except Exception as error:  # noqa: BLE001 - the parent raises it
        sent = error
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
        except Exception:  # noqa: BLE001 - the exception's own code runs here
            sent = DatabaseError(f"{type(error).__name__}: {error}")
        sent.__notes__ = places(error)
        return sent
