"""The metrics at ``/metrics`` for Prometheus."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from citeproof.model.errors import DatabaseError
from citeproof.store.runtime.store import RuntimeStore

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class Metrics:
    """The metrics of one server process."""

    def __init__(self, database: Path) -> None:
        self._database, self._registry = database, CollectorRegistry()
        route = ("route", "method", "status")
        self.requests = Counter("citeproof_requests", "Requests answered.", route, registry=self._registry)
        lookup = ("citeproof_lookup_seconds", "Time of a title look-up.", ("method",))
        self.lookups = Histogram(*lookup, buckets=_BUCKETS, registry=self._registry)
        failure = ("citeproof_background_failures", "Failures of background tasks.", ("task",))
        self.failures = Counter(*failure, registry=self._registry)

    def render(self, further: Iterable[Metric] = ()) -> bytes:
        """Return the metrics, summed over all processes, and ``further`` metrics, in Prometheus's text format."""
        registry = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        age = GaugeMetricFamily("citeproof_database_age_seconds", "Seconds since the database file was written.")
        if self._database.exists():
            age.add_metric([], time.time() - self._database.stat().st_mtime)
        return generate_latest(registry) + generate_latest(_Computed([age, *further]))


@dataclass
class _Computed(Collector):
    """A collector of metrics that were computed for one scrape."""

    metrics: Iterable[Metric]

    def collect(self) -> Iterable[Metric]:
        return self.metrics


def job_figures(store: RuntimeStore) -> Iterator[Metric]:
    """Yield the metrics of verification jobs from the runtime store; nothing if it cannot be read.

    All processes and hosts that share the store return the same values, so they must not be summed.
    """
    try:
        statistics = store.statistics()
    except DatabaseError:
        return
    counters = statistics.counters
    ended, failed = counters["verify_jobs"], counters["verify_jobs_failed"]
    now = GaugeMetricFamily("citeproof_jobs", "Verification jobs that have not ended.", labels=["state"])
    for state, count in statistics.jobs.items():
        now.add_metric([state], count)
    done = CounterMetricFamily("citeproof_jobs_ended", "Verification jobs that have ended.", labels=["state"])
    for state, count in (("finished", ended - failed), ("failed", failed)):
        done.add_metric([state], count)
    yield now
    yield done
    seconds, references = counters["verify_milliseconds"] / 1000, counters["verify_references"]
    yield SummaryMetricFamily("citeproof_job_seconds", "Time of verifying, of jobs that have ended.", ended, seconds)
    yield CounterMetricFamily("citeproof_job_references", "References that ended jobs have a verdict on.", references)
