"""What the runtime store counts: the counters, the rows of each table, the searches of the last day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citeproof.storage.store import Store

COUNTERS = (
    "single_search_requests",
    "single_search_errors",
    "single_search_found",
    "batch_search_requests",
    "batch_search_items_total",
    "batch_search_found_total",
    "web_page_views",
)
TABLES = ("runtime_counters", "single_search_events", "batch_runs", "batch_items", "event_logs")
HOURS = 24

_SEARCHES = """SELECT hour, sum(searches), sum(found) FROM (
    SELECT substr(created_at, 1, 13) AS hour, count(*) AS searches, sum(found) AS found
    FROM single_search_events WHERE created_at >= ?1 GROUP BY 1
    UNION ALL
    SELECT substr(created_at, 1, 13), count(*), sum(found) FROM batch_items WHERE created_at >= ?1 GROUP BY 1
) GROUP BY hour"""


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


def read_statistics(store: Store, now: datetime) -> Statistics:
    """Return the counters, rows and searches of ``store``, all of one moment."""
    first = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=HOURS - 1)
    with store.transaction():
        counters = dict(store.execute("SELECT name, value FROM runtime_counters"))
        tables = {table: store.execute(f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}  # noqa: S608
        searches = {row[0]: (row[1], row[2]) for row in store.execute(_SEARCHES, (f"{first:%Y-%m-%dT%H}",))}
    hours = tuple(f"{first + timedelta(hours=hour):%Y-%m-%dT%H}" for hour in range(HOURS))
    return Statistics(
        {name: counters.get(name, 0) for name in COUNTERS},
        tables,
        tuple(Hour(f"{hour}:00Z", *searches.get(hour, (0, 0))) for hour in hours),
    )
