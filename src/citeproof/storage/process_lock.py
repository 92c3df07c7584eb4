"""A lock on a file that lives exactly as long as its process, so that others can tell whether the process does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

try:
    import fcntl
except ImportError:  # Windows: processes are not told apart there
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from pathlib import Path


class LockHeldError(Exception):
    """A live process holds the lock."""


class ProcessLock:
    """An exclusive lock on a file, which is created if needed.

    The system drops it when the process ends in any way. It holds across containers that share the folder, where
    process ids mean nothing. Child processes do not inherit it.
    """

    def __init__(self, path: Path) -> None:
        """Lock ``path``; raise :class:`LockHeldError` when a live process already does, :class:`OSError` if it cannot.

        The lock is on the file that ``path`` names in the end. Example: A locks the file and removes it, B opened it
        just before. B then holds a lock on a file without a name, which would keep nobody out, so B tries again.
        """
        self.path = path
        self.descriptor = _locked(path)
        """The locked file, open for reading and writing."""

    def close(self) -> None:
        """Drop the lock; the file stays."""
        os.close(self.descriptor)

    def release(self) -> None:
        """Drop the lock and remove the file."""
        self.path.unlink(missing_ok=True)
        self.close()


def _locked(path: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if fcntl:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _names(path, descriptor):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise LockHeldError(str(path)) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _names(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def is_held(path: Path) -> bool:
    """Say whether a live process holds the lock at ``path``; a file that nobody holds is removed."""
    if not path.exists():
        return False
    try:
        ProcessLock(path).release()
    except LockHeldError:
        return True
    return False
