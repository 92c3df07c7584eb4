"""The search process of a server process: ``python -m citeproof.web.searcher DATABASE [INDEX_DIR]``."""

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

from citeproof.database.lookup import NEAREST_FROM
from citeproof.model.errors import DatabaseError, InputError
from citeproof.model.record import Candidate, Lookup
from citeproof.model.reference import NOWHERE, Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.processes import command
from citeproof.store.runtime.jobs import JobDocument
from citeproof.verification.evidence.line import basis, evidence
from citeproof.verification.session import Session
from citeproof.web.helper import Helper, NotReachedError, ProcessEndedError, answer_all, collect_rarely
from citeproof.web.jobs.reading import begin
from citeproof.web.reloading_database import ReloadingDatabase, open_reloading

Values = TypeVarTuple("Values")
Answer = TypeVar("Answer")

_ANSWER_SECONDS = 60.0  # seconds after which the search process is killed if it has not answered a request
_RETRY_SECONDS = 5.0  # maximum seconds of retries of a request; a process starts in half a second
_PAUSES = (0.0, 0.1, 0.3, 1.0)  # seconds before the first retry, the second retry, and so on
_NEAR_FROM = 0.7  # minimum similarity of the titles of the nearest works
_MOST_COMPARED = 20_000  # maximum number of titles compared to find the nearest works, in some 50 milliseconds
_MOST_NEAREST = 5  # maximum number of nearest works that are returned


@dataclass(frozen=True, slots=True)
class Searches:
    """The kinds of searches in one database. The search process calls the method whose name is in a request."""

    reloading: ReloadingDatabase

    def look_up(self, title: str, threshold: float, max_candidates: int) -> Lookup:
        """Look up one title."""
        with self.reloading.borrow() as database:
            return database.look_up_text(title, threshold, max_candidates, nearest_from=NEAREST_FROM)

    def nearest(self, title: str) -> tuple[Candidate, ...]:
        """Return the works with similar titles, best first; without any, the work with the rarest shared words."""
        with self.reloading.borrow() as database:
            alike = database.look_up(title, _NEAR_FROM, _MOST_COMPARED).candidates[:_MOST_NEAREST]
            return alike or tuple(filter(None, [database.nearest(title)]))

    def titles(self, document: JobDocument) -> tuple[str, ...]:
        """Return the titles in a text that consists of titles only; empty for any other text."""
        reading = begin(document)
        if reading.taken_for not in {"title", "titles"}:
            return ()
        return tuple(entry.title for entry in reading.read().entries if isinstance(entry, Reference) and entry.title)

    def verify(self, document: JobDocument, threshold: float) -> Verdict:
        """Return the verdict on the reference in ``document``. Raises :class:`InputError` if it has none or several."""
        entries = begin(document).read().entries
        if len(entries) != 1:
            said = f"The text has {len(entries)} references, and this address verifies one. Send lists to /api/verify."
            raise InputError(said)
        with self.reloading.borrow() as database:
            return next(Session.over(database, threshold).stream(entries))

    def case(self, reference: Reference, threshold: float) -> tuple[Status, str]:
        """Verify ``reference`` again. Return the status and a line of evidence without text, note and place."""
        with self.reloading.borrow() as database:
            session = Session.over(database, threshold)
            examination = session.pipeline.examine(reference)
            line = evidence(examination, session.validator, basis(database.describe()), date.today())
        bare = replace(line.reference, raw="", note="", place=NOWHERE)
        return examination.verdict.status, line.model_copy(update={"reference": bare}).packed()


class Searcher:
    """Sends requests to the search process, and restarts the process when it has ended. Use it from one event loop."""

    def __init__(self, command: Sequence[str], limit: float = _ANSWER_SECONDS) -> None:
        """``command`` starts the process; ``limit`` is the time-out of one request in seconds."""
        self._command, self._limit = command, limit
        self._process: Helper | None = None
        self._starting, self._closed = asyncio.Lock(), False

    async def ask(self, search: Callable[[Searches, *Values], Answer], *values: *Values) -> Answer:
        """Call the method ``search`` of :class:`Searches` in the search process; return its result or raise its error.

        A request during which the process ends is retried for 5 seconds; then :class:`ProcessEndedError` is raised.
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
        """Start the process before the first search. Errors are ignored here, because each search raises them."""
        with suppress(OSError):
            await self._running()

    async def close(self, patience: float) -> None:
        """Stop the process. Wait up to ``patience`` seconds for a running search. Later searches fail."""
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
    """Return the command that starts a search process. The title index of the database is in ``index_dir`` if given."""
    return command("citeproof.web.searcher", path, *filter(None, [index_dir]))


def main() -> None:
    """Answer requests until the parent process ends."""
    logging.disable()  # the parent watches the same files and logs their errors
    searches = Searches(open_reloading(*map(Path, sys.argv[1:])))
    collect_rarely()
    answer_all(lambda asked, _: getattr(searches, asked[0])(*asked[1]), searches.reloading.renew)


if __name__ == "__main__":
    main()
