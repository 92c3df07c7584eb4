"""The statistics, read from the tables of the runtime store."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from citeproof.runtime.statistics import COUNTERS, HOURS, TABLES, Hour, Statistics

if TYPE_CHECKING:
    from citeproof.storage.sql import SqlStore

_SEARCHES = """SELECT hour, sum(searches), sum(found) FROM (
    SELECT substr(created_at, 1, 13) AS hour, count(*) AS searches, count(*) FILTER (WHERE found) AS found
    FROM single_search_events WHERE created_at >= ? GROUP BY 1
    UNION ALL
    SELECT substr(created_at, 1, 13), count(*), count(*) FILTER (WHERE found)
    FROM batch_items WHERE created_at >= ? GROUP BY 1
) AS searches GROUP BY hour"""
_DOCUMENTS = """SELECT substr(finished_at, 1, 13), count(*), count(*) FILTER (WHERE state = 'failed') FROM jobs
WHERE finished_at >= ? GROUP BY 1"""
_OPEN = "SELECT state, count(*) FROM jobs WHERE state IN ('waiting', 'running') GROUP BY state"


def read_statistics(store: SqlStore, now: datetime) -> Statistics:
    """Return the counters, rows, jobs and hours of ``store``, all of one moment."""
    first = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=HOURS - 1)
    with store.reading():
        counters = dict(store.execute("SELECT name, value FROM runtime_counters"))
        tables = {table: store.execute(f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}  # noqa: S608
        since = f"{first:%Y-%m-%dT%H}"
        open_jobs = dict(store.execute(_OPEN))
        searches = _by_hour(store, _SEARCHES, since, since)
        documents = _by_hour(store, _DOCUMENTS, since)
    hours = tuple(f"{first + timedelta(hours=hour):%Y-%m-%dT%H}" for hour in range(HOURS))
    return Statistics(
        {name: counters.get(name, 0) for name in COUNTERS},
        tables,
        {state: open_jobs.get(state, 0) for state in ("waiting", "running")},
        tuple(Hour(f"{hour}:00Z", *searches.get(hour, (0, 0)), *documents.get(hour, (0, 0))) for hour in hours),
    )


def _by_hour(store: SqlStore, sql: str, *since: str) -> dict[str, tuple[int, int]]:
    """Return the two numbers that ``sql`` finds for each hour."""
    return {hour: (int(all_), int(part)) for hour, all_, part in store.execute(sql, since)}
