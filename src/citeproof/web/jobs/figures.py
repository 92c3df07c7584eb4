"""What Prometheus reads of verification jobs: the runtime store's own counts, read at each scrape.

They are those of all processes and hosts that share the store, so they are not to be summed over them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.registry import Collector

from citeproof.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prometheus_client.metrics_core import Metric

    from citeproof.runtime import RuntimeStore
    from citeproof.runtime.jobs import JobStore


class JobFigures(Collector):
    """The jobs of one runtime store."""

    def __init__(self, store: RuntimeStore, jobs: JobStore) -> None:
        self._store = store
        self._jobs = jobs

    def collect(self) -> Iterable[Metric]:
        """Yield the figures; nothing while the store cannot be read."""
        try:
            open_jobs = dict(zip(("waiting", "running"), self._jobs.open_jobs(), strict=True))
            counters = self._store.statistics().counters
        except DatabaseError:
            return
        ended, failed = counters["verify_jobs"], counters["verify_jobs_failed"]
        now = GaugeMetricFamily("citeproof_jobs", "Verification jobs that have not ended.", labels=["state"])
        for state, count in open_jobs.items():
            now.add_metric([state], count)
        done = CounterMetricFamily("citeproof_jobs_ended", "Verification jobs that have ended.", labels=["state"])
        for state, count in (("finished", ended - failed), ("failed", failed)):
            done.add_metric([state], count)
        yield now
        yield done
        yield SummaryMetricFamily(
            "citeproof_job_seconds",
            "Time of verifying, of jobs that have ended.",
            count_value=ended,
            sum_value=counters["verify_milliseconds"] / 1000,
        )
        yield CounterMetricFamily(
            "citeproof_job_references", "References that ended jobs have a verdict on.", counters["verify_references"]
        )
