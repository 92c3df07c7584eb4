"""Fill a new SQLite file fast: one transaction, without a journal. The file is useless after a failure."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from citeproof.model.errors import BuildError
from citeproof.store.sqlite import Failures, explained

CACHE_KIB = 48 << 10
"""Size of the writer's page cache in KiB. SQLite sorts up to this size in memory, and more in temporary files."""
_SETTLED_CACHE_KIB = 16 << 10
_PROGRESS_STEPS = 200_000  # steps of a statement after which SQLite calls Python, so that Ctrl-C interrupts it
_PRAGMAS = (
    *("page_size = 8192", "journal_mode = off", "synchronous = off", "locking_mode = exclusive"),
    f"cache_size = -{CACHE_KIB}",
)

_FAILURES: Failures = (
    (apsw.FullError, BuildError, "{path.parent}: no space left on the disk"),
    (apsw.Error, BuildError, "{path}: cannot be written: {0}"),
)


class BulkFile:
    """An SQLite file that is being filled. If a method raises :class:`BuildError`, the caller must delete the file."""

    def __init__(self, path: Path, application_id: int) -> None:
        """Create the database in the empty file at ``path``."""
        self._explained = partial(explained, path, _FAILURES)
        with self._explained():
            self._connection = apsw.Connection(str(path))
            for pragma in (*_PRAGMAS, f"application_id = {application_id}"):
                self._connection.execute("PRAGMA " + pragma).fetchall()
            self._connection.set_progress_handler(lambda: False, _PROGRESS_STEPS)
            self._connection.execute("BEGIN")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one or more statements and return their rows."""
        with self._explained():
            return list(self._connection.execute(sql, values))

    def stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query one by one."""
        with self._explained():
            yield from self._connection.execute(sql)

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each of ``rows``."""
        with self._explained():
            self._connection.executemany(sql, rows)

    def settle(self) -> None:
        """Commit, so that a :class:`Settled` reader in another process sees the tables."""
        self.execute("COMMIT; BEGIN")

    def finish(self) -> None:
        """Commit and close the file."""
        with self._explained():
            self._connection.execute("COMMIT")
            self._connection.close()

    def discard(self) -> None:
        """Close the file without a commit."""
        self._connection.close(True)


class Settled(BulkFile):
    """Reads finished tables of a :class:`BulkFile` that another process is still writing.

    The writer keeps the file locked, so the reader uses ``immutable=1``, without locks. That is safe for tables that
    get no more rows, because new tables and indexes use new pages. One transaction keeps the view of the tables.
    """

    def __init__(self, path: Path) -> None:
        self._explained = partial(explained, path, _FAILURES)
        address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        with self._explained():
            self._connection = apsw.Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
            self._connection.execute(f"PRAGMA cache_size = -{_SETTLED_CACHE_KIB}").fetchall()
            self._connection.execute("BEGIN; SELECT count(*) FROM sqlite_schema").fetchall()
