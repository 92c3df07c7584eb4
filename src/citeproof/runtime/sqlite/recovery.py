"""Who lives, by locked files beside the store: the system drops a lock when its process ends in any way."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from citeproof.runtime.recovery import interrupt_runs
from citeproof.storage.process_lock import ProcessLock, is_held

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.storage.store import Store


class Owner:
    """A lock under a new name beside a store; it shows the other processes that this one lives."""

    def __init__(self, store: Store) -> None:
        """Lock a file beside ``store``; call it while holding the store's write lock."""
        self.name = secrets.token_hex(8)
        """What stands for this process in the tables."""
        self._lock = ProcessLock(lock_path(store.path, self.name))

    def renew(self) -> None:
        """Do nothing: the system keeps the lock as long as this process lives."""

    def release(self) -> None:
        """Drop the lock and remove its file."""
        self._lock.release()


def interrupt_orphans(store: Store, now: str) -> int:
    """Mark the running batches of dead processes and return how many; call it while holding the write lock."""
    interrupted = interrupt_runs(store, lambda owner: is_held(lock_path(store.path, owner)), now)
    for abandoned in store.path.parent.glob(f"{store.path.name}.lock-*"):
        is_held(abandoned)
    return interrupted


def lock_path(store: Path, owner: str) -> Path:
    """Return where the lock of ``owner`` is, beside the store."""
    return store.with_name(f"{store.name}.lock-{owner}")
