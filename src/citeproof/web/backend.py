"""The objects that the routes use: database, store, searches, jobs and metrics of one server process."""

import asyncio
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass

from citeproof.model.errors import DatabaseError, StoreBusyError
from citeproof.model.record import Candidate, Lookup
from citeproof.store.runtime.store import RuntimeStore
from citeproof.store.sql import CommitUnknownError
from citeproof.web.jobs.queue import JobQueue
from citeproof.web.metrics import Metrics
from citeproof.web.problems import ProblemError
from citeproof.web.reloading_database import ReloadingDatabase
from citeproof.web.searcher import Searcher, Searches

MISSING = "The bibliographic database file does not exist; nothing can be looked up until it is put in place."
BUSY = "The runtime store is locked by another process, so this search could not be recorded; try again."
UNWRITABLE = "The runtime store cannot be written, so this search could not be recorded; the service's log says why."
UNKNOWN = "The connection to the runtime store was lost, so it is not known whether this search was recorded."


class NotRecordedError(ProblemError):
    """Raised if an event was not recorded in the runtime store."""


@dataclass(frozen=True, slots=True)
class Backend:
    """The resources of one server process, passed to the routes."""

    database: ReloadingDatabase
    store: RuntimeStore
    metrics: Metrics
    searcher: Searcher
    jobs: JobQueue
    threshold: float = 0.9

    async def look_up(self, title: str, max_candidates: int) -> Lookup:
        """Look up one title. Raises the exceptions of :meth:`Searches.look_up`."""
        started = time.perf_counter()
        lookup = await self.searcher.ask(Searches.look_up, title, self.threshold, max_candidates)
        self.metrics.lookups.labels(lookup.method.value).observe(time.perf_counter() - started)
        return lookup

    async def nearest(self, title: str) -> tuple[Candidate, ...]:
        """Return the works whose titles are nearest to ``title``, which was not found; empty if the search fails."""
        with suppress(DatabaseError):
            return await self.searcher.ask(Searches.nearest, title)
        return ()

    async def recorded(self, *events: Future[None]) -> None:
        """Wait until ``events`` are on disk. Raises :class:`NotRecordedError` if they are not.

        Raises :class:`ProblemError` if it is unknown whether they are.
        """
        try:
            for event in events:
                if not event.done():
                    await asyncio.shield(asyncio.wrap_future(event))  # a request that is cancelled cancels no event
                event.result()
        except StoreBusyError:
            raise NotRecordedError(500, BUSY) from None
        except CommitUnknownError:
            raise ProblemError(500, UNKNOWN) from None
        except DatabaseError:
            raise NotRecordedError(500, UNWRITABLE) from None

    def require_database(self) -> None:
        """Raise :class:`ProblemError` with 404 if the database file is missing."""
        if not self.database.exists():
            raise ProblemError(404, MISSING)
