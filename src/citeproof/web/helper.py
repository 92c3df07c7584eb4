"""Child processes that answer requests over pipes, one request at a time, in the order of arrival.

The parent process sends requests with :class:`Helper`. The child process calls :func:`answer_all`,
and ends when the parent closes the pipe. Messages are pickled. This is safe because only citeproof
writes to the pipes.
"""

import asyncio
import gc
import pickle
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Self, cast

from citeproof import processes
from citeproof.model.errors import DatabaseError
from citeproof.processes import LENGTH_BYTES, Answerer, Stopped, environment, framed
from citeproof.web.logs import log, places

# maximum number of bytes of an answer; a larger length shows that the data is not an answer
_MAX_BYTES = 1 << 27


class ProcessEndedError(DatabaseError):
    """Raised if the child process ended while it handled the request, which may have caused the
    end.
    """


class NotReachedError(DatabaseError):
    """Raised if the child process ended before it began to handle the request, which can therefore
    be sent again.
    """


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
        await asyncio.sleep(0)  # lets the task that receives answers begin
        return helper

    @property
    def ended(self) -> bool:
        """Whether the process has ended or was killed, so that it answers no more requests."""
        return self._receiving.done()

    async def ask(self, question: object) -> Any:
        """Return the answer to ``question``.

        Raises the exception that the child process raised, or :class:`DatabaseError` if the child
        process gives no answer.
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
                    # safe, because only citeproof writes to the pipe
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
        """Restart the time-out for the next answer, or stop it if no request is waiting."""
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
    """Answer requests of the parent process as :func:`processes.answer_all` does, but with a
    function ``answer`` that may raise exceptions. ``idle()`` is called when there was no request
    for a while.
    """
    processes.answer_all(partial(_outcome, answer), idle)


def _outcome(answer: Answerer, question: object, stopped: Stopped) -> object:
    """Return the answer to ``question``.

    If an exception is raised, return an exception that can be pickled.
    """
    found = processes.outcome(partial(answer, question, stopped), DatabaseError)
    if isinstance(found, Exception):
        found.__notes__ = places(found)
    return found
