"""Long searches, done by a process of their own."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from citeproof.errors import DatabaseError
from citeproof.models import Lookup
from citeproof.web.messages import Question, Unpacker, packed

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLOSING_SECONDS = 5.0
"""How long a search may go on after the service has stopped."""


class ProcessEndedError(DatabaseError):
    """The search process ended before it answered."""


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

    async def look_up(self, title: str, threshold: float, max_candidates: int) -> Lookup:
        """Return the answer to one title; raise what the search raises.

        A question that the process took with it is asked once more, because another one may have been the cause;
        then :class:`ProcessEndedError` is raised.
        """
        question = Question(next(self._numbers), title, threshold, max_candidates)
        with suppress(ProcessEndedError):
            return await (await self._running()).ask(question)
        return await (await self._running()).ask(question)

    async def start(self) -> None:
        """Start the process, so that the first search need not wait for it; where that fails, each search says so."""
        with suppress(OSError):
            await self._running()

    async def close(self) -> None:
        """End the process."""
        if self._process:
            await self._process.close()

    async def _running(self) -> _Process:
        async with self._starting:
            if not self._process or self._process.ended.is_set():
                start = asyncio.get_running_loop().subprocess_exec
                _, self._process = await start(_Process, *self._command, stderr=None, env=_environment())
        return self._process


class _Process(asyncio.SubprocessProtocol):
    """A running search process."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self._unpacker = Unpacker()
        self._waiting: dict[int, asyncio.Future[Lookup]] = {}

    async def ask(self, question: Question) -> Lookup:
        """Return what the process answers."""
        if self.ended.is_set():
            raise ProcessEndedError("the search process ended")
        waiter: asyncio.Future[Lookup] = asyncio.get_running_loop().create_future()
        self._waiting[question.number] = waiter
        self._questions.write(packed(question))
        return await waiter

    async def close(self) -> None:
        """Let the process end, and kill it if it does not."""
        self._questions.close()
        try:
            await asyncio.wait_for(self.ended.wait(), _CLOSING_SECONDS)
        except TimeoutError:
            self._transport.kill()
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the pipes of the started process."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._questions = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Hand each answer to whoever waits for it."""
        for number, outcome in self._unpacker.feed(data):
            waiter = self._waiting.pop(number)
            if waiter.done():  # its request was given up
                continue
            if isinstance(outcome, Lookup):
                waiter.set_result(outcome)
            else:
                waiter.set_exception(outcome)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell all who wait that there will be no answer."""
        self.ended.set()
        for waiter in self._waiting.values():
            if not waiter.done():
                waiter.set_exception(ProcessEndedError("the search process ended"))
        self._waiting.clear()


def command_for(path: Path, index_dir: Path | None) -> list[str]:
    """Return what starts a search process over the database at ``path``."""
    folder = [str(index_dir)] if index_dir else []
    return [sys.executable, "-P", "-m", "citeproof.web.search_process", str(path), *folder]


def _environment() -> dict[str, str]:
    """Return our own environment, with modules to be found where we found them and nowhere else."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)}
