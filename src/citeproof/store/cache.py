"""The cache: works that earlier runs verified, and records with which online sources answered.

One SQLite file or one PostgreSQL schema has both tables, ``scholar_results`` and ``search_results``. Caches are safe to
share between threads and between processes.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from citeproof.model.errors import DatabaseError
from citeproof.model.record import Record
from citeproof.model.verdict import Verdict
from citeproof.store.server_address import ServerAddress
from citeproof.store.sql import SqlStore, insert_rows, migrate, on_failure, open_server
from citeproof.store.sqlite_store import SqliteStore, contents
from citeproof.text.queries import well_formed

APPLICATION_ID = 0x63697463
"""``PRAGMA application_id`` of a cache: the letters ``citc``."""
LAYOUT = 2
"""``PRAGMA user_version`` of the newest layout."""
TABLES = frozenset({"scholar_results", "search_results"})
"""Names of the tables of a cache."""
LOCK_WAIT_SECONDS = 5.0
"""Maximum seconds for which a write waits for the lock. Writes of other runs take milliseconds."""
NEGATIVE_AGE = timedelta(days=1)
"""Maximum age of a cached answer without records. It is short, because sources add works every day."""
MOST_FOUND = 100
"""Maximum number of works that :meth:`VerificationCache.find` returns."""
RECORD_COLUMNS = (
    "title", "authors", "year", "venue", "pub_type", "doi", "arxiv_id", "pages", "url", "key", "source",
    "retraction", "concern",
)  # fmt: skip
"""Columns of ``scholar_results`` with the fields of a record."""
SOURCE_DATE = "source_date"
"""Column of ``scholar_results`` with the date of the newest record in the source of the cached record."""
_AUTHOR_SEPARATOR = "; "


class _Dialect(NamedTuple):
    """Parts of statements that differ between SQLite and PostgreSQL: conditions, and columns of ``ORDER BY``."""

    contains: str
    newest_first: str
    of_query: str


_SQLITE = _Dialect("instr(lower(title), lower(?))", "created_at DESC, rowid DESC", "source = ? AND query = ?")
_POSTGRES = _Dialect(
    """strpos(lower(title COLLATE "C"), lower(?::text COLLATE "C")) > 0""",
    "created_at DESC, id DESC",
    "source = ? AND md5(query) = md5(?)",
)
_SQLITE_TABLES = (
    """CREATE TABLE IF NOT EXISTS search_results (
        source TEXT NOT NULL, query TEXT NOT NULL, position INTEGER NOT NULL, record TEXT, created_at TEXT NOT NULL,
        PRIMARY KEY (source, query, position)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS scholar_results (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, authors TEXT, year INTEGER, created_at TEXT NOT NULL)""",
)
_SQLITE_ONCE = (
    """DELETE FROM scholar_results WHERE rowid NOT IN (
        SELECT max(rowid) FROM scholar_results GROUP BY title, ifnull(authors, ''), ifnull(year, 0))""",
    """CREATE UNIQUE INDEX IF NOT EXISTS scholar_results_once
        ON scholar_results (title, ifnull(authors, ''), ifnull(year, 0))""",
)
"""SQL statements that delete duplicates from an old cache and then forbid them."""
_TEXT_COLUMNS = ", ".join(f"{name} TEXT" for name in (*RECORD_COLUMNS, SOURCE_DATE) if name not in {"title", "year"})
POSTGRES_MIGRATIONS = (
    (
        f"""CREATE TABLE scholar_results (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title TEXT NOT NULL,
            year INTEGER, created_at TEXT COLLATE "C" NOT NULL, {_TEXT_COLUMNS})""",
        """CREATE UNIQUE INDEX scholar_results_once
            ON scholar_results (md5(title), md5(coalesce(authors, '')), coalesce(year, 0))""",
        """CREATE TABLE search_results (source TEXT NOT NULL, query TEXT NOT NULL, position INTEGER NOT NULL,
            record TEXT, created_at TEXT COLLATE "C" NOT NULL)""",
        "CREATE UNIQUE INDEX search_results_once ON search_results (source, md5(query), position)",
    ),
)
"""Migrations of a cache in PostgreSQL. Migration N brings the tables from layout N - 1 to N. Never edit a migration.
Long texts are indexed by hash, because an index entry holds at most about 2,700 bytes."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The cached record of a work that an earlier run verified."""

    record: Record
    source_date: str
    """Date of the newest record in its source when the work was verified, ``2026-01-31``; empty if unknown."""
    checked: str
    """Date of the run that verified the work, ``2026-01-31``."""

    def __str__(self) -> str:
        source = f"{self.record.source or 'an unnamed source'}{f' of {self.source_date}' if self.source_date else ''}"
        return f"remembered from {source}, checked on {self.checked}"


class _Cache:
    """The connection to a cache. After the first failure it writes no more, because a run does not need a cache.

    Example: the file is locked for long. The first write waits for the lock and fails, ``trouble`` says so, and later
    writes return at once.
    """

    def __init__(self, place: Path | ServerAddress, clock: Callable[[], datetime]) -> None:
        self._store: SqlStore
        if isinstance(place, ServerAddress):
            self._store, self._dialect = open_server(place, LOCK_WAIT_SECONDS, "a cache in PostgreSQL"), _POSTGRES
            with on_failure(self._store.close), self._store.writing():
                migrate(self._store, "cache", POSTGRES_MIGRATIONS)
        else:
            self._store, self._dialect = open_cache_file(place), _SQLITE
        self._clock = clock
        self._write_lock = threading.Lock()
        self.trouble = ""
        """Message of the failure that stopped writing; empty while writes succeed."""

    def close(self) -> None:
        """Close the file or the connections."""
        self._store.close()

    def _write(self, action: Callable[[], object]) -> None:
        with self._write_lock:
            if self.trouble:
                return
            try:
                action()
            except DatabaseError as error:
                self.trouble = str(error)


class VerificationCache(_Cache):
    """Table ``scholar_results``: best matches of VALID verdicts, for later runs that do not query their sources."""

    def __init__(
        self, place: Path | ServerAddress, clock: Callable[[], datetime], source_dates: Mapping[str, str] | None = None
    ) -> None:
        """Open or create the cache. ``source_dates`` maps sources to dates of their newest records, ``2026-01-31``."""
        super().__init__(place, clock)
        self._source_dates = source_dates or {}

    def find(self, title: str) -> tuple[Remembered, ...]:
        """Return at most 100 works whose title contains ``title``, ignoring ASCII case, newest first."""
        if not title.strip():
            return ()
        rows = self._store.execute(
            f"SELECT {', '.join(RECORD_COLUMNS)}, {SOURCE_DATE}, created_at FROM scholar_results "  # noqa: S608
            f"WHERE {self._dialect.contains} ORDER BY {self._dialect.newest_first} LIMIT ?",
            (title, MOST_FOUND),
        )
        found = []
        for *columns, source_date, created in rows:
            values = {name: str(value or "") for name, value in zip(RECORD_COLUMNS, columns, strict=True)}
            year, authors = values.pop("year"), values.pop("authors").split(_AUTHOR_SEPARATOR)
            record = Record(authors=tuple(filter(None, authors)), year=int(year) if year.isdigit() else None, **values)
            found.append(Remembered(record, str(source_date or ""), str(created)[:10]))
        return tuple(found)

    def remember(self, verdict: Verdict) -> None:
        """Store the record of the best match, unless a record with the same title, authors and year is stored."""
        if not verdict.best_match:
            return
        record = verdict.best_match.record
        values = {name: getattr(record, name) or None for name in RECORD_COLUMNS}
        values |= {"title": record.title, "authors": _AUTHOR_SEPARATOR.join(record.authors) or None}
        sql = (
            f"INSERT INTO scholar_results ({', '.join(RECORD_COLUMNS)}, {SOURCE_DATE}, created_at) "  # noqa: S608
            f"VALUES ({', '.join('?' * len(RECORD_COLUMNS))}, ?, ?) ON CONFLICT DO NOTHING"
        )
        about = (self._source_dates.get(record.source), self._clock().isoformat())
        self._write(lambda: self._store.execute(sql, (*values.values(), *about)))


class AnswerCache(_Cache):
    """Table ``search_results``: one row for each record of an answer, and one row for an empty answer."""

    def __init__(self, place: Path | ServerAddress, clock: Callable[[], datetime], max_age: timedelta) -> None:
        """Open or create the cache. Answers older than ``max_age`` are not returned."""
        super().__init__(place, clock)
        self._max_age = max_age

    def recall(self, source: str, query: str) -> tuple[Record, ...] | None:
        """Return the records with which ``source`` answered ``query``; None if no answer is cached or it is too old."""
        try:
            rows = self._store.execute(
                f"SELECT record, created_at FROM search_results WHERE {self._dialect.of_query} ORDER BY position",  # noqa: S608
                (source, query),
            )
            stored = (json.loads(text) for text, _ in rows if text is not None)
            records = tuple(well_formed(Record(**each | {"authors": tuple(each["authors"])}) for each in stored))
        except (DatabaseError, ValueError, TypeError, KeyError):  # damaged, or written by a version with other fields
            return None
        age = self._max_age if records else min(self._max_age, NEGATIVE_AGE)
        return records if rows and rows[0][1] >= (self._clock() - age).isoformat() else None

    def keep(self, source: str, query: str, records: Sequence[Record]) -> None:
        """Store an answer in place of an earlier one."""
        when = self._clock().isoformat()
        texts: list[str | None] = [json.dumps(asdict(record), ensure_ascii=False) for record in records]
        rows = [(source, query, position, text, when) for position, text in enumerate(texts or [None])]

        def replace() -> None:
            with self._store.transaction():
                self._store.execute(f"DELETE FROM search_results WHERE {self._dialect.of_query}", (source, query))  # noqa: S608
                insert_rows(self._store, "INSERT INTO search_results", rows)

        self._write(replace)


def open_cache_file(path: Path) -> SqliteStore:
    """Open or create the SQLite file of a cache, and migrate an old layout. Files that are no cache are refused."""
    found = contents(path)
    older = found is not None and found.application_id == 0 and found.tables <= TABLES  # old caches have no id
    if not older and (found is None or found.application_id != APPLICATION_ID):
        raise DatabaseError(f"{path}: is not a verification cache; name another file with --cache")
    store = SqliteStore(path, lock_wait=LOCK_WAIT_SECONDS)
    with on_failure(store.close):
        if store.execute("PRAGMA user_version")[0][0] < LAYOUT:  # else do not wait for the write lock
            with store.writing():
                _migrate_file(store)
    return store


def _migrate_file(store: SqliteStore) -> None:
    for statement in _SQLITE_TABLES:
        store.execute(statement)
    present = {row[1] for row in store.execute("PRAGMA table_info(scholar_results)")}
    for column in (*RECORD_COLUMNS, SOURCE_DATE):
        if column not in present:
            store.execute(f"ALTER TABLE scholar_results ADD COLUMN {column} TEXT")
    if not store.execute("SELECT 1 FROM sqlite_schema WHERE name = 'scholar_results_once'"):
        for statement in _SQLITE_ONCE:
            store.execute(statement)
    store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    store.execute(f"PRAGMA user_version = {LAYOUT}")
