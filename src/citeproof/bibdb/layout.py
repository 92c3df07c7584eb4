"""Which tables of a database hold records and words: ours, or one of the layouts that users already have."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from citeproof.bibdb import schema
from citeproof.errors import DatabaseError
from citeproof.models import Record
from citeproof.storage.sqlite import APPLICATION_ID

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.storage.sqlite import ReadOnlyFile

TABLES = ("publications", "titles")
"""Tables that hold records, the preferred first."""

COLUMN_NAMES: dict[str, tuple[str, ...]] = {
    "key": ("key", "dblp_key"),
    "source": ("source",),
    "title": ("title", "title_norm"),
    "year": ("year",),
    "venue": ("venue", "booktitle", "journal"),
    "pub_type": ("pub_type", "type"),
    "authors": ("authors", "author"),
    "doi": ("doi",),
    "arxiv_id": ("arxiv_id", "arxiv"),
    "pages": ("pages",),
    "volume": ("volume",),
    "number": ("number",),
    "url": ("url", "ee"),
    "crossref": ("crossref",),
    "publtype": ("publtype",),
}
"""The names under which a record's fields may be stored; a field without a column stays empty.

The fields stand in the order of :data:`~citeproof.bibdb.schema.COLUMNS`, in which their checksum is taken.
"""

_AUTHOR_SEPARATORS = (re.compile(r"\s*;\s*"), re.compile(r"\s*\|\s*"), re.compile(r"\s+and\s+"), re.compile(r",\s+"))


class DamagedRecordError(DatabaseError):
    """A record does not agree with its checksum. What it says is not to be trusted."""


@dataclass(frozen=True)
class Layout:
    """Where a database keeps its records and its words."""

    path: Path
    table: str
    id_column: str
    """The integer that names a record: the table's ``id``, or its rowid where it has none."""
    key_column: str
    """The table's ``id``, whatever its type, which a word table refers to; its rowid where it has none."""
    columns: dict[str, str]
    """Field of :class:`Record` to its column."""
    word_table: str
    """``title_fts`` or ``title_words`` where the database has it, else empty."""
    ours: bool
    checked: bool
    """Each record has a checksum, as from schema version 4 on."""

    @property
    def title(self) -> str:
        """The column that holds the title."""
        return self.columns["title"]

    @cached_property
    def select(self) -> str:
        """The statement, without condition, whose rows :meth:`record` reads; each begins with the record's id."""
        columns = (*map(quoted, self.columns.values()), *(["checksum"] if self.checked else []))
        return f"SELECT {self.id_column}, {', '.join(columns)} FROM {self.table}"  # noqa: S608

    def is_sound(self, row: tuple[Any, ...]) -> bool:
        """Whether a row of :attr:`select` agrees with its checksum, where it has one."""
        return not self.checked or schema.row_checksum(row[1:-1]) ^ row[0] == row[-1]

    def names(self, stored: Any) -> tuple[str, ...]:
        """Return the names in a stored author list."""
        if not self.checked:
            return author_names(stored)
        return tuple(stored.split(schema.AUTHOR_SEPARATOR)) if stored else ()

    def record(self, row: tuple[Any, ...]) -> Record:
        """Return a row of :attr:`select` as a record; raise :class:`DamagedRecordError` where it is not sound."""
        if not self.is_sound(row):
            raise DamagedRecordError(f"{self.path}: record {row[0]} does not agree with its checksum; build it again")
        if self.checked:
            return _own_record(row[1:-1])
        values: dict[str, Any] = {name: _text(value) for name, value in zip(self.columns, row[1:], strict=True)}
        values["authors"] = author_names(values.get("authors"))
        values["year"] = _year(values.get("year"))
        values.setdefault("key", "")
        return Record(**values)


def _own_record(values: tuple[Any, ...]) -> Record:
    """Return a record from ``values`` that agree with their checksum, so that each is of its type or None.

    They stand in the order of :data:`COLUMN_NAMES`: a database with checksums has all the columns.
    """
    key, source, title, year, venue, pub_type, authors, *others = values
    doi, arxiv_id, pages, volume, number, url, crossref, publtype = [value or "" for value in others]
    return Record(
        key or "",
        title or "",
        tuple(authors.split(schema.AUTHOR_SEPARATOR)) if authors else (),
        year,
        venue or "",
        pub_type or "",
        doi,
        arxiv_id,
        pages,
        volume,
        number,
        url,
        crossref,
        publtype,
        source or "",
    )


def detect(file: ReadOnlyFile) -> Layout:
    """Return the layout of ``file``; raise :class:`DatabaseError` when it holds no titles."""
    names = {name for (name,) in file.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")}
    for table in TABLES:
        if table not in names:
            continue
        present = {row[1]: row[2] for row in file.rows(f"PRAGMA table_info({table})")}
        columns = {
            field: column
            for field, known in COLUMN_NAMES.items()
            if (column := next((name for name in known if name in present), None))
        }
        if "title" in columns:
            id_column = "id" if "INT" in present.get("id", "").upper() else "rowid"
            word_table = next((name for name in ("title_fts", "title_words") if name in names), "")
            key_column = "id" if "id" in present else "rowid"
            ours = file.application_id == APPLICATION_ID
            checked = ours and {"checksum", *schema.COLUMNS} <= present.keys()
            return Layout(file.path, table, id_column, key_column, columns, word_table, ours, checked)
    raise DatabaseError(
        f"{file.path}: has neither a table publications nor a table titles with a column title, "
        "so it is no bibliographic database"
    )


def quoted(name: str) -> str:
    """Return ``name`` as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def author_names(stored: Any) -> tuple[str, ...]:
    """Return the names in a stored author list: a JSON list, or names apart by ``;``, ``|``, ``and`` or ``,``."""
    text = _text(stored).strip()
    if text.startswith("["):
        try:
            return tuple(_name(item) for item in json.loads(text))
        except (ValueError, TypeError):
            return (text,)
    for separator in _AUTHOR_SEPARATORS:
        if separator.search(text):
            return tuple(filter(None, separator.split(text)))
    return (text,) if text else ()


def _name(item: Any) -> str:
    return _text(item.get("name") if isinstance(item, dict) else item)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _year(value: Any) -> int | None:
    digits = re.search(r"\d{4}", _text(value))
    return int(digits[0]) if digits else None
