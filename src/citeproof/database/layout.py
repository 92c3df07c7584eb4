"""The layout of a database, citeproof's own or another one: which tables and columns contain records and words."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from citeproof.database import schema
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Record
from citeproof.store.sqlite import APPLICATION_ID, BulkFile, ReadOnlyFile

TABLES = ("publications", "titles")
"""Accepted names of the table of records, the preferred name first."""
COLUMN_NAMES: dict[str, tuple[str, ...]] = {name: (name,) for name in schema.COLUMNS} | {
    "key": ("key", "dblp_key"),
    "title": ("title", "title_norm"),
    "venue": ("venue", "booktitle", "journal"),
    "pub_type": ("pub_type", "type"),
    "authors": ("authors", "author"),
    "arxiv_id": ("arxiv_id", "arxiv"),
    "url": ("url", "ee"),
}
"""Accepted column names of each field of a record, the preferred name first. A field without a column is empty. Fields
have the order of :data:`~citeproof.database.schema.COLUMNS`, over which the checksum of a record is computed."""
_AUTHOR_SEPARATORS = (re.compile(r"\s*;\s*"), re.compile(r"\s*\|\s*"), re.compile(r"\s+and\s+"), re.compile(r",\s+"))


class DamagedRecordError(DatabaseError):
    """Raised if a record does not agree with its checksum."""


@dataclass(frozen=True)
class Layout:
    """The tables and columns of a database."""

    path: Path
    tables: frozenset[str]  # names of all tables and views
    meta: Mapping[str, Any]  # the table ``meta`` as a map from name to value; empty for another program's database
    table: str  # name of the table with records
    id_column: str  # column of the record id, an integer: ``id``, or ``rowid``
    key_column: str  # column of the records to which the word index refers: ``id`` of any type, or ``rowid``
    columns: dict[str, str]  # map from fields of a record to their columns
    word_table: str  # name of the word index: ``title_fts``, ``title_words``, or empty
    ours: bool  # whether citeproof made the database
    checked: bool  # whether records have checksums, as from schema version 4 on

    @cached_property
    def select(self) -> str:
        """SQL statement without WHERE that selects the rows for :meth:`record`; the record id comes first."""
        columns = (self.id_column, *self.columns.values(), *(["checksum"] if self.checked else []))
        return f"SELECT {', '.join(columns)} FROM {self.table}"  # noqa: S608

    def is_sound(self, row: tuple[Any, ...]) -> bool:
        """Return whether a row of :attr:`select` agrees with its checksum or has none."""
        return not self.checked or schema.row_checksum(row[1:-1]) ^ row[0] == row[-1]

    def names(self, stored: Any) -> tuple[str, ...]:
        """Return the names in a stored author list."""
        if not self.checked:
            return author_names(stored)
        return tuple(stored.split(schema.AUTHOR_SEPARATOR)) if stored else ()

    def record(self, row: tuple[Any, ...]) -> Record:
        """Return a row of :attr:`select` as a record; raise :class:`DamagedRecordError` if its checksum differs."""
        if not self.is_sound(row):
            raise DamagedRecordError(f"{self.path}: record {row[0]} does not agree with its checksum; build it again")
        if self.checked:
            _, key, source, title, year, venue, pub_type, authors, *others, _ = row
            doi, arxiv_id, pages, volume, number, url, crossref, publtype = [value or "" for value in others]
            return Record(
                key or "", title or "", self.names(authors), year, venue or "", pub_type or "", doi, arxiv_id, pages,
                volume, number, url, crossref, publtype, source or "",
            )  # fmt: skip
        values: dict[str, Any] = {name: _text(value) for name, value in zip(self.columns, row[1:], strict=True)}
        year = re.search(r"\d{4}", values.get("year", ""))
        parsed = {"authors": author_names(values.get("authors")), "year": int(year[0]) if year else None}
        return Record(**({"key": ""} | values | parsed))


def detect(file: ReadOnlyFile) -> Layout:
    """Return the layout of ``file``; raise :class:`DatabaseError` if it has no titles."""
    names = file.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    tables = frozenset(name for (name,) in names)
    for table in filter(tables.__contains__, TABLES):
        present = {row[1]: row[2] for row in file.rows(f"PRAGMA table_info({table})")}
        named = {field: next(filter(present.__contains__, known), "") for field, known in COLUMN_NAMES.items()}
        columns = {field: column for field, column in named.items() if column}
        if "title" in columns:
            id_column = "id" if "INT" in present.get("id", "").upper() else "rowid"
            key_column = "id" if "id" in present else "rowid"
            word_table = next(filter(tables.__contains__, ("title_fts", "title_words")), "")
            ours = file.application_id == APPLICATION_ID
            meta = dict(file.rows("SELECT name, value FROM meta ORDER BY name")) if ours else {}
            checked = ours and {"checksum", *schema.COLUMNS} <= present.keys()
            return Layout(file.path, tables, meta, table, id_column, key_column, columns, word_table, ours, checked)
    raise DatabaseError(
        f"{file.path}: has neither a table publications nor a table titles with a column title, "
        "so it is no bibliographic database"
    )


def seal(file: BulkFile, name: str, *selects: str) -> None:
    """Write the checksum of the rows that the queries ``selects`` return into the table ``meta``, under ``name``."""
    checksum = schema.table_checksum(chain.from_iterable(map(file.stream, selects)))
    file.execute("INSERT INTO meta VALUES (?, ?)", (name, str(checksum)))


def sealed_rows(file: ReadOnlyFile, checksum: Any, subject: str, *selects: str) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each of the queries ``selects``; raise :class:`DatabaseError` if their checksum differs.

    ``checksum`` is the one that :func:`seal` wrote; None is not compared. ``subject`` begins the error message.
    """
    found = [file.rows(select) for select in selects]
    if checksum is not None and str(checksum) != str(schema.table_checksum(chain.from_iterable(found))):
        raise DatabaseError(f"{file.path}: {subject} checksum; build it again")
    return found


def sampled_titles(file: ReadOnlyFile, layout: Layout, places: Iterable[float]) -> dict[int, str]:
    """Return the ids and titles of the records at ``places`` of the database, except records without a title.

    A place is 0 for the record with the lowest id, and 1 for the record with the highest id.
    """
    id_column, title, table = layout.id_column, layout.columns["title"], layout.table
    # SQLite reads the whole table for min() and max() in one query, and one row for each in its own query.
    first, last = (file.rows(f"SELECT {end}({id_column}) FROM {table}")[0][0] for end in ("min", "max"))  # noqa: S608
    if first is None:
        return {}
    sql = f"SELECT {id_column}, {title} FROM {table} WHERE {id_column} >= ? ORDER BY {id_column} LIMIT 1"  # noqa: S608
    ids = dict.fromkeys(min(last, first + round((last - first) * place)) for place in places)
    return dict(row for start in ids for row in file.rows(sql, (start,)) if isinstance(row[1], str))


def author_names(stored: Any) -> tuple[str, ...]:
    """Return the names in a stored author list: JSON, or separated by ``;``, ``|``, ``and`` or ``,``."""
    text = _text(stored).strip()
    if text.startswith("["):
        try:
            items = json.loads(text)
            return tuple(_text(item.get("name") if isinstance(item, dict) else item) for item in items)
        except (ValueError, TypeError):
            return (text,)
    for separator in _AUTHOR_SEPARATORS:
        if separator.search(text):
            return tuple(filter(None, separator.split(text)))
    return (text,) if text else ()


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
