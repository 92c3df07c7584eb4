"""Send look-ups and single references to a search process, and restart it when it ends."""

from __future__ import annotations

import asyncio
import itertools
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, cast

from citeproof.model.errors import DatabaseError
from citeproof.processes import command
from citeproof.web.helper import Helper, NotReachedError, ProcessEndedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from citeproof.model.record import Candidate, Lookup
    from citeproof.model.verdict import Verdict
    from citeproof.store.runtime.jobs import JobDocument

ANSWER_SECONDS = 60.0
"""Time-out of one request; then the search process is killed."""
_RETRY_SECONDS = 5.0
"""Maximum time for retries of a request at which the process ended; then it is assumed to be the cause.

A process starts in half a second, so a request survives several ends that it did not cause.
"""
_PAUSES = (0.0, 0.1, 0.3, 1.0)
"""Seconds before the first retry, the second, and so on. Other requests are answered in the meantime."""


class Question(NamedTuple):
    """A title to look up."""

    title: str
    threshold: float
    max_candidates: int


class Claim(NamedTuple):
    """A document with one reference to verify."""

    document: JobDocument
    threshold: float


class Pasted(NamedTuple):
    """A text that may be titles."""

    document: JobDocument


class Nearest(NamedTuple):
    """A title that was not found, whose nearest works are wanted."""

    title: str


class Searcher:
    """Sends requests to the search process, and restarts it when it has ended. Used from one event loop."""

    def __init__(self, command: Sequence[str], limit: float = ANSWER_SECONDS) -> None:
        """``command`` starts the process; ``limit`` is the time-out of one request in seconds."""
        self._command = command
        self._limit = limit
        self._process: Helper | None = None
        self._starting = asyncio.Lock()
        self._closed = False

    async def look_up(self, title: str, threshold: float, max_candidates: int) -> Lookup:
        """Look up one title. Raises the exceptions of the search."""
        return cast("Lookup", await self._ask(Question(title, threshold, max_candidates)))

    async def verify(self, document: JobDocument, threshold: float) -> Verdict:
        """Return the verdict on the one reference of ``document``. Raises the exceptions of reading and verifying."""
        return cast("Verdict", await self._ask(Claim(document, threshold)))

    async def titles(self, document: JobDocument) -> tuple[str, ...]:
        """Return the titles of a text that is taken for one or for several; none of any other text."""
        return cast("tuple[str, ...]", await self._ask(Pasted(document)))

    async def nearest(self, title: str) -> tuple[Candidate, ...]:
        """Return the works with the titles nearest to ``title``, best first."""
        return cast("tuple[Candidate, ...]", await self._ask(Nearest(title)))

    async def _ask(self, question: object) -> object:
        """Return the answer of the process.

        A request at which the process ended is retried for :data:`_RETRY_SECONDS`, because the process may have ended
        for another reason; then :class:`ProcessEndedError` is raised. Later requests are retried without a limit.
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
        """Start the process ahead of the first search. If that fails, each search raises the error."""
        with suppress(OSError):
            await self._running()

    async def close(self, patience: float) -> None:
        """Stop the process; a running search may take ``patience`` seconds. Later searches fail."""
        self._closed = True
        if self._process:
            await self._process.close(patience)

    async def _running(self) -> Helper:
        if self._closed:
            raise DatabaseError("the search process was stopped")
        async with self._starting:
            if not self._process or self._process.ended.is_set():
                self._process = await Helper.start(self._command, self._limit)
        return self._process


def command_for(path: Path, index_dir: Path | None) -> list[str]:
    """Return the command of a search process over the database at ``path``, with its title index in ``index_dir``."""
    return command("citeproof.web.search_process", path, *filter(None, [index_dir]))
