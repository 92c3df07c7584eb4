"""Events and counters of the web service, for operators. They have no influence on results."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Event
from typing import Annotated

from pydantic import ConfigDict, Field

from citeproof.model.record import Lookup
from citeproof.store.runtime.engine import Place, open_engine
from citeproof.store.runtime.group_writer import Change, GroupWriter, Statement, add_to_counters
from citeproof.store.runtime.title_log import TitleLog
from citeproof.store.sql import LOCK_WAIT_SECONDS, Row, on_failure

COUNTERS = tuple(
    """single_search_requests single_search_errors single_search_found
    batch_search_requests batch_search_items_total batch_search_found_total web_page_views
    verify_jobs verify_jobs_failed verify_references verify_milliseconds""".split()  # noqa: SIM905
)
TABLES = (
    "runtime_counters",
    "single_search_events",
    "batch_runs",
    "batch_items",
    "event_logs",
    "jobs",
    "job_verdicts",
)
"""Names of the tables of the web service's database that the documentation describes."""
_HOURS = 24  # number of hours in :attr:`RuntimeStatistics.hours`
# maximum number of rows deleted in one transaction, so that other writers wait briefly
_PRUNED_AT_ONCE = 1000
_SEARCH_COLUMNS = (
    "title, found, similarity, matched_key, method, candidates_examined, complete, duration_ms,"
    " error"
)
_SINGLE = (
    f"INSERT INTO single_search_events (created_at, request_id, max_candidates, {_SEARCH_COLUMNS})"
)
_ITEM = f"INSERT INTO batch_items (created_at, run_id, position, {_SEARCH_COLUMNS})"
_START = """INSERT INTO batch_runs
(id, created_at, request_id, status, item_limit, total_input, max_candidates, owner)"""
_FINISH = """UPDATE batch_runs SET status = ?, error_message = ?, finished_at = ?, total_processed
= ?,
found_count = ?, not_found_count = ?, error_count = ?, duration_ms = ? WHERE id = ?"""
_EVENT = "INSERT INTO event_logs (created_at, level, event, message)"
# Statement that ends batch runs and counts their recorded titles. The condition that selects the
# batch runs is appended.
_END_RUNS = """UPDATE batch_runs SET status = ?, error_message = ?, finished_at = ?, duration_ms =
?,
(total_processed, found_count, not_found_count, error_count) = (
    SELECT count(*), count(*) FILTER (WHERE found), count(*) FILTER (WHERE NOT found AND error IS
    NULL),
    count(*) FILTER (WHERE error IS NOT NULL) FROM batch_items WHERE run_id = batch_runs.id)
WHERE """
_ADD_COUNTS = """INSERT INTO runtime_counters (name, value) SELECT ?, {} FROM batch_runs WHERE id =
?
ON CONFLICT (name) DO UPDATE SET value = runtime_counters.value + excluded.value"""
_UNCOUNT = """INSERT INTO runtime_counters (name, value)
SELECT ?, -{} FROM batch_runs WHERE id = ? AND status <> 'running'
ON CONFLICT (name) DO UPDATE SET value = runtime_counters.value + excluded.value"""
_COUNTED = {
    "batch_search_found_total": "found_count",
    "batch_search_items_total": "total_processed",
    "batch_search_requests": "1",
}
"""Map from a counter to an SQL expression for the number that each batch run adds to the counter
when the run ends.
"""
_ENDED = "AND status <> 'running' AND NOT EXISTS (SELECT 1 FROM batch_items WHERE run_id = old.id)"
# Titles of a running batch are kept, because they are counted if the batch is interrupted.
_OF_ENDED = (
    "AND NOT EXISTS (SELECT 1 FROM batch_runs AS run WHERE run.id = old.run_id AND run.status ="
    " 'running')"
)
_PRUNED = {
    "single_search_events": "",
    "batch_items": _OF_ENDED,
    "batch_runs": _ENDED,
    "event_logs": "",
}
_PRUNE = "DELETE FROM {0} WHERE id IN (SELECT id FROM {0} AS old WHERE created_at < ? {1} LIMIT ?)"
_SEARCHES_BY_HOUR = """SELECT hour, sum(searches), sum(found) FROM (
    SELECT substr(created_at, 1, 13) AS hour, count(*) AS searches, count(*) FILTER (WHERE found)
    AS found
    FROM single_search_events WHERE created_at >= ? GROUP BY 1
    UNION ALL
    SELECT substr(created_at, 1, 13), count(*), count(*) FILTER (WHERE found)
    FROM batch_items WHERE created_at >= ? GROUP BY 1
) AS searches GROUP BY hour"""
_DOCUMENTS_BY_HOUR = """SELECT substr(finished_at, 1, 13), count(*), count(*) FILTER (WHERE state =
'failed') FROM jobs
WHERE finished_at >= ? GROUP BY 1"""
_OPEN_JOBS = "SELECT state, count(*) FROM jobs WHERE state IN ('waiting', 'running') GROUP BY state"

Clock = Callable[[], datetime]
utc_now: Clock = partial(datetime.now, UTC)


@dataclass(frozen=True, slots=True)
class Search:
    """A title that was looked up, with the result of the look-up or the error that ended it."""

    title: str
    lookup: Lookup | None = None
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class BatchRun:
    """A batch of titles to look up, with what is known when it starts."""

    run_id: str
    request_id: str
    limit: int  # maximum number of titles that a request may have
    total_input: int  # number of titles in the request, including blank and repeated titles
    max_candidates: int


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """Counts for a batch of titles in one request: how many titles have been looked up so far, and
    with which results.
    """

    total_processed: int = 0
    found_count: int = 0
    not_found_count: int = 0
    error_count: int = 0
    duration_ms: float = 0.0


# The web service shows the following two classes, with their docstrings, in its OpenAPI document.
@dataclass(frozen=True, slots=True)
class Hour:
    """The searches and jobs of one hour, without rows that were deleted."""

    hour: Annotated[str, Field(examples=["2026-11-20T20:00Z"])]
    """Beginning of the hour in UTC."""
    searches: int
    """Titles that were looked up."""
    found: int
    """Titles that were found."""
    documents: int
    """Verification jobs that ended."""
    failed: int
    """Verification jobs that failed."""

    __pydantic_config__ = ConfigDict(use_attribute_docstrings=True)


@dataclass(frozen=True, slots=True)
class RuntimeStatistics:
    """Counters since the runtime store was created, and the present state of the store."""

    counters: dict[str, int]
    tables: dict[str, int]
    """Rows of each table of the runtime store."""
    jobs: dict[str, int]
    """Verification jobs that are `waiting` and that are `running`."""
    hours: list[Hour]
    """The last 24 hours, oldest first."""

    __pydantic_config__ = ConfigDict(use_attribute_docstrings=True)


def iso_time(moment: datetime) -> str:
    """Return ``moment`` as text in UTC, such as ``2026-11-20T20:15:00.123Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RuntimeStore:
    """The events and counters in the web service's database, which several processes can share.

    Methods that return a future only queue a change. The future has a result when the change is on
    disk. It fails with :class:`~citeproof.model.errors.DatabaseError`, or with ``StoreBusyError``
    if the write lock is not free in time.
    """

    def __init__(
        self,
        place: Place,
        titles: TitleLog | None = None,
        lock_wait: float = LOCK_WAIT_SECONDS,
        clock: Clock = utc_now,
    ) -> None:
        """Open or create the database at ``place``. ``titles`` converts titles before they are
        logged.

        Batches of processes that died are marked as interrupted, and their titles are added to the
        counters. ``lock_wait`` is the time-out, in seconds, for getting the write lock. Raises
        :class:`~citeproof.model.errors.DatabaseError` if the database cannot be used.
        """
        self._engine = engine = open_engine(place, lock_wait, create=True)
        self._titles, self._clock, self._closing = titles or TitleLog(), clock, Event()
        # if several processes start at once, only one of them marks the batches
        with on_failure(engine.close), engine.store.writing():
            engine.migrate()
            engine.register()
            interrupted = 0
            running = engine.store.execute(
                "SELECT id, owner FROM batch_runs WHERE status = 'running'"
            )
            dead = {owner for owner in dict(running).values() if not engine.is_alive(owner)}
            for run_id, _ in (run for run in running if run[1] in dead):
                gone = "the server process ended before the batch did"
                for statement, values in self._ending(run_id, "interrupted", gone, None):
                    engine.store.execute(statement, values)
                interrupted += 1
            if interrupted:
                add_to_counters(engine.store, {"batch_search_requests": interrupted})
        self._writer = GroupWriter(engine.store, lock_wait, engine.renew)
        if interrupted:
            self.log(
                "warning",
                "batches_interrupted",
                f"{interrupted} batch runs of an ended process were closed",
            )

    def record_single(
        self, request_id: str, max_candidates: int, search: Search, *, has_deadline: bool = True
    ) -> Future[None]:
        """Record the search of one title by the request ``request_id``, which compared at most
        ``max_candidates`` titles.

        Without ``has_deadline``, there is no time-out for the write lock.
        """
        counters = {"single_search_requests": 1}
        if search.error:
            counters["single_search_errors"] = 1
        if search.lookup and search.lookup.found:
            counters["single_search_found"] = 1
        row = (self._now(), request_id, max_candidates, *self._row(search))
        return self._writer.submit(
            Change([(_SINGLE, row)], counters=counters), has_deadline=has_deadline
        )

    def start_run(self, run: BatchRun) -> Future[None]:
        """Record that a batch of titles has started."""
        return self._writer.submit(Change([(_START, self._start(run))]))

    def record_item(self, run_id: str, position: int, search: Search) -> Future[None]:
        """Record the result ``search`` for the title at ``position`` in the batch ``run_id``."""
        return self._writer.submit(
            Change([(_ITEM, (self._now(), run_id, position, *self._row(search)))])
        )

    def complete_run(self, run_id: str, summary: BatchSummary) -> Future[None]:
        """Record that the batch ``run_id`` is complete with the results ``summary``, and increase
        the counters.
        """
        items, found, *others = astuple(summary)
        counters = {
            "batch_search_requests": 1,
            "batch_search_items_total": items,
            "batch_search_found_total": found,
        }
        values = ("completed", None, self._now(), items, found, *others, run_id)
        statements = [*_uncount(run_id), (_FINISH, values)]
        return self._writer.submit(Change(statements=statements, counters=counters))

    def abandon_run(self, run: BatchRun, status: str, reason: str, duration_ms: float) -> None:
        """Record that a batch is ``failed`` or ``interrupted``, which is its ``status``, with the
        ``reason`` and its duration in milliseconds. Add the titles that were looked up to the
        counters.
        """
        statements = (
            (
                f"{_START} VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                self._start(run),
            ),
            *_uncount(run.run_id),
            *self._ending(run.run_id, status, reason or None, duration_ms),
        )
        self._writer.submit(
            Change((), statements, {"batch_search_requests": 1}), has_deadline=False
        )

    def count_page_view(self) -> Future[None]:
        """Count one view of the web page. There is no time-out for the write lock."""
        return self._writer.submit(Change(counters={"web_page_views": 1}), has_deadline=False)

    def probe(self) -> Future[None]:
        """Write a file and an unchanged counter, to find out whether the store can be written.

        If not, this method raises :class:`~citeproof.model.errors.DatabaseError`, or the future
        fails with this error.
        """
        self._engine.probe()
        return self._writer.submit(Change(counters={"web_page_views": 0}))

    def log(self, level: str, event: str, message: str) -> None:
        """Record an event of the web service with its ``level``, such as ``warning``. There is no
        time-out for the write lock.
        """
        self._writer.submit(
            Change([(_EVENT, (self._now(), level, event, message))]), has_deadline=False
        )

    def statistics(self) -> RuntimeStatistics:
        """Return counters and statistics, all from the same snapshot of the database."""
        self._engine.store.require_in_place()
        first = self._clock().replace(minute=0, second=0, microsecond=0) - timedelta(
            hours=_HOURS - 1
        )
        hours = [f"{first + timedelta(hours=hour):%Y-%m-%dT%H}" for hour in range(_HOURS)]
        store = self._engine.reader
        with store.reading():
            counters = dict(store.execute("SELECT name, value FROM runtime_counters"))
            tables = {
                table: store.execute(f"SELECT count(*) FROM {table}")[0][0]  # noqa: S608
                for table in TABLES
            }
            jobs = {"waiting": 0, "running": 0} | dict(store.execute(_OPEN_JOBS))
            searches = {
                hour: counts
                for hour, *counts in store.execute(_SEARCHES_BY_HOUR, (hours[0], hours[0]))
            }
            documents = {
                hour: counts for hour, *counts in store.execute(_DOCUMENTS_BY_HOUR, (hours[0],))
            }
        counts = [
            (hour, *searches.get(hour, (0, 0)), *documents.get(hour, (0, 0))) for hour in hours
        ]
        by_hour = [Hour(f"{hour}:00Z", *map(int, numbers)) for hour, *numbers in counts]
        return RuntimeStatistics(
            {name: counters.get(name, 0) for name in COUNTERS}, tables, jobs, by_hour
        )

    def prune(self, days: float) -> int:
        """Delete events that are older than ``days`` days. Return the number of deleted rows. The
        counters do not change.
        """
        before = iso_time(self._clock() - timedelta(days=days))
        deleted = 0
        with self._engine.pruning() as store:
            for table, condition in _PRUNED.items():
                rows = _PRUNED_AT_ONCE
                while rows == _PRUNED_AT_ONCE and not self._closing.is_set():
                    with store.writing():
                        rows = store.change(
                            _PRUNE.format(table, condition), (before, _PRUNED_AT_ONCE)
                        )
                    deleted += rows
        return deleted

    def close(self, patience: float = LOCK_WAIT_SECONDS) -> None:
        """Write the queued changes and close the database. If the write lock is not free within
        ``patience`` seconds, the futures of the changes fail.
        """
        self._closing.set()
        self._writer.close(patience)
        self._engine.close()

    def _ending(
        self, run_id: str, status: str, reason: str | None, duration_ms: float | None
    ) -> tuple[Statement, ...]:
        """Return statements, with their values, that end a batch and add its titles to the
        counters.
        """
        return (
            (f"{_END_RUNS} id = ?", (status, reason, self._now(), duration_ms, run_id)),
            (_ADD_COUNTS.format("found_count"), ("batch_search_found_total", run_id)),
            (_ADD_COUNTS.format("total_processed"), ("batch_search_items_total", run_id)),
        )

    def _start(self, run: BatchRun) -> Row:
        limits = (run.limit, run.total_input, run.max_candidates)
        return (run.run_id, self._now(), run.request_id, "running", *limits, self._engine.owner)

    def _row(self, search: Search) -> Row:
        """Return a search as a row with the columns :data:`_SEARCH_COLUMNS`."""
        title = self._titles.title(search.title)
        error = self._titles.failure(search.error) if search.error else None
        lookup = search.lookup
        if not lookup:
            return (title, False, *[None] * 6, error)
        best = next(iter(lookup.candidates), lookup.nearest)
        key = self._titles.matched_key(best.record.key) if best and lookup.found else None
        method = (
            lookup.method.value,
            lookup.candidates_examined,
            lookup.complete,
            lookup.milliseconds,
        )
        return (title, lookup.found, best.similarity if best else None, key, *method, error)

    def _now(self) -> str:
        return iso_time(self._clock())


def _uncount(run_id: str) -> list[Statement]:
    """Return statements that subtract a batch run from the counters, if the run has already been
    counted.

    A run may be counted too early: while PostgreSQL restarts, another process may assume that the
    process of the run is dead.
    """
    return [(_UNCOUNT.format(value), (name, run_id)) for name, value in _COUNTED.items()]
