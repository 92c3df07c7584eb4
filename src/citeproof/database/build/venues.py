"""Learns venues in a child process during a build, from the complete records of the unfinished database.

The child sends ``None`` when the file is open, so that the build may go on, and then the rows of the tables or an error
message.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Any

from citeproof import processes
from citeproof.database.venues import volumes
from citeproof.model.errors import BuildError
from citeproof.store.bulk import BulkFile, Settled


class VenuesBeside:
    """The child process that learns venues."""

    def __init__(self, path: Path) -> None:
        """Start with the file at ``path``, whose records are complete; return when the child has opened it.

        Raises :class:`BuildError` if the child has failed.
        """
        self._path = path
        self._process = processes.start_child(__spec__.name, path)
        try:
            self._receive()
        except BuildError:
            self.close()
            raise

    def write(self, file: BulkFile) -> None:
        """Add the tables of volumes and venue names to ``file``; raise :class:`BuildError` if the child fails."""
        volumes.write(file, self._receive())

    def close(self) -> None:
        """End the child."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def _receive(self) -> Any:
        return processes.receive(self._process.stdout, f"{self._path}: the process that learnt its venues was stopped")


def main(path: Path, stream: IO[bytes]) -> None:
    """Write the rows that are learnt from the file at ``path`` to ``stream``."""

    try:
        file = Settled(path)
        processes.send(stream, None)
        stream.flush()
        processes.send(stream, volumes.learnt(file))
    except BuildError as error:
        processes.send(stream, str(error))
    stream.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.stdout.buffer)
