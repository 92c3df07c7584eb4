"""Write a new file and put it in place in one step, whatever happens in between.

The new content grows in ``<name>.building`` beside the target, under a lock that dies with the
process. Whoever fails removes it; what a killed process left behind the next build takes over.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from citeproof.errors import BuildError
from citeproof.storage.process_lock import LockHeldError, ProcessLock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX = ".building"


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield an empty file to write to; it replaces ``target`` when the block ends, and vanishes when it fails.

    Raises :class:`BuildError` when the folder cannot be written to, when another process is building ``target``, and
    when that is a device such as ``/dev/null``, which a file in its place would take from all programs.
    """
    target = resolved(target)  # a link stays a link: the file that it names is replaced
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
        os.ftruncate(lock.descriptor, 0)  # what a killed build left behind
        yield building
        os.fsync(lock.descriptor)
        building.replace(target)
        _sync_folder(target.parent)
    except BaseException as error:
        with suppress(FileNotFoundError):
            building.unlink()
        if isinstance(error, OSError):
            raise BuildError(f"{target}: cannot be written: {error.strerror or error}") from error
        raise
    finally:
        lock.close()


def resolved(path: Path) -> Path:
    """Return what ``path`` names, links followed; raise :class:`BuildError` for links that lead in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a RuntimeError before Python 3.13
        raise BuildError(f"{path}: is a link that leads back to itself") from None


def sync(path: Path) -> None:
    """Wait until what was written to ``path`` is on the disk, so that putting it in place takes no time."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Make the new name itself survive a power cut, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
