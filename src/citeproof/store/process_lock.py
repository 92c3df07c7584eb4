"""A file lock that is released when its process ends, so that other processes can see whether it is alive."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    LOCKED_BYTE = 1 << 30
    """Position of the locked byte. It is behind the content, because Windows refuses to read a locked byte."""

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class LockHeldError(Exception):
    """A live process holds the lock."""


class ProcessLock:
    """An exclusive lock on a file, which is created if it is missing.

    The system releases the lock when the process ends in any way. Unlike a process id it works across containers that
    share the folder. Child processes do not inherit it.
    """

    def __init__(self, path: Path) -> None:
        """Lock ``path`` without waiting.

        Example of a race: B opens the file, then A locks and removes it. B's lock would be on a file without a name and
        exclude nobody, so B checks the name after locking and tries again.

        Raises :class:`LockHeldError` if another process holds the lock, and :class:`OSError` if the file cannot be
        opened.
        """
        self.path = path
        self.descriptor = _locked(path)
        """The locked file, open for reading and writing."""
        self._closed = False

    def close(self) -> None:
        """Release the lock; the file stays. Further calls do nothing."""
        if not self._closed:
            self._closed = True
            os.close(self.descriptor)

    def release(self) -> None:
        """Release the lock and remove the file."""
        if sys.platform == "win32":  # an open file cannot be removed; a new holder keeps it
            self.close()
            with suppress(PermissionError):
                self.path.unlink(missing_ok=True)
        else:
            self.path.unlink(missing_ok=True)
            self.close()


def _locked(path: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(descriptor)
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
    """Return whether a live process holds the lock at ``path``; remove the file if none does."""
    if not path.exists():
        return False
    try:
        ProcessLock(path).release()
    except LockHeldError:
        return True
    return False
