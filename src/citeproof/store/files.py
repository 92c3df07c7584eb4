"""Lock files, and replace a file in one step.

A lock shows that a process is alive, because the system releases it when the process ends. New content is written to
the locked file ``<name>.building``. A failure removes this file; after a kill, the next build overwrites it.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from citeproof.model.errors import BuildError

SUFFIX = ".building"
"""Suffix of the new file before it replaces its target."""

if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 1 << 30  # offset; beyond the content, because Windows refuses to read a locked byte

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
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
    """Raised if a live process holds the lock."""


class ProcessLock:
    """An exclusive lock on a file, also between containers that share the folder. Child processes do not inherit it."""

    def __init__(self, path: Path) -> None:
        """Lock ``path`` without waiting; raise :class:`LockHeldError` if another process holds the lock."""
        # Example of a race: B opens the file, then A locks and removes it. B's lock would be on a file without a name
        # and exclude nobody, so B checks the name after locking and tries again.
        self.path = path
        self._closed = False
        while True:
            self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)  # of the file, for reading and writing
            try:
                _lock(self.descriptor)
                if os.path.samestat(path.stat(), os.fstat(self.descriptor)):
                    return
            except FileNotFoundError:
                pass  # its holder removed it meanwhile
            except BlockingIOError:
                os.close(self.descriptor)
                raise LockHeldError(str(path)) from None
            except BaseException:
                os.close(self.descriptor)
                raise
            os.close(self.descriptor)

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


def is_held(path: Path) -> bool:
    """Return whether a live process holds the lock at ``path``; remove the file if none does."""
    if not path.exists():
        return False
    try:
        ProcessLock(path).release()
    except LockHeldError:
        return True
    return False


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Context manager that yields an empty file, which replaces ``target`` when the block ends without an error.

    Raises :class:`BuildError` if ``target`` cannot be replaced, or another process is building it.
    """
    target = resolved(target)  # replaces the file that a link names, not the link
    if target.exists() and not target.is_file():
        raise BuildError(f"{target}: is a {'directory' if target.is_dir() else 'device'}; name a file")
    building = target.with_name(target.name + SUFFIX)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = ProcessLock(building)
    except LockHeldError:
        raise BuildError(f"{building}: another build of the same file is running; wait for it") from None
    except OSError as error:
        raise BuildError(f"{building}: cannot be written: {error.strerror}") from error
    try:
        os.ftruncate(lock.descriptor, 0)  # a killed build may have left content
        yield building
        os.fsync(lock.descriptor)
        if sys.platform == "win32":  # an open file cannot be renamed there
            lock.close()
        building.replace(target)
        with suppress(OSError):  # so that the new name survives a power failure, if the system supports it
            sync(target.parent, os.O_RDONLY)
    except BaseException as error:
        if sys.platform == "win32":
            lock.close()
        building.unlink(missing_ok=True)
        if isinstance(error, PermissionError) and sys.platform == "win32":
            raise BuildError(f"{target}: is open in another program; close it, and try again") from error
        if isinstance(error, OSError):
            raise BuildError(f"{target}: cannot be written: {error.strerror or error}") from error
        raise
    finally:
        lock.close()


def resolved(path: Path) -> Path:
    """Return ``path`` with links resolved; raise :class:`~citeproof.model.errors.BuildError` for a loop of links."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a RuntimeError before Python 3.13
        raise BuildError(f"{path}: is a link that leads back to itself") from None


def sync(path: Path, flags: int = os.O_RDWR) -> None:
    """Flush the file or folder at ``path`` to the disk (``fsync``)."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
