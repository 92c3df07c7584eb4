"""The runtime store in tables that every engine has: every kind of event in one call each."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from citeproof.runtime.group_writer import Change, GroupWriter
from citeproof.runtime.retention import prune
from citeproof.runtime.sums import read_statistics
from citeproof.runtime.title_log import PlainTitles, TitleLog
from citeproof.storage.sql import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from citeproof.runtime.events import BatchRun, BatchSummary, Search
    from citeproof.runtime.statistics import Statistics
    from citeproof.storage.sql import SqlStore

_SEARCH_COLUMNS = "title, found, similarity, matched_key, method, candidates_examined, complete, duration_ms, error"
_SINGLE = f"INSERT INTO single_search_events (created_at, request_id, max_candidates, {_SEARCH_COLUMNS})"
_ITEM = f"INSERT INTO batch_items (created_at, run_id, position, {_SEARCH_COLUMNS})"
_START = """INSERT INTO batch_runs
(id, created_at, request_id, status, item_limit, total_input, max_candidates, owner)"""
_FINISH = """UPDATE batch_runs SET status = ?, error_message = ?, finished_at = ?, total_processed = ?,
found_count = ?, not_found_count = ?, error_count = ?, duration_ms = ? WHERE id = ?"""
_EVENT = "INSERT INTO event_logs (created_at, level, event, message)"


class Presence(Protocol):
    """What shows the other processes that this one lives."""

    @property
    def name(self) -> str:
        """What stands for this process in the tables."""

    def renew(self) -> None:
        """Show it again, where what shows it was lost; costs next to nothing where it was not."""

    def release(self) -> None:
        """Let the others see that this process is gone."""


class SqlRuntimeStore:
    """A :class:`~citeproof.runtime.RuntimeStore` over an engine's tables, which an engine's own class opens."""

    def __init__(
        self,
        store: SqlStore,
        presence: Presence,
        *,
        titles: TitleLog | None,
        lock_wait: float,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._presence = presence
        self._titles = titles or PlainTitles()
        self._clock = clock
        self._closing = Event()
        self._writer = GroupWriter(store, lock_wait, presence.renew)

    def record_single(self, request_id: str, max_candidates: int, search: Search) -> Future[None]:
        """Record one title search and its counters."""
        return self._writer.submit(self._single(request_id, max_candidates, search))

    def record_failed(self, request_id: str, max_candidates: int, search: Search) -> None:
        """Record one title search whenever the lock is free again: its answer was an error already."""
        self._writer.submit_without_deadline(self._single(request_id, max_candidates, search))

    def start_run(self, run: BatchRun) -> Future[None]:
        """Record that a batch is running."""
        return self._writer.submit(Change(((_START, self._start(run)),)))

    def record_item(self, run_id: str, position: int, search: Search) -> Future[None]:
        """Record one title of a batch."""
        return self._writer.submit(Change(((_ITEM, (self._now(), run_id, position, *self._row(search))),)))

    def complete_run(self, run_id: str, summary: BatchSummary) -> Future[None]:
        """Record that a batch is completed, with its counters."""
        return self._writer.submit(self._finish(run_id, "completed", "", summary))

    def abandon_run(self, run: BatchRun, status: str, reason: str, summary: BatchSummary) -> None:
        """Record that a batch is ``failed`` or ``interrupted``, as soon as the lock is free, start included."""
        finish = self._finish(run.run_id, status, reason, summary)
        start = (f"{_START} VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING", self._start(run))
        self._writer.submit_without_deadline(replace(finish, statements=(start, *finish.statements)))

    def count_page_view(self) -> Future[None]:
        """Count one view of the page, whenever the lock is free."""
        return self._writer.submit_without_deadline(Change(counters={"web_page_views": 1}))

    def log(self, level: str, event: str, message: str) -> None:
        """Record an event of the service itself, whenever the lock is free."""
        self._writer.submit_without_deadline(Change(((_EVENT, (self._now(), level, event, message)),)))

    def statistics(self) -> Statistics:
        """Return the counters and record counts; never waits for a writer."""
        return read_statistics(self._store, self._clock())

    def prune(self, days: float) -> int:
        """Delete the events older than ``days`` and return how many rows went."""
        return self._prune(self._store, days)

    def close(self, patience: float = LOCK_WAIT_SECONDS) -> None:
        """Write what is queued, waiting up to ``patience`` seconds for the lock, and let go of the store."""
        self._closing.set()
        self._writer.close(patience)
        self._presence.release()
        self._store.close()

    def _prune(self, store: SqlStore, days: float) -> int:
        return prune(store, text(self._clock() - timedelta(days=days)), self._closing.is_set)

    def _log_interrupted(self, runs: int) -> None:
        """Record that ``runs`` batches of processes that are gone were closed, if any."""
        if runs:
            self.log("warning", "batches_interrupted", f"{runs} batch runs of an ended process were closed")

    def _single(self, request_id: str, max_candidates: int, search: Search) -> Change:
        counters = {"single_search_requests": 1}
        if search.error:
            counters["single_search_errors"] = 1
        if search.found:
            counters["single_search_found"] = 1
        row = (self._now(), request_id, max_candidates, *self._row(search))
        return Change(((_SINGLE, row),), counters=counters)

    def _start(self, run: BatchRun) -> tuple[Any, ...]:
        limits = (run.limit, run.total_input, run.max_candidates)
        return (run.run_id, self._now(), run.request_id, "running", *limits, self._presence.name)

    def _finish(self, run_id: str, status: str, reason: str, summary: BatchSummary) -> Change:
        counters = {
            "batch_search_requests": 1,
            "batch_search_items_total": summary.total_processed,
            "batch_search_found_total": summary.found_count,
        }
        counts = (summary.total_processed, summary.found_count, summary.not_found_count, summary.error_count)
        row = (status, reason or None, self._now(), *counts, summary.duration_ms, run_id)
        return Change(statements=((_FINISH, row),), counters=counters)

    def _row(self, search: Search) -> tuple[Any, ...]:
        best = search.lookup and next(iter(search.lookup.candidates), search.lookup.nearest)
        error = self._titles.failure(search.error) if search.error else None
        if not search.lookup:
            return (self._titles.title(search.title), False, None, None, None, None, None, None, error)
        lookup = search.lookup
        return (
            self._titles.title(search.title),
            lookup.found,
            best.similarity if best else None,
            self._titles.matched_key(best.record.key) if best and lookup.found else None,
            lookup.method.value,
            lookup.candidates_examined,
            lookup.complete,
            lookup.milliseconds,
            error,
        )

    def _now(self) -> str:
        return text(self._clock())


def text(moment: datetime) -> str:
    """Return a moment as it stands in the tables: in UTC, ``2026-11-20T20:15:00.123Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
