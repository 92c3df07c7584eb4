"""The verification cache: what earlier runs verified, for runs that cannot see the source again.

Table ``scholar_results``: one row a work that a VALID verdict rested on. A row is a finding like
any other; the validator decides whether it confirms a reference. The file's other table belongs
to :mod:`citeproof.search_cache`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Record
from citeproof.search_cache import LOCK_WAIT_SECONDS, SEARCH_RESULTS
from citeproof.storage.notebook import Notebook
from citeproof.storage.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from citeproof.models import Verdict

_COLUMNS = (
    "title", "authors", "year", "venue", "pub_type", "doi", "arxiv_id", "pages", "url", "key", "source",
    "retraction", "concern",
)  # fmt: skip
_SCHEMA = """
CREATE TABLE IF NOT EXISTS scholar_results (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, authors TEXT, year INTEGER, created_at TEXT NOT NULL
)"""
_UNIQUE = """
CREATE UNIQUE INDEX IF NOT EXISTS scholar_results_once
ON scholar_results (title, ifnull(authors, ''), ifnull(year, 0))"""
_ONCE = """
DELETE FROM scholar_results WHERE rowid NOT IN (
    SELECT max(rowid) FROM scholar_results GROUP BY title, ifnull(authors, ''), ifnull(year, 0)
)"""
_AUTHOR_SEPARATOR = "; "


class Cache:
    """The cache file. Safe to share between threads and between processes."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        """Open or create the cache at ``path``.

        A cache of an older layout gains the columns it lacks and loses what it holds twice.
        """
        self._store = Store(path, lock_wait=LOCK_WAIT_SECONDS)
        self._notebook = Notebook()
        self._clock = clock
        self._store.execute(SEARCH_RESULTS)
        self._store.execute(_SCHEMA)
        present = {row[1] for row in self._store.execute("PRAGMA table_info(scholar_results)")}
        for column in _COLUMNS:
            if column not in present:
                self._store.execute(f"ALTER TABLE scholar_results ADD COLUMN {column} TEXT")
        if not self._store.execute("SELECT 1 FROM sqlite_schema WHERE name = 'scholar_results_once'"):
            self._store.execute(_ONCE)
        self._store.execute(_UNIQUE)

    def find(self, title: str) -> Record | None:
        """Return the newest record whose title contains ``title``, ASCII case aside; ``%`` and ``_`` are plain."""
        if not title.strip():
            return None
        pattern = "%" + title.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        rows = self._store.execute(
            f"SELECT {', '.join(_COLUMNS)} FROM scholar_results WHERE title LIKE ? ESCAPE '\\' "  # noqa: S608
            "ORDER BY created_at DESC, rowid DESC LIMIT 1",
            (pattern,),
        )
        return _record(rows[0]) if rows else None

    def remember(self, verdict: Verdict) -> None:
        """Keep the record that a VALID verdict rests on; one with the same title, authors and year is ignored.

        Where that fails, nothing more is kept.
        """
        if not verdict.best_match:
            return
        record = verdict.best_match.record
        values = {name: getattr(record, name) or None for name in _COLUMNS}
        values |= {"title": record.title, "authors": _AUTHOR_SEPARATOR.join(record.authors) or None}
        sql = (
            f"INSERT OR IGNORE INTO scholar_results ({', '.join(_COLUMNS)}, created_at) "  # noqa: S608
            f"VALUES ({', '.join('?' * len(_COLUMNS))}, ?)"
        )
        when = self._clock().isoformat()
        self._notebook.write(lambda: self._store.execute(sql, (*values.values(), when)))

    @property
    def trouble(self) -> str:
        """Why nothing more is kept; empty while all is well."""
        return self._notebook.trouble

    def close(self) -> None:
        """Close the file."""
        self._store.close()


def _record(row: tuple[object, ...]) -> Record:
    values = dict(zip(_COLUMNS, row, strict=True))
    year = values.pop("year")
    authors = str(values.pop("authors") or "")
    return Record(
        authors=tuple(filter(None, authors.split(_AUTHOR_SEPARATOR))),
        year=int(str(year)) if str(year or "").isdigit() else None,
        **{name: str(value or "") for name, value in values.items()},
    )
