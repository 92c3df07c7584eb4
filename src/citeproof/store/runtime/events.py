"""Searches, batch runs and statistics, as the web service and the runtime store exchange them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citeproof.model.record import Lookup

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
"""Names of the counters."""
TABLES = (
    "runtime_counters", "single_search_events", "batch_runs", "batch_items", "event_logs", "jobs", "job_verdicts",
)  # fmt: skip
"""Names of the documented tables."""
HOURS = 24
"""Number of hours in :attr:`Statistics.hours`."""


@dataclass(frozen=True, slots=True)
class Search:
    """One title that was looked up, with the result or the error."""

    title: str
    lookup: Lookup | None = None
    error: BaseException | None = None

    @property
    def found(self) -> bool:
        """Whether a title at or above the threshold was found."""
        return self.lookup is not None and self.lookup.found


@dataclass(frozen=True, slots=True)
class BatchRun:
    """A batch at its start."""

    run_id: str
    request_id: str
    limit: int
    """Maximum titles of a batch."""
    total_input: int
    """Number of titles in the request, with blank and repeated ones."""
    max_candidates: int


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """The counts of a batch so far."""

    total_processed: int = 0
    found_count: int = 0
    not_found_count: int = 0
    error_count: int = 0
    duration_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Hour:
    """The searches and jobs of one hour, without rows that were deleted."""

    hour: str
    """Start in UTC, ``2026-11-20T20:00Z``."""
    searches: int = 0
    """Number of titles that were looked up."""
    found: int = 0
    """Number of titles that were found."""
    documents: int = 0
    """Number of verification jobs that ended."""
    failed: int = 0
    """Number of verification jobs that failed."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """A snapshot of the store."""

    counters: Mapping[str, int]
    tables: Mapping[str, int]
    """Number of rows of each table."""
    jobs: Mapping[str, int]
    """Number of verification jobs that are ``waiting`` and ``running``."""
    hours: tuple[Hour, ...]
    """The last :data:`HOURS` hours, oldest first, with the current one."""


def new_run_id() -> str:
    """Return a random identifier of a batch run, 128 bits in hexadecimal."""
    return secrets.token_hex(16)
