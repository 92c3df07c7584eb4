"""Replace a file in one step.

The new content is written to ``<name>.building`` beside the target, under a lock that is released when the process
ends. A failure removes that file; the next build overwrites one that a killed process left behind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from citeproof.model.errors import BuildError
from citeproof.store.process_lock import LockHeldError, ProcessLock

SUFFIX = ".building"
"""Suffix of the file that replaces its target."""


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield an empty file that replaces ``target`` when the block ends, and is removed if the block fails.

    Raises :class:`BuildError` if the folder cannot be written to, another process is building ``target``, or ``target``
    is not a regular file, such as ``/dev/null``. On Windows also if another program has ``target`` open.
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
        with suppress(FileNotFoundError):
            building.unlink()
        if isinstance(error, PermissionError) and sys.platform == "win32":
            raise BuildError(f"{target}: is open in another program; close it, and try again") from error
        if isinstance(error, OSError):
            raise BuildError(f"{target}: cannot be written: {error.strerror or error}") from error
        raise
    finally:
        lock.close()


def resolved(path: Path) -> Path:
    """Return ``path`` with links resolved; raise :class:`~citeproof.model.errors.BuildError` for a circle of links."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a RuntimeError before Python 3.13
        raise BuildError(f"{path}: is a link that leads back to itself") from None


def sync(path: Path, flags: int = os.O_RDWR) -> None:
    """Flush ``path`` to the disk (``fsync``), so that replacing the target later takes little time."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
