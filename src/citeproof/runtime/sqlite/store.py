"""The runtime store: opened, migrated, cleared of dead runs; then every kind of event in one call each."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import TYPE_CHECKING, Any

from citeproof.runtime.sqlite.migrations import migrate, refuse_foreign
from citeproof.runtime.sqlite.recovery import interrupt_orphans, lock_as_owner, owner_of
from citeproof.runtime.sqlite.retention import prune
from citeproof.runtime.sqlite.statistics import read_statistics
from citeproof.runtime.sqlite.writer import Change, GroupWriter
from citeproof.runtime.title_log import PlainTitles, TitleLog
from citeproof.storage.store import LOCK_WAIT_SECONDS, Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

    from citeproof.runtime.events import BatchRun, BatchSummary, Search
    from citeproof.runtime.statistics import Statistics

_SEARCH_COLUMNS = "title, found, similarity, matched_key, method, candidates_examined, complete, duration_ms, error"
_SINGLE = f"INSERT INTO single_search_events (created_at, request_id, max_candidates, {_SEARCH_COLUMNS})"
_ITEM = f"INSERT INTO batch_items (created_at, run_id, position, {_SEARCH_COLUMNS})"
_START = """INSERT INTO batch_runs
(id, created_at, request_id, status, item_limit, total_input, max_candidates, owner)"""
_FINISH = """UPDATE batch_runs SET status = ?, error_message = ?, finished_at = ?, total_processed = ?,
found_count = ?, not_found_count = ?, error_count = ?, duration_ms = ? WHERE id = ?"""
_PRUNING_LOCK_WAIT_SECONDS = 1.0
"""Deleting old events can be put off, so it waits for nobody long."""
_EVENT = "INSERT INTO event_logs (created_at, level, event, message)"


class SqliteRuntimeStore:
    """A :class:`~citeproof.runtime.RuntimeStore` in an SQLite file."""

    def __init__(
        self,
        path: Path,
        *,
        titles: TitleLog | None = None,
        lock_wait: float = LOCK_WAIT_SECONDS,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Open or create the store at ``path``, migrate it and mark the runs of dead processes.

        Raises :class:`~citeproof.errors.DatabaseError` for a file that is no runtime store or a newer one.
        """
        self._closing = Event()
        self._titles = titles or PlainTitles()
        self._clock = clock
        refuse_foreign(path)
        self._reader = Store(path, lock_wait=lock_wait)
        store = Store(path, lock_wait=lock_wait, durable=True)
        try:
            with store.writing():
                migrate(store)
                self._lock = lock_as_owner(store)
                interrupted = interrupt_orphans(store, self._now())
        except BaseException:
            store.close()
            self._reader.close()
            raise
        self._store = store
        self._owner = owner_of(self._lock)
        self._writer = GroupWriter(store, lock_wait)
        if interrupted:
            self.log("warning", "batches_interrupted", f"{interrupted} batch runs of an ended process were closed")

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
        self._reader.require_in_place()
        return read_statistics(self._reader, self._clock())

    def prune(self, days: float) -> int:
        """Delete the events older than ``days`` and return how many rows went."""
        pruning = Store(self._store.path, lock_wait=_PRUNING_LOCK_WAIT_SECONDS)
        try:
            return prune(pruning, _text(self._clock() - timedelta(days=days)), self._closing.is_set)
        finally:
            pruning.close()

    def close(self, patience: float = LOCK_WAIT_SECONDS) -> None:
        """Write what is queued, waiting up to ``patience`` seconds for the file's lock, and close the file."""
        self._closing.set()
        self._writer.close(patience)
        self._lock.release()
        self._store.close()
        self._reader.close()

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
        return (run.run_id, self._now(), run.request_id, "running", *limits, self._owner)

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
        return _text(self._clock())


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
