"""Checkpoints of a build: if a build is killed, the next build of the same sources continues at the
last checkpoint.

The records of an unfinished build are in ``papers.db.building``. This module writes further files
to the same folder. Files such as ``papers.db.building.authors`` have data that are still to be
sorted. The file ``papers.db.building.7`` has the state of the build at checkpoint 7. The state is
written first, and then the database is committed with the number of the checkpoint. The number in
the database therefore says which state is valid.
"""

import marshal
import os
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from time import sleep
from typing import IO, Any

from citeproof.model.errors import BuildError
from citeproof.store.files import LockHeldError, ProcessLock, flush

EVERY = 1_000_000
"""Number of records between two checkpoints."""
_WAITS = 100  # maximum number of waits, of 0.1 seconds each, for a process of a killed build


class Checkpoints:
    """The files of checkpoints, in the folder of the unfinished database ``building``."""

    def __init__(self, building: Path, plan: object) -> None:
        """``plan`` has values that identify the build, such as the sources. Only a build with an
        equal plan can use the checkpoints.
        """
        self._building, self._plan = building, [repr(plan), sys.version]

    def path(self, name: object) -> Path:
        """Return the path of the file ``name``."""
        return self._building.with_name(f"{self._building.name}.{name}")

    def load(self, number: int) -> dict[str, Any] | None:
        """Return the state of the checkpoint ``number``.

        Return None if the state is missing or belongs to another build.
        """
        try:
            plan, state = marshal.loads(self.path(number).read_bytes())  # noqa: S302 - our own file
        except (OSError, ValueError, EOFError, TypeError):
            return None
        return state if plan == self._plan else None

    def save(self, number: int, state: dict[str, Any]) -> None:
        """Write the ``state`` of the build at the checkpoint ``number``. Call this before the
        database is committed.
        """
        with self.path(number).open("wb") as file:
            file.write(marshal.dumps((self._plan, state)))
            flush(file)
        self.path(number - 2).unlink(missing_ok=True)

    def close(self) -> None:
        """Delete the temporary files of the build: checkpoints, unsorted data, and the journal of
        SQLite. Call this when the build has ended.
        """
        pattern = f"{self._building.name}.*"
        for path in [*self._building.parent.glob(pattern), _journal(self._building)]:
            path.unlink(missing_ok=True)


def _journal(building: Path) -> Path:
    return building.with_name(building.name + "-journal")


def opened(path: Path, stack: ExitStack, size: int = 0) -> IO[bytes]:
    """Open and lock the file of a checkpoint for reading and writing, until ``stack`` ends.

    If a process of a killed build still has the file locked, wait up to 10 seconds for its end.
    Raises :class:`BuildError` if the file has fewer than ``size`` bytes, or stays locked.
    """
    for _ in range(_WAITS):
        with suppress(LockHeldError):
            lock = ProcessLock(path)
            stack.callback(lock.close)
            if os.fstat(lock.descriptor).st_size < size:
                raise BuildError(
                    f"{path}: a part of this unfinished build is lost; run the command again, "
                    "and it begins from the start"
                )
            return stack.enter_context(open(lock.descriptor, "r+b", closefd=False))
        sleep(0.1)
    raise BuildError(f"{path}: is in use by another build; wait for it")
