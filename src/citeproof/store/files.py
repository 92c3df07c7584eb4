"""Lock files, and replace files atomically.

The operating system releases a lock when the process ends. To replace a file, its new content is
first written to a locked file ``<name>.building``. After an error, this second file is removed. If
the process is killed, the next build overwrites it.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from citeproof.model.errors import BuildError, cannot_be

SUFFIX = ".building"
"""Suffix of a new file that is still being written, such as ``papers.db.building``. The complete
file then replaces ``papers.db``.
"""

if sys.platform == "win32":
    import msvcrt

    # Offset of the locked byte. It is beyond the content, because Windows refuses to read a locked
    # byte.
    _LOCKED_BYTE = 1 << 30

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
    """Raised if another running process holds a lock."""


class ProcessLock:
    """An exclusive lock on a file, which also works between containers that share the file.

    Child processes do not inherit the lock.
    """

    def __init__(self, path: Path, mode: int = 0o666) -> None:
        """Create and lock the file ``path``. A new file has the permissions ``mode``.

        Raises :class:`LockHeldError` at once if the file is already locked.
        """
        # Example of a race: process B opens the file, then process A locks and removes it. B would
        # lock a file without a name, which excludes no other process. So B checks after locking
        # whether the name still refers to the file, and otherwise tries again.
        self.path = path
        self._closed = False
        while True:
            # descriptor of the file, for reading and writing
            self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT, mode)
            try:
                _lock(self.descriptor)
                if os.path.samestat(path.stat(), os.fstat(self.descriptor)):
                    return
            except FileNotFoundError:
                pass  # the holder of the lock removed the file meanwhile
            except BlockingIOError:
                os.close(self.descriptor)
                raise LockHeldError(str(path)) from None
            except BaseException:
                os.close(self.descriptor)
                raise
            os.close(self.descriptor)

    def close(self) -> None:
        """Release the lock without removing the file. Further calls do nothing."""
        if not self._closed:
            self._closed = True
            os.close(self.descriptor)

    def release(self) -> None:
        """Release the lock and remove the file."""
        if sys.platform == "win32":  # an open file cannot be removed
            self.close()
            with suppress(PermissionError):
                self.path.unlink(missing_ok=True)
        else:
            self.path.unlink(missing_ok=True)
            self.close()


def is_held(path: Path) -> bool:
    """Return whether a running process holds the lock on the file ``path``.

    If no process holds the lock, the file is removed.
    """
    if not path.exists():
        return False
    try:
        ProcessLock(path).release()
    except LockHeldError:
        return True
    return False


@contextmanager
def replacing(target: Path, *, going_on: bool = False) -> Iterator[Path]:
    """Context manager that yields the path of a new empty file. If the block succeeds, this file
    replaces ``target``.

    With ``going_on``, the yielded file may have the content that a killed process left there.

    Raises :class:`BuildError` if ``target`` cannot be replaced, or another process is replacing it.
    """
    target = resolved(target)  # if ``target`` is a link, the linked file is replaced
    if target.exists() and not target.is_file():
        raise BuildError(
            f"{target}: is a {'directory' if target.is_dir() else 'device'}; name a file"
        )
    building = target.with_name(target.name + SUFFIX)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = ProcessLock(building)
    except LockHeldError:
        raise BuildError(
            f"{building}: another build of the same file is running; wait for it"
        ) from None
    except (FileExistsError, NotADirectoryError):
        raise BuildError(f"{target.parent}: is not a directory; name another") from None
    except OSError as error:
        raise BuildError(cannot_be("written", building, error)) from error
    try:
        if not going_on:
            os.ftruncate(lock.descriptor, 0)
        yield building
        os.fsync(lock.descriptor)
        if sys.platform == "win32":  # Windows cannot rename an open file
            lock.close()
        building.replace(target)
        # the new name survives a power failure, if the system supports this
        with suppress(OSError):
            sync(target.parent, os.O_RDONLY)
    except BaseException as error:
        if sys.platform == "win32":
            lock.close()
        building.unlink(missing_ok=True)
        if isinstance(error, PermissionError) and sys.platform == "win32":
            raise BuildError(
                f"{target}: is open in another program; close it, and try again"
            ) from error
        if isinstance(error, OSError):
            raise BuildError(cannot_be("written", target, error)) from error
        raise
    finally:
        lock.close()


def resolved(path: Path) -> Path:
    """Return ``path`` with links resolved.

    A loop of links raises :class:`~citeproof.model.errors.BuildError`.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # Python before 3.13 raises a RuntimeError
        raise BuildError(f"{path}: is a link that leads back to itself") from None


def flush(file: IO[bytes]) -> None:
    """Write the buffered data of ``file`` to the disk (``fsync``)."""
    file.flush()
    os.fsync(file.fileno())


def sync(path: Path, flags: int = os.O_RDWR) -> None:
    """Flush the file or folder at ``path`` to the disk (``fsync``)."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
