"""What the routes work with: every effect of the service, handed in."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citeproof.bibdb.database import NEAREST_FROM
from citeproof.errors import DatabaseError, StoreBusyError
from citeproof.web.problems import ProblemError
from citeproof.web.waiting import Waiting

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from citeproof.models import Lookup
    from citeproof.runtime.store import RuntimeStore
    from citeproof.web.metrics import Metrics
    from citeproof.web.shelf import Shelf

MISSING = "The bibliographic database file does not exist; nothing can be looked up until it is put in place."
BUSY = "The runtime store is locked by another process, so this search could not be recorded; try again."

UNWRITABLE = "The runtime store cannot be written, so this search could not be recorded; the service's log says why."


@dataclass(frozen=True, slots=True)
class Service:
    """The database, the store and the figures of one server process."""

    shelf: Shelf
    store: RuntimeStore
    metrics: Metrics
    threads: ThreadPoolExecutor
    threshold: float = 0.9
    _waiting: Waiting = field(default_factory=Waiting)

    async def look_up(self, title: str, max_candidates: int) -> Lookup:
        """Return the answer to one title; raise what the database raises.

        What takes longer than a millisecond or so is found in a thread, so that other requests go on.
        """
        with self.shelf.borrow() as database:
            lookup = database.look_up_at_once(title, self.threshold, max_candidates, nearest_from=NEAREST_FROM)
        if lookup is None:
            in_thread = asyncio.get_running_loop().run_in_executor
            lookup = await in_thread(self.threads, self._look_up, title, max_candidates)
        self.metrics.lookup(lookup.method.value, lookup.milliseconds / 1000)
        return lookup

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
        if not self.shelf.exists():
            raise ProblemError(404, MISSING)

    def _look_up(self, title: str, max_candidates: int) -> Lookup:
        with self.shelf.borrow() as database:
            return database.look_up(title, self.threshold, max_candidates, nearest_from=NEAREST_FROM)
