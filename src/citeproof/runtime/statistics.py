"""What the runtime store counts: the counters, the rows of each table, the searches of the last day."""

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
    """The titles that were searched within one hour."""

    hour: str
    """Its beginning in UTC, ``2026-11-20T20:00Z``."""
    searches: int
    found: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The state of the store at one moment."""

    counters: Mapping[str, int]
    tables: Mapping[str, int]
    hours: tuple[Hour, ...]
    """The last :data:`HOURS` hours, oldest first, the running one last."""
