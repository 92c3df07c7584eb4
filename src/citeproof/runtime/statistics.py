"""What the runtime store counts: the counters, the rows of each table, the jobs now, the last day by the hour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

COUNTERS = (
    "single_search_requests",
    "single_search_errors",
    "single_search_found",
    "batch_search_requests",
    "batch_search_items_total",
    "batch_search_found_total",
    "web_page_views",
    "verify_jobs",
    "verify_jobs_failed",
    "verify_references",
    "verify_milliseconds",
)
TABLES = (
    "runtime_counters", "single_search_events", "batch_runs", "batch_items", "event_logs", "jobs", "job_verdicts",
)  # fmt: skip
HOURS = 24


@dataclass(frozen=True, slots=True)
class Hour:
    """What was done within one hour, as far as the rows that say so are still kept."""

    hour: str
    """Its beginning in UTC, ``2026-11-20T20:00Z``."""
    searches: int = 0
    """Titles that were searched, and those that were found."""
    found: int = 0
    documents: int = 0
    """Verification jobs that ended, and those that failed."""
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Statistics:
    """The state of the store at one moment."""

    counters: Mapping[str, int]
    tables: Mapping[str, int]
    jobs: Mapping[str, int]
    """How many verification jobs are ``waiting``, and how many ``running``."""
    hours: tuple[Hour, ...]
    """The last :data:`HOURS` hours, oldest first, the running one last."""
