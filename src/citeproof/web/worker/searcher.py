"""Long searches, done by a process of their own."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from citeproof import child_process
from citeproof.errors import DatabaseError
from citeproof.web.worker.messages import Claim, Question, Unpacker, packed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from citeproof.models import Lookup, Verdict
    from citeproof.runtime.jobs import JobDocument

_RETRY_SECONDS = 5.0
"""How long a question at which the process ends is asked again; then it is taken for the cause.

A process takes half a second to start, so that a question survives several ends that it did not cause.
"""
_PAUSES = (0.0, 0.1, 0.3, 1.0)
"""Seconds before such a question is asked for the second time, the third, and so on. Others pass it meanwhile."""

_log = logging.getLogger("citeproof.web")


class ProcessEndedError(DatabaseError):
    """The search process ended at this question."""


class NotReachedError(DatabaseError):
    """The search process ended before it came to this question."""


class Searcher:
    """Asks the search process, which it starts when needed, and again when it has ended.

    For one event loop. Questions are answered in the order in which they are asked.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Search with the process that ``command`` starts."""
        self._command = command
        self._process: _Process | None = None
        self._starting = asyncio.Lock()
        self._numbers = itertools.count()
        self._closed = False

    async def look_up(self, title: str, threshold: float, max_candidates: int) -> Lookup:
        """Return the answer to one title; raise what the search raises."""
        return cast("Lookup", await self._ask(Question(next(self._numbers), title, threshold, max_candidates)))

    async def verify(self, document: JobDocument, threshold: float) -> Verdict:
        """Return the verdict on the one reference of ``document``; raise what reading or verifying it raises."""
        return cast("Verdict", await self._ask(Claim(next(self._numbers), document, threshold)))

    async def _ask(self, question: Question | Claim) -> Lookup | Verdict:
        """Return what the process answers.

        A question at which the process ended is asked again for some seconds, because something else may have been
        the cause; then :class:`ProcessEndedError` is raised. Those behind it are asked again as often as needed.
        """
        pauses = itertools.chain(_PAUSES, itertools.repeat(_PAUSES[-1]))
        deadline = None
        while True:
            process = await self._running()
            try:
                return await process.ask(question)
            except NotReachedError:
                continue
            except ProcessEndedError:
                now = time.monotonic()
                deadline = deadline or now + _RETRY_SECONDS
                if now >= deadline:
                    raise
                await asyncio.sleep(next(pauses))

    async def start(self) -> None:
        """Start the process, so that the first search need not wait for it; where that fails, each search says so."""
        with suppress(OSError):
            await self._running()

    async def close(self, patience: float) -> None:
        """End the process; a search may go on for ``patience`` seconds. Nothing can be looked up afterwards."""
        self._closed = True
        if self._process:
            await self._process.close(patience)

    async def _running(self) -> _Process:
        if self._closed:
            raise DatabaseError("the search process was stopped")
        async with self._starting:
            if not self._process or self._process.ended.is_set():
                # A session of its own: Ctrl-C is for the service, whose end ends the process too.
                _, self._process = await asyncio.get_running_loop().subprocess_exec(
                    _Process, *self._command, stderr=None, env=child_process.environment(), start_new_session=True
                )
        return self._process


class _Process(asyncio.SubprocessProtocol):
    """A running search process."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self._unpacker = Unpacker()
        self._waiting: dict[int, asyncio.Future[Lookup | Verdict]] = {}

    async def ask(self, question: Question | Claim) -> Lookup | Verdict:
        """Return what the process answers."""
        if self.ended.is_set():
            raise NotReachedError("the search process ended")
        waiter: asyncio.Future[Lookup | Verdict] = asyncio.get_running_loop().create_future()
        self._waiting[question.number] = waiter
        self._questions.write(packed(question))
        return await waiter

    async def close(self, patience: float) -> None:
        """Let the process end, and kill it if it does not within ``patience`` seconds."""
        self._questions.close()
        try:
            await asyncio.wait_for(self.ended.wait(), patience)
        except TimeoutError:
            self._transport.kill()
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the pipes of the started process."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._questions = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Hand each answer to whoever waits for it; a process that sends anything else is ended."""
        try:
            for number, outcome in self._unpacker.feed(data):
                _settle(self._waiting.pop(number), outcome)
        except Exception as error:  # noqa: BLE001 - whatever it sent, nobody must wait for it for ever
            _log.error("the search process sent no answer: %s", type(error).__name__)
            self._transport.kill()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell all who wait that there will be no answer; answers come in order, so it ended at the oldest question."""
        self.ended.set()
        ending: DatabaseError = ProcessEndedError("the search process ended at this title again and again")
        for waiter in self._waiting.values():
            _settle(waiter, ending)
            ending = NotReachedError("the search process ended")
        self._waiting.clear()


def _settle(waiter: asyncio.Future[Lookup | Verdict], outcome: Lookup | Verdict | Exception) -> None:
    if waiter.done():  # its request was given up
        return
    if isinstance(outcome, Exception):
        waiter.set_exception(outcome)
    else:
        waiter.set_result(outcome)


def command_for(path: Path, index_dir: Path | None) -> list[str]:
    """Return what starts a search process over the database at ``path``."""
    folder = [index_dir] if index_dir else []
    return child_process.command("citeproof.web.worker.search_process", path, *folder)
