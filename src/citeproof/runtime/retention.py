"""``--retain-days``: events older than that go; counters stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.storage.sql import SqlStore

SLICE = 1000
"""Rows a transaction deletes at most, so that searches wait for the write lock for moments only."""

_AGED = (
    "DELETE FROM single_search_events WHERE id IN (SELECT id FROM single_search_events WHERE created_at < ? LIMIT ?)",
    "DELETE FROM batch_items WHERE id IN (SELECT id FROM batch_items WHERE created_at < ? LIMIT ?)",
    """DELETE FROM batch_runs WHERE id IN (SELECT id FROM batch_runs AS run WHERE created_at < ? AND status <> 'running'
        AND NOT EXISTS (SELECT 1 FROM batch_items WHERE run_id = run.id) LIMIT ?)""",
    "DELETE FROM event_logs WHERE id IN (SELECT id FROM event_logs WHERE created_at < ? LIMIT ?)",
)


def prune(store: SqlStore, before: str, stopped: Callable[[], bool] = lambda: False) -> int:
    """Delete the events from before the ISO time ``before`` until ``stopped``, and return how many rows went."""
    deleted = 0
    for statement in _AGED:
        gone = SLICE
        while gone == SLICE and not stopped():
            with store.writing():
                gone = store.change(statement, (before, SLICE))
            deleted += gone
    return deleted
