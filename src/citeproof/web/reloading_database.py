"""Open the bibliographic database at first use, and reopen it when its file is replaced."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock

from citeproof.database.lookup import Database
from citeproof.database.title_index.format import index_path
from citeproof.model.errors import DatabaseError
from citeproof.store.sqlite import Identity, Watch
from citeproof.web.logs import log

RECHECK_SECONDS = 0.05
"""Minimum seconds between two checks of whether the database file was replaced."""


class DatabaseMissingError(DatabaseError):
    """Raised if the database file does not exist."""


Stamp = tuple[Identity | None, ...]
"""The identity on disk of the database file and of each companion file, such as the title index;
None for a missing file.
"""


@dataclass(slots=True)
class _Opened:
    database: Database
    stamp: Stamp
    # number of ``with`` blocks that use the database, plus 1 while it is the current database
    users: int = 1


class ReloadingDatabase:
    """Opens a database file at first use, and again when the file is replaced. A replaced database
    is closed when it is no longer used.

    If the new file cannot be opened, the old database stays in use, and a warning is logged.
    """

    def __init__(
        self,
        path: Path,
        opener: Callable[[Path], Database],
        companions: tuple[Path, ...] = (),
        recheck: float = 0.0,
    ) -> None:
        """``opener`` opens the database at ``path``. The file and its ``companions``, such as the
        title index, are checked for changes every ``recheck`` seconds.
        """
        self.path, self._open = path, opener
        self._watch = Watch(path, *companions, seconds=recheck)
        self._current: _Opened | None = None
        self._refused: Stamp | None = None
        self._guard, self._renewing = Lock(), Lock()

    @contextmanager
    def borrow(self) -> Iterator[Database]:
        """Context manager that yields the current database and keeps it open until the block ends.

        Raises :class:`DatabaseMissingError` if the file is missing, and :class:`DatabaseError` if
        it cannot be opened.
        """
        stamp = self._watch.look()
        if stamp[0] is None:
            raise DatabaseMissingError(f"{self.path}: no such file")
        if self._is_outdated(stamp):
            self._renew(stamp)
        with self._guard:
            opened = self._current
            if opened is None:
                raise DatabaseError(f"{self.path}: is closed")
            opened.users += 1
        try:
            yield opened.database
        finally:
            self._release(opened)

    def renew(self) -> None:
        """Reopen the database if its file was replaced, to free the disk space of the old file.

        Errors are ignored.
        """
        with suppress(DatabaseError), self.borrow():
            pass

    def holds(self, title: str) -> bool:
        """Return whether the database has a work with this title or a very similar title."""
        with self.borrow() as database:
            return bool(database.look_up(title).found)

    def exists(self) -> bool:
        """Return whether the database file exists."""
        return self._watch.look()[0] is not None

    def close(self) -> None:
        """Close the database as soon as no ``with`` block uses it."""
        self._replace(None)

    def _is_outdated(self, stamp: Stamp) -> bool:
        return self._current is None or stamp not in (self._current.stamp, self._refused)

    def _renew(self, stamp: Stamp) -> None:
        # While another thread opens the new file, use the old database if there is one.
        if not self._renewing.acquire(blocking=self._current is None):
            return
        try:
            if self._is_outdated(stamp):
                new = _Opened(self._open(self.path), stamp)
                if self._current is not None:
                    log.info("the database was replaced on disk; the new one is in service")
                self._replace(new)
        except Exception as error:
            if self._current is None:
                raise
            self._refused = stamp
            log.warning("the new database cannot be opened, the old one stays in use: %s", error)
        finally:
            self._renewing.release()

    def _replace(self, new: _Opened | None) -> None:
        with self._guard:
            old, self._current = self._current, new
        if old:
            self._release(old)

    def _release(self, opened: _Opened) -> None:
        with self._guard:
            opened.users -= 1
            is_unused = not opened.users
        if is_unused:
            opened.database.close()


def open_reloading(
    path: Path, index_dir: Path | None = None, *, titles_in_memory: bool = True
) -> ReloadingDatabase:
    """Return a database that is reopened when the file at ``path`` is replaced. ``index_dir`` is
    the folder of the title index. ``titles_in_memory`` is explained at :meth:`Database.open`.
    """
    opener = partial(
        Database.open,
        index_dir=index_dir,
        recheck_seconds=RECHECK_SECONDS,
        titles_in_memory=titles_in_memory,
    )
    return ReloadingDatabase(path, opener, (index_path(path, index_dir),), RECHECK_SECONDS)
