"""Batch runs whose process died: they are marked ``interrupted`` at the next start, whoever starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.storage.sql import SqlStore

_INTERRUPT = """UPDATE batch_runs SET status = 'interrupted', finished_at = ?,
    error_message = 'the server process ended before the batch did',
    total_processed = (SELECT count(*) FROM batch_items WHERE run_id = batch_runs.id),
    found_count = (SELECT count(*) FROM batch_items WHERE run_id = batch_runs.id AND found),
    not_found_count = (SELECT count(*) FROM batch_items WHERE run_id = batch_runs.id AND NOT found AND error IS NULL),
    error_count = (SELECT count(*) FROM batch_items WHERE run_id = batch_runs.id AND error IS NOT NULL)
WHERE status = 'running' AND owner = ?"""


def interrupt_runs(store: SqlStore, lives: Callable[[str], bool], now: str) -> int:
    """Mark the running batches of owners that do not live, and return how many.

    Call it while holding the write lock, which keeps two starting processes from doing the same.
    """
    owners = [row[0] for row in store.execute("SELECT DISTINCT owner FROM batch_runs WHERE status = 'running'")]
    return sum(store.change(_INTERRUPT, (now, owner)) for owner in owners if not (owner and lives(owner)))
