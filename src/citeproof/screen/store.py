"""Store the state of a screening in an SQLite database and a gzip file of evidence, so that a
killed run can be resumed.

The gzip file has a line of JSON for each reference, which docs/evidence.md describes. Each batch of
lines is compressed separately, so that a line can be read without decompressing the whole file. If
the gzip file is missing, all references are verified again.
"""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import count
from pathlib import Path

from citeproof.model.errors import InputError, cannot_be
from citeproof.model.verdict import OutgoingRequests
from citeproof.screen.bibliographies import ReadUnit
from citeproof.screen.checking import Checked, Distinct
from citeproof.screen.papers import RESULTS, Unit
from citeproof.store.files import LockHeldError, ProcessLock
from citeproof.store.opening import insert_rows
from citeproof.store.sql import Row
from citeproof.store.sqlite_store import NOTHING, SqliteStore, contents

# the fastest level of compression; the highest level takes three times as long and makes files a
# quarter smaller
_GZIP_LEVEL = 1


class EvidenceFile:
    """The gzip file with the evidence for verdicts, one line of JSON for each reference. Only one
    process may write to it.
    """

    def __init__(self, path: Path, size: int) -> None:
        """Open the file ``path``, of which the first ``size`` bytes are complete. Bytes after these
        are removed, because a killed run may have left them.
        """
        self._path = path
        found = path.stat().st_size if path.exists() else 0
        # whether no byte is missing; otherwise the file is treated as empty
        self.whole = found >= size
        self.size = size if self.whole else 0
        if found > self.size:
            os.truncate(path, self.size)

    def append(self, lines: Sequence[str]) -> int:
        """Append ``lines`` to the file as one block. Return the offset in bytes of the block, which
        :meth:`line` needs.
        """
        start = self.size
        with self._path.open("ab") as file:
            file.truncate(start)  # remove the rest of a failed write
            file.write(gzip.compress("".join(f"{line}\n" for line in lines).encode(), _GZIP_LEVEL))
            file.flush()
            os.fsync(file.fileno())
            self.size = file.tell()
        return start

    def line(self, start: int, number: int) -> str:
        """Return the line with the index ``number``, from 0, of the block that begins at byte
        ``start``.
        """
        return _lines(self._path, start)[number]


@lru_cache(4)
def _lines(path: Path, start: int) -> list[str]:
    engine = zlib.decompressobj(wbits=31)
    parts = []
    with path.open("rb") as file:
        file.seek(start)
        while not engine.eof and (data := file.read(1 << 16)):
            parts.append(engine.decompress(data))
    return b"".join(parts).decode().split("\n")


FILE = RESULTS
_LOCK = "screening.lock"
_FORMAT = "2"  # version of the SQL tables; a folder with tables of another version is refused
_PAGE = 5_000  # number of references read from the database at a time
_TABLES = """
CREATE TABLE IF NOT EXISTS screening (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS units (name TEXT PRIMARY KEY, path TEXT NOT NULL, stamp TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS units_path ON units (path);
CREATE TABLE IF NOT EXISTS spellings (resolved TEXT PRIMARY KEY, path TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS papers (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, name TEXT NOT NULL UNIQUE, seconds REAL NOT NULL,
    trouble TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS papers_path ON papers (path);
CREATE TABLE IF NOT EXISTS distinct_references (
    id INTEGER PRIMARY KEY, signature BLOB NOT NULL UNIQUE, fields TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS places (
    paper INTEGER NOT NULL, position INTEGER NOT NULL, reference INTEGER, key TEXT NOT NULL, file
    TEXT NOT NULL,
    line INTEGER NOT NULL, page INTEGER NOT NULL, trouble TEXT NOT NULL, is_note INTEGER NOT NULL,
    PRIMARY KEY (paper, position)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS places_reference ON places (reference);
CREATE TABLE IF NOT EXISTS verdicts (
    reference INTEGER PRIMARY KEY, basis TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
    confidence REAL NOT NULL, details TEXT NOT NULL, asked TEXT NOT NULL, member INTEGER, line
    INTEGER);
CREATE TEMP VIEW entries AS SELECT
    p.*, r.fields, coalesce(v.status, iif(p.is_note, 'UNVERIFIED', 'ERROR')) AS status, v.reason,
    v.confidence,
    v.details, v.member, v.line AS evidence
    FROM places p LEFT JOIN distinct_references r ON r.id = p.reference LEFT JOIN verdicts v ON
    v.reference = r.id;
"""
_CITED = "EXISTS (SELECT 1 FROM places p WHERE p.reference = r.id)"
OPEN = (
    "FROM distinct_references r LEFT JOIN verdicts v ON v.reference = r.id "
    f"WHERE (v.basis IS NOT ? OR v.status = 'ERROR') AND {_CITED}"
)
"""SQL clauses that select references without a current verdict. ``?`` stands for the hash that
``basis_of`` returns.
"""
# without references that killed a worker process, because online queries run in the main process
UNASKED = (
    "FROM distinct_references r JOIN verdicts v ON v.reference = r.id WHERE v.status <> 'VALID' "
    f"AND (v.asked <> ? OR v.status = 'ERROR') AND v.reason <> 'program_fault' AND {_CITED}"
)
"""SQL clauses that select references that are not VALID and about which the online sources were not
queried. ``?`` stands for the names of the sources.
"""
_ADD_PAPER = (
    "INSERT INTO papers (path, name, seconds, trouble) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (name) DO UPDATE SET name = name RETURNING id"
)
_NEXT_POSITION = "SELECT coalesce(max(position), 0) + 1 FROM places WHERE paper = ?"
_ADD_REFERENCE = "INSERT OR IGNORE INTO distinct_references (signature, fields) VALUES (?, ?)"
_ADD_PLACE = (
    "INSERT INTO places VALUES (?, ?, (SELECT id FROM distinct_references WHERE signature = ?), ?,"
    " ?, ?, ?, ?, ?)"
)


class ScreeningStore(SqliteStore):
    """SQLite database with the state of a screening: papers, references and verdicts.

    Only one process may open it.
    """

    def __init__(self, folder: Path) -> None:
        """Open or create ``screening.db`` in ``folder``.

        Raises :class:`InputError` if the file contains other data.
        """
        path = folder / FILE
        found = contents(path)
        if found is None or (found != NOTHING and "screening" not in found.tables):
            raise InputError(f"{path}: does not belong to a screening; name another folder")
        super().__init__(path)
        for statement in _TABLES.split(";\n"):
            self.execute(statement)
        if self.kept("format") not in {"", _FORMAT}:
            raise InputError(
                f"{folder}: was made by another version of citeproof; screen into a new folder"
            )
        self.keep("format", _FORMAT)
        self.evidence = EvidenceFile(folder / "evidence.jsonl.gz", int(self.kept("evidence") or 0))
        if not self.evidence.whole:
            self.execute("DELETE FROM verdicts")
            self.keep("evidence", "0")

    def each(self, select: str) -> Iterator[Row]:
        """Yield the rows of the SQL query ``select``. The tables must not change while rows are
        read.
        """
        with self._explained():
            yield from self._connection.execute(select)

    def keep(self, name: str, value: str) -> None:
        """Store the text ``value`` about the whole screening under ``name``. :meth:`kept` returns
        it.
        """
        self.execute("INSERT OR REPLACE INTO screening VALUES (?, ?)", (name, value))

    def kept(self, name: str) -> str:
        """Return the text that :meth:`keep` has stored under ``name``. The result is empty if
        nothing is stored.
        """
        rows = self.execute("SELECT value FROM screening WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else ""

    def keep_sent(self, requests: Iterable[OutgoingRequests]) -> None:
        """Store the number of requests to each host, summed over ``requests``, in place of all
        earlier numbers.
        """
        hosts: dict[str, tuple[int, set[str]]] = {}
        for one in requests:
            count, fields = hosts.get(one.host, (0, set()))
            hosts[one.host] = count + one.requests, fields.union(one.fields)
        self.keep(
            "sent",
            json.dumps([(host, count, sorted(fields)) for host, (count, fields) in hosts.items()]),
        )

    def sent(self) -> tuple[OutgoingRequests, ...]:
        """Return the number of requests that all runs of this screening have sent to each host."""
        stored = json.loads(self.kept("sent") or "[]")
        return tuple(OutgoingRequests(host, count, tuple(fields)) for host, count, fields in stored)

    def is_read(self, unit: Unit) -> bool:
        """Return whether ``unit`` was read and has not changed since then. If it has changed,
        delete its former results.
        """
        known = self.execute("SELECT stamp FROM units WHERE path = ? LIMIT 1", (unit.path,))
        stale = [(unit.path,)] if known and known[0][0] != unit.stamp else []
        if not known:
            below = "SELECT DISTINCT path FROM units WHERE path > ? AND path < ?"
            # "0" is the character after "/"
            stale = self.execute(below, (f"{unit.path}/", f"{unit.path}0"))
        for (path,) in stale:
            self._forget(path)
        return bool(self.execute("SELECT 1 FROM units WHERE name = ?", (unit.name,)))

    def _forget(self, path: str) -> None:
        """Delete what was read from ``path``."""
        with self.transaction():
            of_path = "IN (SELECT id FROM papers WHERE path = ?)"
            self.execute(f"DELETE FROM places WHERE paper {of_path}", (path,))  # noqa: S608
            for table in ("papers", "units"):
                self.execute(f"DELETE FROM {table} WHERE path = ?", (path,))  # noqa: S608

    def spelled(self, unit: Unit) -> Unit:
        """Return ``unit`` with the path that is stored for its file or folder. The stored path may
        be another spelling: relative, absolute, or through a link.
        """
        known = self.execute("SELECT path FROM spellings WHERE resolved = ?", (unit.resolved,))
        return unit.under(known[0][0]) if known else unit

    def settle(self, unit: Unit) -> None:
        """Store the path of ``unit`` as the path of its file or folder. If another spelling of the
        path was stored, delete the results under that path.
        """
        if (before := self.spelled(unit).path) != unit.path:
            self._forget(before)
        values = unit.resolved, unit.path
        self.execute("INSERT OR REPLACE INTO spellings VALUES (?, ?)", values)

    def add_read(self, units: Iterable[ReadUnit]) -> None:
        """Store the papers and entries of ``units`` in one transaction.

        If a paper is already stored because an earlier piece of its file was read, its entries are
        appended.
        """
        with self.transaction():
            for unit, papers, seconds in units:
                if not self.change(
                    "INSERT OR IGNORE INTO units VALUES (?, ?, ?)",
                    (unit.name, unit.path, unit.stamp),
                ):
                    continue
                for paper in papers:
                    values = unit.path, paper.name, seconds / len(papers), paper.trouble
                    number = self.execute(_ADD_PAPER, values)[0][0]
                    first = self.execute(_NEXT_POSITION, (number,))[0][0]
                    for position, (signature, fields, *place) in enumerate(paper.cited, first):
                        if signature:
                            self.execute(_ADD_REFERENCE, (signature, fields))
                        self.execute(_ADD_PLACE, (number, position, signature, *place))

    def references(self, chosen: str, value: str) -> Iterator[Distinct]:
        """Yield the selected references, sorted by number. ``chosen`` are SQL clauses such as
        :data:`OPEN`, and ``value`` is the value for the ``?`` in them.
        """
        last = 0
        select = f"SELECT r.id, r.fields {chosen} AND r.id > ? ORDER BY r.id LIMIT {_PAGE}"
        while rows := self.execute(select, (value, last)):
            yield from map(Distinct._make, rows)
            last = rows[-1][0]

    def count(self, chosen: str, value: str) -> int:
        """Return the number of references that :meth:`references` yields."""
        return int(self.execute(f"SELECT count(*) {chosen}", (value,))[0][0])

    def add_checked(self, basis: str, verdicts: Sequence[Checked], asked: str = "") -> None:
        """Store ``verdicts`` with their evidence in one transaction.

        ``basis`` is the hash from :func:`~.checking.basis_of`, and ``asked`` names the online
        sources that were queried.
        """
        lines = [each.evidence for each in verdicts if each.evidence]
        member = self.evidence.append(lines) if lines else None
        line = count()
        rows = [
            (number, basis, *verdict, asked, *((member, next(line)) if evidence else (None, None)))
            for number, *verdict, evidence in verdicts
        ]
        with self.transaction():
            insert_rows(self, "INSERT OR REPLACE INTO verdicts", rows)
            self.keep("evidence", str(self.evidence.size))


@contextmanager
def opened(folder: Path) -> Iterator[ScreeningStore]:
    """Context manager that locks ``folder`` and opens the screening in it.

    Raises :class:`InputError` if another process holds the lock, or the screening cannot be opened.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / FILE).exists() and any(path.name != _LOCK for path in folder.iterdir()):
            raise InputError(
                f"{folder}: is not empty, and does not have the results of a screening; "
                "name another folder"
            )
        lock = ProcessLock(folder / _LOCK)
    except LockHeldError:
        raise InputError(
            f"{folder}: another run uses this folder; wait until that run has ended"
        ) from None
    except FileExistsError:
        raise InputError(f"{folder}: is a file; name a folder for the results") from None
    except OSError as error:
        raise InputError(cannot_be("written", folder, error)) from error
    with ExitStack() as closing:
        closing.callback(lock.release)
        store = ScreeningStore(folder)
        closing.callback(store.close)
        yield store
