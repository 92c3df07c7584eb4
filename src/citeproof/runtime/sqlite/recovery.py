"""Batch runs whose process died: they are marked ``interrupted`` at the next start, whoever starts."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from citeproof.storage.process_lock import ProcessLock, is_held

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.storage.store import Store

_INTERRUPT = """UPDATE batch_runs SET status = 'interrupted', finished_at = ?1,
    error_message = 'the server process ended before the batch did',
    total_processed = (SELECT count(*) FROM batch_items WHERE run_id = batch_runs.id),
    found_count = (SELECT count(*) FROM batch_items WHERE run_id = batch_runs.id AND found),
    not_found_count = (SELECT count(*) FROM batch_items WHERE run_id = batch_runs.id AND NOT found AND error IS NULL),
    error_count = (SELECT count(*) FROM batch_items WHERE run_id = batch_runs.id AND error IS NOT NULL)
WHERE status = 'running' AND owner = ?2"""


def lock_as_owner(store: Store) -> ProcessLock:
    """Return a lock under a new name beside ``store``; call it while holding the store's write lock."""
    return ProcessLock(lock_path(store.path, secrets.token_hex(8)))


def interrupt_orphans(store: Store, now: str) -> int:
    """Mark the running batches of dead processes and return how many; call it while holding the write lock.

    The write lock keeps two starting processes from testing one lock at the same time.
    """
    owners = [row[0] for row in store.execute("SELECT DISTINCT owner FROM batch_runs WHERE status = 'running'")]
    dead = [owner for owner in owners if not (owner and is_held(lock_path(store.path, owner)))]
    interrupted = 0
    for owner in dead:
        store.execute(_INTERRUPT, (now, owner))
        interrupted += store.execute("SELECT changes()")[0][0]
    for abandoned in store.path.parent.glob(f"{store.path.name}.lock-*"):
        is_held(abandoned)
    return interrupted


def owner_of(lock: ProcessLock) -> str:
    """Return the name under which the holder of ``lock`` stands in ``batch_runs.owner``."""
    return lock.path.name.rpartition("-")[2]


def lock_path(store: Path, owner: str) -> Path:
    """Return where the lock of ``owner`` is, beside the store."""
    return store.with_name(f"{store.name}.lock-{owner}")
