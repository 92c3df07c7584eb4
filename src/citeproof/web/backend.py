"""Objects that all HTTP routes of a server process share: databases, search process, job queue and
metrics.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from citeproof.model.errors import DatabaseError, StoreBusyError
from citeproof.model.record import Candidate, Lookup
from citeproof.store.runtime.store import RuntimeStore
from citeproof.store.sql import CommitUnknownError
from citeproof.web.jobs.queue import JobQueue
from citeproof.web.problems import ProblemError
from citeproof.web.reloading_database import ReloadingDatabase
from citeproof.web.searcher import Searcher, Searches

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

MISSING = (
    "The file of the bibliographic database does not exist; nothing can be looked up until "
    "it exists."
)
BUSY = (
    "The runtime store is locked by another process, so this request could not be recorded; try"
    " again."
)
UNWRITABLE = (
    "The runtime store cannot be written, so this request could not be recorded; the service's log"
    " says why."
)
UNKNOWN = (
    "The connection to the runtime store was lost, so it is not known whether this request was"
    " recorded."
)


# maximum seconds for which :meth:`Backend.require_store` waits for the lock of the runtime store
_STORE_SECONDS = 5.0


class NotRecordedError(ProblemError):
    """Raised if a search could not be written to the database of searches and jobs (the runtime
    store).
    """


def unrecorded(error: DatabaseError) -> ProblemError:
    """Return the answer to a request that could not be written to the runtime store."""
    if isinstance(error, CommitUnknownError):
        return ProblemError(500, UNKNOWN)
    return NotRecordedError(500, BUSY if isinstance(error, StoreBusyError) else UNWRITABLE)


@dataclass(frozen=True, slots=True)
class Backend:
    """The objects that all HTTP routes of a server process share, such as the bibliographic
    database and the job queue.
    """

    database: ReloadingDatabase
    store: RuntimeStore
    metrics: Metrics
    searcher: Searcher
    jobs: JobQueue
    threshold: float = 0.9

    async def look_up(self, title: str, max_candidates: int, *, every: bool = False) -> Lookup:
        """Look up one title in the search process.

        If ``every`` is true, all works that reach the threshold are returned. The duration is
        recorded in the metrics. Raises :class:`DatabaseError` if the look-up fails.
        """
        started = time.perf_counter()
        lookup = await self.searcher.ask(
            Searches.look_up, title, self.threshold, max_candidates, every
        )
        self.metrics.lookups.labels(lookup.method.value).observe(time.perf_counter() - started)
        return lookup

    async def nearest(self, title: str) -> tuple[Candidate, ...]:
        """Return works with titles similar to ``title``, the most similar first.

        Empty if the search fails, so that a page can still be shown.
        """
        with suppress(DatabaseError):
            return await self.searcher.ask(Searches.nearest, title)
        return ()

    async def recorded(self, *events: Future[None]) -> None:
        """Wait until the ``events``, such as searches, are stored in the runtime store, the
        database of searches and jobs.

        Raises :class:`NotRecordedError` if an event was not stored, and :class:`ProblemError` if it
        is unknown whether an event was stored.
        """
        try:
            for event in events:
                if not event.done():
                    # if the request is cancelled, the event is still stored
                    await asyncio.shield(asyncio.wrap_future(event))
                event.result()
        except DatabaseError as error:
            raise unrecorded(error) from None

    async def require_store(self) -> None:
        """Raise :class:`ProblemError` with status 503 if the runtime store cannot be written."""
        try:
            async with asyncio.timeout(_STORE_SECONDS):
                await self.recorded(await asyncio.to_thread(self.store.probe))
        except TimeoutError:
            raise ProblemError(503, BUSY) from None
        except DatabaseError as error:
            raise ProblemError(503, unrecorded(error).detail) from None
        except ProblemError as error:
            raise ProblemError(503, error.detail) from None

    def require_database(self) -> None:
        """Raise :class:`ProblemError` with status 404 if the database file is missing."""
        if not self.database.exists():
            raise ProblemError(404, MISSING)


_BUCKETS = (
    0.0001,
    0.00025,
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1,
    2.5,
    10,
)


class Metrics:
    """Prometheus metrics of a server process: number of requests and failures, duration of title
    look-ups.
    """

    def __init__(self, database: Path) -> None:
        self._database, self._registry = database, CollectorRegistry()
        route = ("route", "method", "status")
        self.requests = Counter(
            "citeproof_requests", "Requests answered.", route, registry=self._registry
        )
        lookup = ("citeproof_lookup_seconds", "Time of a title look-up.", ("method",))
        self.lookups = Histogram(*lookup, buckets=_BUCKETS, registry=self._registry)
        failure = ("citeproof_background_failures", "Failures of background tasks.", ("task",))
        self.failures = Counter(*failure, registry=self._registry)

    def render(self, further: Iterable[Metric] = ()) -> bytes:
        """Return all metrics in the text format of Prometheus: those of all server processes, and
        those in ``further``.
        """
        registry = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        age = GaugeMetricFamily(
            "citeproof_database_age_seconds", "Seconds since the database file was written."
        )
        if self._database.exists():
            age.add_metric([], time.time() - self._database.stat().st_mtime)
        return generate_latest(registry) + generate_latest(_Computed([age, *further]))


@dataclass
class _Computed(Collector):
    """Prometheus collector that returns metrics which are already computed."""

    metrics: Iterable[Metric]

    def collect(self) -> Iterable[Metric]:
        return self.metrics


def job_figures(store: RuntimeStore) -> Iterator[Metric]:
    """Yield Prometheus metrics of verification jobs, read from ``store``.

    Yield nothing if ``store`` cannot be read.
    """
    try:
        statistics = store.statistics()
    except DatabaseError:
        return
    counters = statistics.counters
    ended, failed = counters["verify_jobs"], counters["verify_jobs_failed"]
    now = GaugeMetricFamily(
        "citeproof_jobs", "Number of verification jobs that have not ended.", labels=["state"]
    )
    for state, count in statistics.jobs.items():
        now.add_metric([state], count)
    done = CounterMetricFamily(
        "citeproof_jobs_ended", "Number of verification jobs that have ended.", labels=["state"]
    )
    for state, count in (("finished", ended - failed), ("failed", failed)):
        done.add_metric([state], count)
    yield now
    yield done
    seconds, references = counters["verify_milliseconds"] / 1000, counters["verify_references"]
    yield SummaryMetricFamily(
        "citeproof_job_seconds", "Verification time of jobs that have ended.", ended, seconds
    )
    yield CounterMetricFamily(
        "citeproof_job_references",
        "Number of references that have a verdict from a job that has ended.",
        references,
    )
