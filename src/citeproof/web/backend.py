"""What the routes work with: every effect of the service, handed in."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from citeproof.errors import DatabaseError, StoreBusyError
from citeproof.web.problems import ProblemError
from citeproof.web.worker.waiting import Waiting

if TYPE_CHECKING:
    from concurrent.futures import Future

    from citeproof.models import Lookup, Verdict
    from citeproof.runtime import RuntimeStore
    from citeproof.runtime.jobs import JobDocument
    from citeproof.web.jobs.queue import JobQueue
    from citeproof.web.worker.metrics import Metrics
    from citeproof.web.worker.reloading_database import ReloadingDatabase

MISSING = "The bibliographic database file does not exist; nothing can be looked up until it is put in place."
BUSY = "The runtime store is locked by another process, so this search could not be recorded; try again."

UNWRITABLE = "The runtime store cannot be written, so this search could not be recorded; the service's log says why."


class LongSearch(Protocol):
    """What looks titles up that take their time."""

    async def look_up(self, title: str, threshold: float, max_candidates: int) -> Lookup:
        """Return the answer to one title."""

    async def verify(self, document: JobDocument, threshold: float) -> Verdict:
        """Return the verdict on the one reference of ``document``; raise :class:`InputError` where it holds not one."""


@dataclass(frozen=True, slots=True)
class Backend:
    """The database, the store and the figures of one server process."""

    database: ReloadingDatabase
    store: RuntimeStore
    metrics: Metrics
    searcher: LongSearch
    jobs: JobQueue
    threshold: float = 0.9
    _waiting: Waiting = field(default_factory=Waiting)

    async def look_up(self, title: str, max_candidates: int) -> Lookup:
        """Return the answer to one title; raise what the search raises.

        A title that is held as it was asked is looked up here and now; for anything else, others need not wait.
        """
        started = time.perf_counter()
        self.jobs.give_room()
        if not self.database.is_open():
            await asyncio.to_thread(self.open_database)
        with self.database.borrow() as database:
            lookup = database.look_up_exact(title, self.threshold)
        if lookup is None:
            lookup = await self.searcher.look_up(title, self.threshold, max_candidates)
        self.metrics.lookup(lookup.method.value, time.perf_counter() - started)
        return lookup

    def open_database(self) -> None:
        """Open the database, which may take some time; raise what that raises."""
        with self.database.borrow():
            pass

    async def recorded(self, *events: Future[None]) -> None:
        """Wait until ``events`` are on disk; refuse the request with 500 when they cannot be."""
        try:
            for event in events:
                await self._waiting.until(event)
        except StoreBusyError:
            raise ProblemError(500, BUSY) from None
        except DatabaseError:
            raise ProblemError(500, UNWRITABLE) from None

    def require_database(self) -> None:
        """Refuse the request with 404 while the database file is missing."""
        if not self.database.exists():
            raise ProblemError(404, MISSING)
