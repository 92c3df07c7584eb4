"""A lock that lives exactly as long as its process, so that others can tell whether the process still does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from pathlib import Path


class Lease:
    """An exclusive lock on a small file of its own; the system drops it when the process ends in any way.

    SQLite takes the lock, so it works wherever SQLite does, and across containers that share the folder,
    where process ids mean nothing.
    """

    def __init__(self, path: Path) -> None:
        """Create ``path`` and lock it; raise :class:`LeaseHeldError` when a process already does."""
        self.path = path
        self._connection = apsw.Connection(str(path))
        try:
            # Nothing is ever written, so no journal needs to stand beside the file.
            self._connection.pragma("journal_mode", "memory")
            self._connection.execute("BEGIN EXCLUSIVE")
        except apsw.BusyError:
            self._connection.close()
            raise LeaseHeldError(str(path)) from None

    def release(self) -> None:
        """Drop the lock and the file."""
        self.path.unlink(missing_ok=True)
        self._connection.close()


class LeaseHeldError(Exception):
    """A live process holds the lease."""


def is_held(path: Path) -> bool:
    """Say whether a live process holds the lease at ``path``; a file that nobody holds is removed."""
    if not path.exists():
        return False
    try:
        Lease(path).release()
    except LeaseHeldError:
        return True
    return False
