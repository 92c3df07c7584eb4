"""Fill a new SQLite file as fast as SQLite can: one transaction, no journal, nothing kept of a failure."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import apsw

from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

PAGE_BYTES = 8192
CACHE_KIB = 48 << 10
PROGRESS_STEPS = 200_000
"""SQLite comes back to Python after so many of its steps, so that Ctrl-C ends even a long statement."""

_PRAGMAS = (
    f"page_size = {PAGE_BYTES}",
    "journal_mode = off",
    "synchronous = off",
    "locking_mode = exclusive",
    f"cache_size = -{CACHE_KIB}",
)


class BulkFile:
    """An SQLite file in the making; the caller throws it away when anything fails."""

    def __init__(self, path: Path, application_id: int) -> None:
        """Create the database in the empty file at ``path``."""
        self._path = path
        with self._explained():
            self._connection = apsw.Connection(str(path))
            for pragma in (*_PRAGMAS, f"application_id = {application_id}"):
                self._connection.execute("PRAGMA " + pragma).fetchall()
            self._connection.set_progress_handler(lambda: False, PROGRESS_STEPS)
            self._connection.execute("BEGIN")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one or more statements and return their rows; raise :class:`BuildError` when one fails."""
        with self._explained():
            return list(self._connection.execute(sql, values))

    def stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query one by one; raise :class:`BuildError` when it fails."""
        with self._explained():
            yield from self._connection.execute(sql)

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each of ``rows``."""
        with self._explained():
            self._connection.executemany(sql, rows)

    def finish(self) -> None:
        """Write all that is left and close the file."""
        with self._explained():
            self._connection.execute("COMMIT")
            self._connection.close()

    def discard(self) -> None:
        """Close the file as it is."""
        self._connection.close(True)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except apsw.FullError:
            raise BuildError(f"{self._path.parent}: no space left on the disk") from None
        except apsw.Error as error:
            raise BuildError(f"{self._path}: cannot be written: {error}") from error
