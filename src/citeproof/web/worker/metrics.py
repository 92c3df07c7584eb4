"""What Prometheus reads at ``/metrics``: requests by route and status, look-up seconds by method, database age.

Figures of jobs are those of the runtime store: see :mod:`citeproof.web.jobs.figures`.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from prometheus_client.metrics_core import Metric

_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class Metrics:
    """The figures of one service."""

    def __init__(self, database: Path) -> None:
        self._registry = CollectorRegistry()
        self._age = _DatabaseAge(database)
        self._requests = Counter(
            "citeproof_requests", "Requests answered.", ("route", "method", "status"), registry=self._registry
        )
        self._lookups = Histogram(
            "citeproof_lookup_seconds", "Time of a title look-up.", ("method",), buckets=_BUCKETS,
            registry=self._registry,
        )  # fmt: skip

    def request(self, route: str, method: str, status: int) -> None:
        """Count one answered request."""
        self._requests.labels(route, method, str(status)).inc()

    def lookup(self, method: str, seconds: float) -> None:
        """Count one look-up."""
        self._lookups.labels(method).observe(seconds)

    def render(self, *further: Collector) -> bytes:
        """Return all figures, summed over the workers, and those of ``further``, in Prometheus's text form."""
        registry = CollectorRegistry()
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        else:
            registry = self._registry
        return b"".join(generate_latest(one) for one in (registry, *map(_only, (self._age, *further))))


class _DatabaseAge(Collector):
    """Read at each scrape, so it needs no worker to keep it up to date."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def collect(self) -> Iterable[Metric]:
        """Yield the age; nothing while the file is missing."""
        age = GaugeMetricFamily("citeproof_database_age_seconds", "Seconds since the database file was written.")
        if self._path.exists():
            age.add_metric([], time.time() - self._path.stat().st_mtime)
        yield age


def _only(collector: Collector) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(collector)
    return registry
