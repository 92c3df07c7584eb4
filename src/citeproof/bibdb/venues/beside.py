"""Learns venues in a process beside the build, from the records of the unfinished database, which are complete by then.

The other process is a plain child. It says with ``None`` that it has begun to read, so that the build may go on, then
sends the rows of each table in marshalled messages, and ends with ``None``, or with what is wrong.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from citeproof.bibdb import beside
from citeproof.bibdb.venues import volumes
from citeproof.errors import BuildError
from citeproof.storage.bulk import Settled

if TYPE_CHECKING:
    from citeproof.storage.bulk import BulkFile


class VenuesBeside:
    """The other process."""

    def __init__(self, path: Path) -> None:
        """Begin with the file at ``path``, whose records are settled; return when it is open there.

        Raises:
            BuildError: the other process has failed.
        """
        self._path = path
        self._process = beside.start(__spec__.name, path)
        try:
            self._receive()
        except BuildError:
            self.close()
            raise

    def write(self, file: BulkFile) -> None:
        """Add the tables of volumes and venue names to ``file``; raise :class:`BuildError` where that fails."""
        file.execute(volumes.TABLES)
        while message := self._receive():
            table, rows = message
            file.execute_many(volumes.INSERTS[table], rows)

    def close(self) -> None:
        """End the other process."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def _receive(self) -> Any:
        return beside.receive(self._process.stdout, f"{self._path}: the process that learnt its venues was stopped")


def main(path: Path, stream: IO[bytes]) -> None:
    """Write what there is to learn from the records of the file at ``path`` to ``stream``."""

    try:
        file = Settled(path)
        beside.send(stream, None)
        stream.flush()
        volumes.learn_from(file, lambda table, rows: beside.send(stream, (table, list(rows))))
        beside.send(stream, None)
    except BuildError as error:
        beside.send(stream, str(error))
    stream.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.stdout.buffer)
