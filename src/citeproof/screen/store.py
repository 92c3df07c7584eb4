"""What a screening has done so far: one SQLite file in the folder of its results.

Whatever is committed outlives the process, so a run that was killed goes on from here. Nothing in it is final but the
tables that :mod:`gathering` writes from it. Verdicts whose evidence was removed or cut are forgotten, and made again.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from citeproof.errors import InputError
from citeproof.screen.evidence import FILE as EVIDENCE
from citeproof.screen.evidence import EvidenceFile
from citeproof.storage.process_lock import LockHeldError, ProcessLock
from citeproof.storage.store import NOTHING, Store, contents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from citeproof.screen.checking import Checked
    from citeproof.screen.papers import Unit
    from citeproof.screen.reading import Cited, ReadUnit

FILE = "screening.db"
LOCK = "screening.lock"
FORMAT = "2"
"""Raised when a table changes; a folder of another format is refused."""
PAGE = 5_000
"""Rows that are in memory at a time."""
TABLES = """
CREATE TABLE IF NOT EXISTS screening (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS units (name TEXT PRIMARY KEY, path TEXT NOT NULL, stamp TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS units_path ON units (path);
CREATE TABLE IF NOT EXISTS papers (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, name TEXT NOT NULL UNIQUE, seconds REAL NOT NULL,
    trouble TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS papers_path ON papers (path);
CREATE TABLE IF NOT EXISTS distinct_references (
    id INTEGER PRIMARY KEY, signature BLOB NOT NULL UNIQUE, fields TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS places (
    paper INTEGER NOT NULL, position INTEGER NOT NULL, reference INTEGER, key TEXT NOT NULL, file TEXT NOT NULL,
    line INTEGER NOT NULL, page INTEGER NOT NULL, trouble TEXT NOT NULL, is_note INTEGER NOT NULL,
    PRIMARY KEY (paper, position)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS places_reference ON places (reference);
CREATE TABLE IF NOT EXISTS verdicts (
    reference INTEGER PRIMARY KEY, basis TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
    confidence REAL NOT NULL, details TEXT NOT NULL, asked TEXT NOT NULL, member INTEGER, line INTEGER);
"""
_CITED = "EXISTS (SELECT 1 FROM places p WHERE p.reference = r.id)"
_OPEN = (
    "FROM distinct_references r LEFT JOIN verdicts v ON v.reference = r.id "
    f"WHERE (v.basis IS NOT ? OR v.status = 'ERROR') AND {_CITED}"
)
_UNASKED = (
    "FROM distinct_references r JOIN verdicts v ON v.reference = r.id WHERE v.status <> 'VALID' "
    f"AND (v.asked <> ? OR v.status = 'ERROR') AND v.reason <> 'program_fault' AND {_CITED}"
)
"""What has killed its process is not looked at in the one process that asks."""


class ScreeningStore:
    """The state of one screening. One process at a time works on it."""

    def __init__(self, folder: Path) -> None:
        """Open what is in ``folder``, or begin.

        Raises:
            InputError: the folder is something else, or cannot be written to.
        """
        path = folder / FILE
        found = contents(path)
        if found is None or (found != NOTHING and "screening" not in found.tables):
            raise InputError(f"{path}: is no screening; name another folder")
        self._store = Store(path)
        for statement in TABLES.split(";\n"):
            self._store.execute(statement)
        known = self._store.execute("SELECT value FROM screening WHERE name = 'format'")
        if known and known[0][0] != FORMAT:
            raise InputError(f"{folder}: was made by another version of citeproof; screen into a new folder")
        self.keep("format", FORMAT)
        self.evidence = EvidenceFile(folder / EVIDENCE, int(self.kept("evidence") or 0))
        if not self.evidence.whole:
            self._store.execute("DELETE FROM verdicts")
            self.keep("evidence", "0")

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def keep(self, name: str, value: str) -> None:
        """Keep a fact about the whole screening."""
        self._store.execute("INSERT OR REPLACE INTO screening VALUES (?, ?)", (name, value))

    def kept(self, name: str) -> str:
        """Return a fact that was kept; empty where it was not."""
        rows = self._store.execute("SELECT value FROM screening WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else ""

    def is_read(self, unit: Unit) -> bool:
        """Whether ``unit`` was read as it is now; where its file has changed, what was read of it is forgotten.

        So is what was read of single files of a folder that is a paper since it holds a ``.tex``.
        """
        rows = self._store.execute("SELECT stamp FROM units WHERE path = ? LIMIT 1", (unit.path,))
        if rows and rows[0][0] != unit.stamp:
            self._forget(unit.path)
            return False
        if not rows:  # "0" is the letter behind "/"
            below = "SELECT DISTINCT path FROM units WHERE path > ? AND path < ?"
            for (path,) in self._store.execute(below, (f"{unit.path}/", f"{unit.path}0")):
                self._forget(path)
        return bool(self._store.execute("SELECT 1 FROM units WHERE name = ?", (unit.name,)))

    def add_read(self, units: Iterable[ReadUnit]) -> None:
        """Take in what was read, all of ``units`` or none; what is named twice counts once."""
        with self._store.transaction():
            for each in units:
                unit = each.unit
                if self._store.execute("SELECT 1 FROM units WHERE name = ?", (unit.name,)):
                    continue
                self._store.execute("INSERT OR REPLACE INTO units VALUES (?, ?, ?)", (unit.name, unit.path, unit.stamp))
                for paper in each.papers:
                    number = self._paper(unit.path, paper.name, each.seconds / len(each.papers), paper.trouble)
                    self._add_places(number, paper.cited)

    def open_references(self, basis: str) -> Iterator[tuple[int, str]]:
        """Yield number and fields of each reference that has no verdict on ``basis``, or an ERROR."""
        return self._references(_OPEN, basis)

    def count_open(self, basis: str) -> int:
        """Return how many references :meth:`open_references` would yield."""
        return int(self._store.execute(f"SELECT count(*) {_OPEN}", (basis,))[0][0])

    def unasked(self, asked: str) -> Iterator[tuple[int, str]]:
        """Yield number and fields of each reference that is not VALID and that ``asked`` were not asked about."""
        return self._references(_UNASKED, asked)

    def count_unasked(self, asked: str) -> int:
        """Return how many references :meth:`unasked` would yield."""
        return int(self._store.execute(f"SELECT count(*) {_UNASKED}", (asked,))[0][0])

    def _references(self, chosen: str, value: str) -> Iterator[tuple[int, str]]:
        last = 0
        select = f"SELECT r.id, r.fields {chosen} AND r.id > ? ORDER BY r.id LIMIT {PAGE}"
        while rows := self._store.execute(select, (value, last)):
            yield from rows
            last = rows[-1][0]

    def add_checked(self, basis: str, verdicts: Sequence[Checked], asked: str = "") -> None:
        """Take in ``verdicts`` with their evidence, all or none; ``asked`` are the sources that were asked online."""
        lines = [each.evidence for each in verdicts if each.evidence]
        member = self.evidence.append(lines) if lines else None
        places = iter(range(len(lines)))
        with self._store.transaction():
            self._store.execute_many(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (each.number, basis, each.status, each.reason, each.confidence, each.details, asked)
                    + ((member, next(places)) if each.evidence else (None, None))
                    for each in verdicts
                ],
            )
            self.keep("evidence", str(self.evidence.size))

    def rows(self, select: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what one statement finds."""
        return self._store.execute(select, values)

    def pages(self, select: str, order: str) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of ``select``, whose first column is the unique number ``order``, some thousand at a time."""
        last = -1
        while rows := self._store.execute(f"{select} {order} > ? ORDER BY {order} LIMIT {PAGE}", (last,)):
            yield rows
            last = rows[-1][0]

    def _forget(self, path: str) -> None:
        with self._store.transaction():
            papers = "SELECT id FROM papers WHERE path = ?"
            self._store.execute(f"DELETE FROM places WHERE paper IN ({papers})", (path,))  # noqa: S608
            self._store.execute("DELETE FROM papers WHERE path = ?", (path,))
            self._store.execute("DELETE FROM units WHERE path = ?", (path,))

    def _paper(self, path: str, name: str, seconds: float, trouble: str) -> int:
        """Return the number of a paper; one of a file of JSON lines may stand in several pieces."""
        rows = self._store.execute("SELECT id FROM papers WHERE name = ?", (name,))
        if rows:
            return int(rows[0][0])
        insert = "INSERT INTO papers (path, name, seconds, trouble) VALUES (?, ?, ?, ?) RETURNING id"
        return int(self._store.execute(insert, (path, name, seconds, trouble))[0][0])

    def _add_places(self, paper: int, cited: Sequence[Cited]) -> None:
        first = self._store.execute("SELECT coalesce(max(position), 0) + 1 FROM places WHERE paper = ?", (paper,))[0][0]
        for position, each in enumerate(cited, first):
            reference = self._reference(each) if each.signature else None
            self._store.execute(
                "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (paper, position, reference, each.key, each.file, each.line, each.page, each.trouble, each.is_note),
            )

    def _reference(self, cited: Cited) -> int:
        rows = self._store.execute("SELECT id FROM distinct_references WHERE signature = ?", (cited.signature,))
        if not rows:
            rows = self._store.execute(
                "INSERT INTO distinct_references (signature, fields) VALUES (?, ?) RETURNING id",
                (cited.signature, cited.fields),
            )
        return int(rows[0][0])


@contextmanager
def opened(folder: Path) -> Iterator[ScreeningStore]:
    """Yield the screening in ``folder``, which is made where there is none; nobody else may work on it.

    Raises:
        InputError: another run works on it, or the folder cannot be used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / FILE).exists() and any(path.name != LOCK for path in folder.iterdir()):
            raise InputError(f"{folder}: is not empty, and no results of a screening; name another folder")
        lock = ProcessLock(folder / LOCK)
    except LockHeldError:
        raise InputError(f"{folder}: another run works on it; wait for its end") from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        store = ScreeningStore(folder)
        try:
            yield store
        finally:
            store.close()
    finally:
        lock.release()
