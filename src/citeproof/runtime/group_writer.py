"""Group commit: one thread writes for all requests of a process, and everything that waits goes into one commit."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any

from citeproof.errors import DatabaseError, StoreBusyError
from citeproof.storage.sql import CommitUnknownError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from citeproof.storage.sql import SqlStore

_log = logging.getLogger("citeproof.runtime")

_COUNTERS = "INSERT INTO runtime_counters (name, value)"
_ADD = "ON CONFLICT (name) DO UPDATE SET value = runtime_counters.value + excluded.value"

_ROWS_AT_ONCE = 32
"""Rows of one statement. Each statement gives Python's lock up, and waits for it while other threads are at work; every
number of rows is a statement of its own, and those in use are kept prepared."""

_LOCK_SLICE_SECONDS = 1.0
"""How long the lock is awaited at a time. In between the writer sees that it is to close, and whose time is over."""

GATHERING_SECONDS = 0.01
"""How long a commit waits for as many changes as the one before it had. A single client never waits, because one
change is as many; thirty-two at once get 1.2 times as many answers a second."""


@dataclass(frozen=True, slots=True)
class Change:
    """Rows to insert, statements with their values, and counters to raise, that take effect together."""

    rows: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """Each after its ``INSERT INTO`` with table and columns; all rows of a commit come before its statements."""
    statements: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Waiting:
    change: Change
    deadline: float
    """On the monotonic clock; infinite for a change that must not be lost."""
    done: Future[None]


class GroupWriter:
    """The only writer of a process. A change is durable once its future has a result."""

    def __init__(self, store: SqlStore, lock_wait: float, beforehand: Callable[[], object] = tuple) -> None:
        """Write to ``store``; each change waits at most ``lock_wait`` seconds for another process's lock.

        ``beforehand`` is called before each commit; where the store cannot be reached, the commit says so.
        """
        self._store = store
        self._beforehand = beforehand
        self._lock_wait = lock_wait
        self._queue: list[_Waiting] = []
        self._together = 1
        """As many changes as were committed together the last time."""
        self._changed = Condition()
        self._closing_at = float("inf")
        """When the writer gives up what cannot be written; finite once it closes."""
        self._thread = Thread(target=self._run, name="runtime-writer", daemon=True)
        self._thread.start()

    def submit(self, change: Change) -> Future[None]:
        """Queue ``change``; the future fails with :class:`StoreBusyError` when the lock is not had in time."""
        return self._enqueue(change, time.monotonic() + self._lock_wait)

    def submit_without_deadline(self, change: Change) -> Future[None]:
        """Queue ``change`` for as long as it takes: it is written whenever the lock is free again."""
        return self._enqueue(change, float("inf"))

    def close(self, patience: float) -> None:
        """Write what is queued, waiting up to ``patience`` seconds for the lock, and end the thread."""
        with self._changed:
            self._closing_at = time.monotonic() + patience
            self._changed.notify()
        self._thread.join()

    @property
    def _closing(self) -> bool:
        return self._closing_at != float("inf")

    def _enqueue(self, change: Change, deadline: float) -> Future[None]:
        waiting = _Waiting(change, deadline, Future())
        # From here on nobody can cancel it: a request that is given up has still been made.
        waiting.done.set_running_or_notify_cancel()
        with self._changed:
            if self._closing:
                raise DatabaseError(f"{self._store.name}: the runtime store is closed")
            self._queue.append(waiting)
            if len(self._queue) in {1, self._together}:  # what the writer waits for
                self._changed.notify()
        return waiting.done

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._closing)
                if not self._queue:
                    return
                self._changed.wait_for(lambda: len(self._queue) >= self._together or self._closing, GATHERING_SECONDS)
                earliest = min(self._closing_at, *(waiting.deadline for waiting in self._queue))
                patience = min(earliest - time.monotonic(), _LOCK_SLICE_SECONDS)
            self._commit(max(patience, 0.0))

    def _commit(self, patience: float) -> None:
        group: list[_Waiting] = []
        with suppress(DatabaseError):
            self._beforehand()
        try:
            with self._store.writing(patience):
                # Only now: whatever arrived while the lock was awaited goes along.
                with self._changed:
                    group, self._queue = self._queue, []
                    self._together = len(group)
                _apply(self._store, [waiting.change for waiting in group])
        except StoreBusyError as error:
            with self._changed:  # the lock of a table may be awaited too, when the group is taken already
                self._queue[:0] = group
            self._give_up(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the requests that wait must hear of it
            self._settle_apart(group, error)
        else:
            for waiting in group:
                waiting.done.set_result(None)

    def _give_up(self, error: StoreBusyError) -> None:
        """Fail the changes whose time is over; the others keep waiting."""
        now = time.monotonic()
        with self._changed:
            expired = [waiting for waiting in self._queue if min(waiting.deadline, self._closing_at) <= now]
            self._queue = [waiting for waiting in self._queue if min(waiting.deadline, self._closing_at) > now]
        if expired:
            _log.error("%d records not written to the runtime store: %s", len(expired), error)
        for waiting in expired:
            waiting.done.set_exception(error)

    def _settle_apart(self, group: Sequence[_Waiting], error: Exception) -> None:
        """Commit the changes of a failed group one by one, so that only those fail that cannot be written.

        None is tried where the store is lost, nor where it may have them: they would be counted twice.
        """
        if not group or isinstance(error, CommitUnknownError):
            with self._changed:
                if not group:
                    group, self._queue = self._queue, []
            _log.error("%d records not written to the runtime store: %s", len(group), error)
            for waiting in group:
                waiting.done.set_exception(error)
            return
        for waiting in group:
            try:
                if time.monotonic() > waiting.deadline:
                    raise error
                with self._store.writing(self._lock_wait):
                    _apply(self._store, [waiting.change])
            except Exception as alone:  # noqa: BLE001 - as above
                _log.error("not written to the runtime store: %s", alone)
                waiting.done.set_exception(alone)
            else:
                waiting.done.set_result(None)


def _apply(store: SqlStore, changes: Sequence[Change]) -> None:
    rows: dict[str, list[tuple[Any, ...]]] = {}
    totals: dict[str, int] = {}
    for change in changes:
        for insert, row in change.rows:
            rows.setdefault(insert, []).append(row)
        for name, amount in change.counters.items():
            totals[name] = totals.get(name, 0) + amount
    for insert, several in rows.items():
        _insert(store, insert, several)
    for change in changes:
        for sql, values in change.statements:
            store.execute(sql, values)
    # In one order, so that no two processes that hold one counter each wait for the other's.
    _insert(store, _COUNTERS, sorted(totals.items()), _ADD)


def _insert(store: SqlStore, insert: str, rows: Sequence[tuple[Any, ...]], otherwise: str = "") -> None:
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[first : first + _ROWS_AT_ONCE]
        row = f"({', '.join('?' * len(some[0]))})"
        store.execute(f"{insert} VALUES {', '.join([row] * len(some))} {otherwise}", list(chain.from_iterable(some)))
