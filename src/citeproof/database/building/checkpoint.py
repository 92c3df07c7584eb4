"""Checkpoints of a build: what a later build of the same sources needs to go on after a kill.

The records of an unfinished build are in ``papers.db.building``. Beside it are the files of this
module: ``papers.db.building.authors`` and others with what is still to be sorted, and the state
``papers.db.building.7`` of checkpoint 7. A state is written before the checkpoint of the database,
which has the number of the state that counts.
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
_WAITS = 100  # maximum number of waits for a process of a killed build, 0.1 seconds each


class Checkpoints:
    """The files beside the unfinished database ``building``."""

    def __init__(self, building: Path, plan: object) -> None:
        """``plan`` is what must be the same for a build that goes on, such as the sources."""
        self._building, self._plan = building, [repr(plan), sys.version]

    def path(self, name: object) -> Path:
        """Return the path of the file ``name``."""
        return self._building.with_name(f"{self._building.name}.{name}")

    def load(self, number: int) -> dict[str, Any] | None:
        """Return the state of the checkpoint, or None if it is of another build or missing."""
        try:
            plan, state = marshal.loads(self.path(number).read_bytes())  # noqa: S302 - our own file
        except (OSError, ValueError, EOFError, TypeError):
            return None
        return state if plan == self._plan else None

    def save(self, number: int, state: dict[str, Any]) -> None:
        """Write the state of a checkpoint, before the database is committed."""
        with self.path(number).open("wb") as file:
            file.write(marshal.dumps((self._plan, state)))
            flush(file)
        self.path(number - 2).unlink(missing_ok=True)

    def close(self) -> None:
        """Remove all files, when the build has ended."""
        pattern = f"{self._building.name}.*"
        for path in [*self._building.parent.glob(pattern), _journal(self._building)]:
            path.unlink(missing_ok=True)


def _journal(building: Path) -> Path:
    return building.with_name(building.name + "-journal")


def opened(path: Path, stack: ExitStack, size: int = 0) -> IO[bytes]:
    """Open and lock the file of a checkpoint for reading and writing, until ``stack`` ends.

    Waits for a process that a killed build has left behind. Raises :class:`BuildError` if the file
    has fewer than ``size`` bytes.
    """
    for _ in range(_WAITS):
        with suppress(LockHeldError):
            lock = ProcessLock(path)
            stack.callback(lock.close)
            if os.fstat(lock.descriptor).st_size < size:
                raise BuildError(f"{path}: a part of it is lost; run it again to begin anew")
            return stack.enter_context(open(lock.descriptor, "r+b", closefd=False))
        sleep(0.1)
    raise BuildError(f"{path}: is in use by another build; wait for it")
