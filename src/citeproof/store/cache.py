"""Cache of verified works, and of records that online sources returned, in SQLite or PostgreSQL."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from citeproof.model.errors import DatabaseError
from citeproof.model.record import Record
from citeproof.model.stored import loaded, stored
from citeproof.model.verdict import Verdict
from citeproof.store.opening import SqlStore, insert_rows, migrate, open_server
from citeproof.store.sql import ServerAddress, on_failure
from citeproof.store.sqlite_store import SqliteStore, contents
from citeproof.text.queries import well_formed

APPLICATION_ID = 0x63697463
"""Value of ``PRAGMA application_id`` in the SQLite file of a cache: the ASCII letters ``citc``."""
_LAYOUT = 2  # newest version of the tables, stored as ``PRAGMA user_version``
_TABLES = frozenset({"scholar_results", "search_results"})
_LOCK_WAIT_SECONDS = 5.0  # maximum time that a write waits for a lock that another run holds
_FIELDS = (  # fields of a record that are columns of ``scholar_results``
    "title",
    "authors",
    "year",
    "venue",
    "pub_type",
    "doi",
    "arxiv_id",
    "pages",
    "url",
    "key",
    "source",
    "retraction",
    "concern",
)
_COLUMNS = (*_FIELDS, "source_date")
_AUTHOR_SEPARATOR = "; "


class _Dialect(NamedTuple):
    """Parts of SQL statements that differ between SQLite and PostgreSQL."""

    contains: str  # condition that the title contains a text
    newest_first: str  # content of ``ORDER BY`` that puts the newest row first
    of_query: str  # condition that selects the rows of one source and query


_SQLITE = _Dialect(
    "instr(lower(title), lower(?))", "created_at DESC, rowid DESC", "source = ? AND query = ?"
)
_POSTGRES = _Dialect(
    """strpos(lower(title COLLATE "C"), lower(?::text COLLATE "C")) > 0""",
    "created_at DESC, id DESC",
    "source = ? AND md5(query) = md5(?)",
)
_SQLITE_TABLES = (
    """CREATE TABLE IF NOT EXISTS search_results (
        source TEXT NOT NULL, query TEXT NOT NULL, position INTEGER NOT NULL, record TEXT,
        created_at TEXT NOT NULL,
        PRIMARY KEY (source, query, position)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS scholar_results (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, authors TEXT, year INTEGER, created_at TEXT
        NOT NULL)""",
)
_SQLITE_ONCE = (  # statements that delete duplicates from an old cache, and create a unique index
    """DELETE FROM scholar_results WHERE rowid NOT IN (
        SELECT max(rowid) FROM scholar_results GROUP BY title, ifnull(authors, ''), ifnull(year,
        0))""",
    """CREATE UNIQUE INDEX IF NOT EXISTS scholar_results_once
        ON scholar_results (title, ifnull(authors, ''), ifnull(year, 0))""",
)
_TEXT_COLUMNS = ", ".join(f"{name} TEXT" for name in _COLUMNS if name not in {"title", "year"})
# Migration N changes the tables from version N - 1 to version N. Never edit a migration. Long texts
# are indexed by hash, because an index entry holds at most about 2,700 bytes.
_POSTGRES_MIGRATIONS = (
    (
        f"""CREATE TABLE scholar_results (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title
        TEXT NOT NULL,
            year INTEGER, created_at TEXT COLLATE "C" NOT NULL, {_TEXT_COLUMNS})""",
        """CREATE UNIQUE INDEX scholar_results_once
            ON scholar_results (md5(title), md5(coalesce(authors, '')), coalesce(year, 0))""",
        """CREATE TABLE search_results (source TEXT NOT NULL, query TEXT NOT NULL, position INTEGER
        NOT NULL,
            record TEXT, created_at TEXT COLLATE "C" NOT NULL)""",
        "CREATE UNIQUE INDEX search_results_once ON search_results (source, md5(query), position)",
    ),
)


@dataclass(frozen=True, slots=True)
class Remembered:
    """A cached record of a work that an earlier run verified, with the dates of its source and of
    that run.
    """

    record: Record
    # date of the newest record in the source during the run, ``2026-01-31``; empty if unknown
    source_date: str
    checked: str  # date of the run that verified the work, ``2026-01-31``

    def __str__(self) -> str:
        date = f" of {self.source_date}" if self.source_date else ""
        return (
            f"remembered from {self.record.source or 'an unnamed source'}{date}, checked on"
            f" {self.checked}"
        )


class _Cache:
    """A connection to the cache.

    After the first failed write, all further writes are skipped without an error.
    """

    def __init__(self, place: Path | ServerAddress, clock: Callable[[], datetime]) -> None:
        self._store: SqlStore
        if isinstance(place, ServerAddress):
            self._store, self._dialect = (
                open_server(place, _LOCK_WAIT_SECONDS, "a cache in PostgreSQL"),
                _POSTGRES,
            )
            with on_failure(self._store.close), self._store.writing():
                migrate(self._store, "cache", _POSTGRES_MIGRATIONS)
        else:
            self._store, self._dialect = open_cache_file(place), _SQLITE
        self._clock, self._write_lock = clock, threading.Lock()
        self.trouble = ""  # error message of the failed write; empty if no write has failed

    def close(self) -> None:
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
    """Cache of the records of verified works, in the table ``scholar_results``. Later runs search
    this cache like a source.
    """

    def __init__(
        self,
        place: Path | ServerAddress,
        clock: Callable[[], datetime],
        source_dates: Mapping[str, str] | None = None,
    ) -> None:
        """Open or create the cache in the file or on the server ``place``.

        ``source_dates`` maps the name of a source to the date of its newest record: ``2026-01-31``.
        """
        super().__init__(place, clock)
        self._source_dates = source_dates or {}

    def find(self, title: str) -> tuple[Remembered, ...]:
        """Return at most 100 works whose title contains ``title``, newest first.

        Case of ASCII letters is ignored.
        """
        if not title.strip():
            return ()
        rows = self._store.execute(
            f"SELECT {', '.join(_COLUMNS)}, created_at FROM scholar_results "  # noqa: S608
            f"WHERE {self._dialect.contains} ORDER BY {self._dialect.newest_first} LIMIT 100",
            (title,),
        )
        found = []
        for *columns, source_date, created in rows:
            values = {name: str(value or "") for name, value in zip(_FIELDS, columns, strict=True)}
            year, authors = values.pop("year"), values.pop("authors").split(_AUTHOR_SEPARATOR)
            record = Record(
                authors=tuple(filter(None, authors)),
                year=int(year) if year.isdigit() else None,
                **values,
            )
            found.append(Remembered(record, str(source_date or ""), str(created)[:10]))
        return tuple(found)

    def remember(self, verdict: Verdict) -> None:
        """Store the record of the best match in ``verdict``. Do nothing if there is no best match,
        or if a work with the same title, authors and year is already stored.
        """
        if not verdict.best_match:
            return
        record = verdict.best_match.record
        values = {name: getattr(record, name) or None for name in _FIELDS}
        values |= {"title": record.title, "authors": _AUTHOR_SEPARATOR.join(record.authors) or None}
        row = (*values.values(), self._source_dates.get(record.source), self._clock().isoformat())
        insert = f"INSERT INTO scholar_results ({', '.join(_COLUMNS)}, created_at)"
        self._write(lambda: insert_rows(self._store, insert, [row], "ON CONFLICT DO NOTHING"))


class AnswerCache(_Cache):
    """Cache of the records that online sources returned for queries, in the table
    ``search_results``.
    """

    def __init__(
        self, place: Path | ServerAddress, clock: Callable[[], datetime], max_age: timedelta
    ) -> None:
        """Open or create the cache in the file or on the server ``place``.

        Records expire after ``max_age``. A response without records expires after ``max_age`` or
        one day, whichever is shorter.
        """
        super().__init__(place, clock)
        self._max_age = max_age

    def recall(self, source: str, query: str) -> tuple[Record, ...] | None:
        """Return the cached records that ``source`` returned for ``query``. None if the query is
        not in the cache or its records have expired.
        """
        try:
            rows = self._store.execute(
                f"SELECT record, created_at FROM search_results WHERE {self._dialect.of_query}"  # noqa: S608
                " ORDER BY position",
                (source, query),
            )
            records = tuple(
                well_formed(loaded(Record, text) for text, _ in rows if text is not None)
            )
        # the record is damaged, or a version of citeproof with other fields wrote it
        except (DatabaseError, ValueError, TypeError):
            return None
        # responses without records expire after a day
        age = self._max_age if records else min(self._max_age, timedelta(days=1))
        return records if rows and rows[0][1] >= (self._clock() - age).isoformat() else None

    def keep(self, source: str, query: str, records: Sequence[Record]) -> None:
        """Store the ``records`` that ``source`` returned for ``query``, in place of earlier records
        for this query.
        """
        when = self._clock().isoformat()
        texts: list[str | None] = [stored(record).decode() for record in records]
        rows = [
            (source, query, position, text, when) for position, text in enumerate(texts or [None])
        ]

        def replace() -> None:
            with self._store.transaction():
                self._store.execute(
                    f"DELETE FROM search_results WHERE {self._dialect.of_query}",  # noqa: S608
                    (source, query),
                )
                insert_rows(self._store, "INSERT INTO search_results", rows)

        self._write(replace)


def open_cache_file(path: Path) -> SqliteStore:
    """Open or create the SQLite file of a cache, and update old tables.

    Raises :class:`DatabaseError` if the file is not a cache.
    """
    found = contents(path)
    # Old caches have no application id.
    older = found is not None and found.application_id == 0 and found.tables <= _TABLES
    if not older and (found is None or found.application_id != APPLICATION_ID):
        raise DatabaseError(f"{path}: is not a verification cache; name another file with --cache")
    store = SqliteStore(path, lock_wait=_LOCK_WAIT_SECONDS)
    with on_failure(store.close):
        # if the tables are up to date, do not wait for the write lock
        if store.execute("PRAGMA user_version")[0][0] < _LAYOUT:
            with store.writing():
                _migrate_file(store)
    return store


def _migrate_file(store: SqliteStore) -> None:
    for statement in _SQLITE_TABLES:
        store.execute(statement)
    present = {row[1] for row in store.execute("PRAGMA table_info(scholar_results)")}
    for column in _COLUMNS:
        if column not in present:
            store.execute(f"ALTER TABLE scholar_results ADD COLUMN {column} TEXT")
    for statement in _SQLITE_ONCE:
        store.execute(statement)
    store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    store.execute(f"PRAGMA user_version = {_LAYOUT}")
