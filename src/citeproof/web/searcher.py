"""The search process: a child process of a server process that looks up titles and verifies
references.

It is started by ``python -m citeproof.web.searcher DATABASE [INDEX_DIR]``.
"""

import asyncio
import itertools
import logging
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TypeVar, TypeVarTuple, cast

from citeproof.model.errors import DatabaseError, InputError
from citeproof.model.record import Candidate, Lookup
from citeproof.model.reference import NOWHERE, Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.processes import command
from citeproof.store.runtime.jobs import JobDocument
from citeproof.verification.evidence.line import basis, evidence
from citeproof.verification.session import Session
from citeproof.web.helper import (
    Helper,
    NotReachedError,
    ProcessEndedError,
    answer_all,
    collect_rarely,
)
from citeproof.web.jobs.documents import begin
from citeproof.web.reloading_database import ReloadingDatabase, open_reloading

Values = TypeVarTuple("Values")
Answer = TypeVar("Answer")

# seconds after which the search process is killed if it has not answered a request
_ANSWER_SECONDS = 60.0
# maximum seconds for which a request is retried after the search process has ended
_RETRY_SECONDS = 5.0
_PAUSES = (0.0, 0.1, 0.3, 1.0)  # seconds before the first retry, the second retry, and so on
_NEAR_FROM = 0.7  # minimum similarity, 0 to 1, of titles that Searches.nearest returns
# maximum number of titles that Searches.nearest compares, in about 50 milliseconds
_MOST_COMPARED = 20_000
_MOST_NEAREST = 5  # maximum number of works that Searches.nearest returns


@dataclass(frozen=True, slots=True)
class Searches:
    """Searches that the search process offers. A request has the name and the arguments of one of
    these methods.
    """

    reloading: ReloadingDatabase

    def look_up(
        self, title: str, threshold: float, max_candidates: int, every: bool = False
    ) -> Lookup:
        """Look up ``title``.

        A work is found if its title has at least the similarity ``threshold``, 0 to 1. If ``every``
        is true, all works that reach ``threshold`` are returned instead of only the most similar.
        """
        with self.reloading.borrow() as database:
            return database.look_up_text(title, threshold, max_candidates, every=every)

    def nearest(self, title: str) -> tuple[Candidate, ...]:
        """Return up to 5 works whose titles have a similarity of at least 0.7 to ``title``. If
        there are none, return only the most similar work.
        """
        with self.reloading.borrow() as database:
            alike = database.look_up(title, _NEAR_FROM, _MOST_COMPARED, every=True).candidates
            return alike[:_MOST_NEAREST] or tuple(filter(None, [database.nearest(title)]))

    def titles(self, document: JobDocument) -> tuple[str, ...]:
        """Return the titles in ``document`` if it consists only of titles; otherwise return an
        empty tuple.
        """
        reading = begin(document, holds=self.reloading.holds)
        if reading.taken_for not in {"title", "titles"}:
            return ()
        return tuple(
            entry.title
            for entry in reading.read().entries
            if isinstance(entry, Reference) and entry.title
        )

    def verify(self, document: JobDocument, threshold: float) -> Verdict:
        """Verify the only reference in ``document``.

        Raises :class:`InputError` if there is not exactly one.
        """
        entries = begin(document, holds=self.reloading.holds).read().entries
        if len(entries) != 1:
            said = (
                f"The text has {len(entries)} references, but this endpoint verifies one "
                "reference. Send lists to /api/verify."
            )
            raise InputError(said)
        with self.reloading.borrow() as database:
            return next(Session.over(database, threshold).stream(entries))

    def case(self, reference: Reference, threshold: float) -> tuple[Status, str]:
        """Verify ``reference``.

        Return two values: the status of the verdict, and the line of an evidence file, without the
        text and position of the entry.
        """
        with self.reloading.borrow() as database:
            session = Session.over(database, threshold)
            examination = session.pipeline.examine(reference)
            line = evidence(
                examination, session.validator, basis(database.describe()), date.today()
            )
        bare = replace(line.reference, raw="", note="", place=NOWHERE)
        return examination.verdict.status, line.model_copy(update={"reference": bare}).packed()


class Searcher:
    """Sends requests to a search process, which is restarted if it ends. Use it in one asyncio
    event loop only.
    """

    def __init__(self, command: Sequence[str], limit: float = _ANSWER_SECONDS) -> None:
        """``command`` starts the process. ``limit`` is the time-out of a request in seconds."""
        self._command, self._limit = command, limit
        self._process: Helper | None = None
        self._starting, self._closed = asyncio.Lock(), False

    async def ask(self, search: Callable[[Searches, *Values], Answer], *values: *Values) -> Answer:
        """Call the method ``search`` of :class:`Searches` in the search process.

        Return the result or raise the error.

        If the process ends during a call, the call is tried again. After 5 seconds,
        :class:`ProcessEndedError` is raised.
        """
        pauses = itertools.chain(_PAUSES, itertools.repeat(_PAUSES[-1]))
        deadline = None
        while True:
            process = await self._running()
            try:
                return cast("Answer", await process.ask((search.__name__, values)))
            except NotReachedError:
                continue
            except ProcessEndedError:
                now = time.monotonic()
                deadline = deadline or now + _RETRY_SECONDS
                if now >= deadline:
                    raise
                await asyncio.sleep(next(pauses))

    async def start(self) -> None:
        """Start the search process, so that the first search is fast.

        Errors are ignored here, because the first search will report them.
        """
        with suppress(OSError):
            await self._running()

    async def close(self, patience: float) -> None:
        """Stop the search process.

        Wait up to ``patience`` seconds for a running search. Later searches fail.
        """
        self._closed = True
        if self._process:
            await self._process.close(patience)

    async def _running(self) -> Helper:
        if self._closed:
            raise DatabaseError("the search process was stopped")
        async with self._starting:
            if not self._process or self._process.ended:
                self._process = await Helper.start(self._command, self._limit)
        return self._process


def command_for(path: Path, index_dir: Path | None) -> list[str]:
    """Return the command that starts a search process for the database ``path`` with the index in
    ``index_dir``.
    """
    return command("citeproof.web.searcher", path, *filter(None, [index_dir]))


def main() -> None:
    """Answer search requests of the parent process until the parent process ends."""
    logging.disable()  # the parent watches the same files and logs their errors
    searches = Searches(open_reloading(*map(Path, sys.argv[1:])))
    collect_rarely()
    answer_all(lambda asked, _: getattr(searches, asked[0])(*asked[1]), searches.reloading.renew)


if __name__ == "__main__":
    main()
