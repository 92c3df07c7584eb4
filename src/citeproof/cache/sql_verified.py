"""Table ``scholar_results`` of every engine: one row a work that a VALID verdict rested on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.cache import Remembered
from citeproof.models import Record
from citeproof.storage.best_effort import BestEffortWrites

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from citeproof.models import Verdict
    from citeproof.storage.sql import SqlStore

RECORD_COLUMNS = (
    "title", "authors", "year", "venue", "pub_type", "doi", "arxiv_id", "pages", "url", "key", "source",
    "retraction", "concern",
)  # fmt: skip
"""The columns of ``scholar_results`` that make up a record."""
SOURCE_DATE = "source_date"
"""The column of ``scholar_results`` with the day of the source that the record came from."""
MOST_FOUND = 100
"""So many works of one title are compared with a reference."""
_AUTHOR_SEPARATOR = "; "


class SqlVerificationCache:
    """A :class:`~citeproof.cache.VerificationCache` over an engine's tables, which an engine's own class opens."""

    CONTAINS: str
    """Whether a row's title contains a text, ASCII case aside."""
    NEWEST_FIRST: str
    """The columns to sort by."""

    def __init__(
        self, store: SqlStore, clock: Callable[[], datetime], source_dates: Mapping[str, str] | None = None
    ) -> None:
        """``source_dates`` gives the day of the newest record of each source that has one, kept with what is kept."""
        self._store = store
        self._writes = BestEffortWrites()
        self._clock = clock
        self._source_dates = source_dates or {}

    def find(self, title: str) -> tuple[Remembered, ...]:
        """Return at most 100 works whose title contains ``title``, ASCII case aside, newest first."""
        if not title.strip():
            return ()
        rows = self._store.execute(
            f"SELECT {', '.join(RECORD_COLUMNS)}, {SOURCE_DATE}, created_at FROM scholar_results "  # noqa: S608
            f"WHERE {self.CONTAINS} ORDER BY {self.NEWEST_FIRST} LIMIT ?",
            (title, MOST_FOUND),
        )
        return tuple(map(_remembered, rows))

    def remember(self, verdict: Verdict) -> None:
        """Keep the record that a VALID verdict rests on; one with the same title, authors and year is ignored.

        Where that fails, nothing more is kept.
        """
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
        self._writes.write(lambda: self._store.execute(sql, (*values.values(), *about)))

    @property
    def trouble(self) -> str:
        """Why nothing more is kept; empty while all is well."""
        return self._writes.trouble

    def close(self) -> None:
        """Let go of the file or the server."""
        self._store.close()


def _remembered(row: tuple[object, ...]) -> Remembered:
    *record, source_date, created = row
    return Remembered(_record(tuple(record)), str(source_date or ""), str(created)[:10])


def _record(row: tuple[object, ...]) -> Record:
    values = dict(zip(RECORD_COLUMNS, row, strict=True))
    year = values.pop("year")
    authors = str(values.pop("authors") or "")
    return Record(
        authors=tuple(filter(None, authors.split(_AUTHOR_SEPARATOR))),
        year=int(str(year)) if str(year or "").isdigit() else None,
        **{name: str(value or "") for name, value in values.items()},
    )
