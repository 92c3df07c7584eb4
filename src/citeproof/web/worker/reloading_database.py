"""The database that answers now: opened on first use, and again when the file on disk is another one."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from citeproof.bibdb.database import Database
from citeproof.bibdb.title_index.format import index_path
from citeproof.errors import DatabaseError
from citeproof.storage.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from citeproof.models import Lookup
    from citeproof.storage.sqlite import Identity

_log = logging.getLogger("citeproof.web")

RECHECK_SECONDS = 0.05
"""How long a replaced database may go unseen; looking at the files takes a sixth of a search that finds its title."""


class LookupDatabase(Protocol):
    """What the service needs of a bibliographic database."""

    def look_up_text(
        self, text: str, threshold: float = 0.9, max_candidates: int = 100_000, *, nearest_from: float = 1.0
    ) -> Lookup:
        """Return the answer to one title, or to an identifier in place of one."""

    def look_up_exact(self, title: str, threshold: float = 0.9) -> Lookup | None:
        """Return the answer to one title if that takes much less than a millisecond, else None."""

    def describe(self) -> dict[str, Any]:
        """Return what an answer from this database rests on."""

    def close(self) -> None:
        """Close the file."""


class DatabaseMissingError(DatabaseError):
    """The database file does not exist."""


Stamp = tuple["Identity | None", ...]
"""What the database and each companion are on disk; none for a missing one."""


@dataclass(slots=True)
class _Opened:
    database: LookupDatabase
    stamp: Stamp
    readers: int = 0
    retired: bool = False


class ReloadingDatabase:
    """Lends the current database; a replaced one is closed when its last reader is done.

    A new file that cannot be opened leaves the old one in service, with a warning in the log.
    """

    def __init__(
        self,
        path: Path,
        open_database: Callable[[Path], LookupDatabase],
        companions: tuple[Path, ...] = (),
        *,
        recheck_seconds: float = 0.0,
        beside: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        """Lend the database at ``path``; a change of one of ``companions``, such as its index, renews it too.

        A change is seen ``recheck_seconds`` later at most. ``beside`` runs what opens a new file while the old one
        is still lent; without it whoever comes next opens it and waits.
        """
        self.path = path
        self._open = open_database
        self._beside = beside
        self._watch = Watch(path, *companions, seconds=recheck_seconds)
        self._current: _Opened | None = None
        self._refused: Stamp | None = None
        self._guard = Lock()
        self._renewing = Lock()

    @contextmanager
    def borrow(self) -> Iterator[LookupDatabase]:
        """Lend the database for the length of a ``with``.

        Raises :class:`DatabaseMissingError` when the file does not exist, and :class:`DatabaseError` when
        there is none in service yet and the file cannot be opened.
        """
        stamp = self._watch.look()
        if stamp[0] is None:
            raise DatabaseMissingError(f"{self.path}: no such file")
        if self._outdated(stamp):
            if self._current is None or self._beside is None:
                self._renew(stamp)
            elif not self._renewing.locked():
                self._beside(partial(self._renew, stamp))
        with self._guard:
            opened = self._current
            if opened is None:
                raise DatabaseError(f"{self.path}: is closed")
            opened.readers += 1
        try:
            yield opened.database
        finally:
            with self._guard:
                opened.readers -= 1
                last = opened.retired and not opened.readers
            if last:
                opened.database.close()

    def is_open(self) -> bool:
        """Say whether a database is lent without delay."""
        return self._current is not None

    def exists(self) -> bool:
        """Say whether the database file is there."""
        return self._watch.look()[0] is not None

    def close(self) -> None:
        """Take the database out of service."""
        self._put(None)

    def _outdated(self, stamp: Stamp) -> bool:
        return self._current is None or stamp not in (self._current.stamp, self._refused)

    def _renew(self, stamp: Stamp) -> None:
        # Whoever comes while another opens the new file goes on with the old one, if there is one.
        if not self._renewing.acquire(blocking=self._current is None):
            return
        try:
            if not self._outdated(stamp):
                return
            try:
                database = self._open(self.path)
            except Exception as error:
                if self._current is None:
                    raise
                self._refused = stamp
                _log.warning("the new database is not used, the old one goes on: %s", error)
                return
            if self._current is not None:
                _log.info("the database was replaced on disk; the new one is in service")
            self._put(_Opened(database, stamp))
        finally:
            self._renewing.release()

    def _put(self, opened: _Opened | None) -> None:
        with self._guard:
            old, self._current = self._current, opened
            if old:
                old.retired = True
            unread = old is not None and not old.readers
        if old and unread:
            old.database.close()


def open_reloading(
    path: Path, index_dir: Path | None = None, *, beside: Callable[[Callable[[], None]], object] | None = None
) -> ReloadingDatabase:
    """Return what lends the database at ``path``, with its title index beside it or in ``index_dir``."""
    open_database = partial(Database.open, index_dir=index_dir, recheck_seconds=RECHECK_SECONDS)
    companions = (index_path(path, index_dir),)
    return ReloadingDatabase(path, open_database, companions, recheck_seconds=RECHECK_SECONDS, beside=beside)
