"""Find the tables and columns with records and words of titles, in a database of citeproof or of
another program.
"""

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
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
"""Accepted names of the table of bibliographic records, preferred name first."""
COLUMN_NAMES: dict[str, tuple[str, ...]] = {name: (name,) for name in schema.COLUMNS} | {
    "key": ("key", "dblp_key"),
    "title": ("title", "title_norm"),
    "venue": ("venue", "booktitle", "journal"),
    "pub_type": ("pub_type", "type"),
    "authors": ("authors", "author"),
    "arxiv_id": ("arxiv_id", "arxiv"),
    "url": ("url", "ee"),
}
"""Map from each field of a record to the accepted names of the column, preferred name first.

Fields have the order of :data:`~citeproof.database.schema.COLUMNS`, because the checksum of a
record depends on the order.
"""
_AUTHOR_SEPARATORS = (
    re.compile(r"\s*;\s*"),
    re.compile(r"\s*\|\s*"),
    re.compile(r"\s+and\s+"),
    re.compile(r",\s+"),
)


class DamagedRecordError(DatabaseError):
    """Raised if a record of the database does not agree with its checksum."""


@dataclass(frozen=True)
class Layout:
    """The names of the tables and columns of a database, and which program made the database."""

    path: Path
    tables: frozenset[str]  # names of all tables and views
    # the table ``meta`` as a map from name to value; empty for another program's database
    meta: Mapping[str, Any]
    table: str  # name of the table with records
    id_column: str  # name of the column with the integer record id: ``id`` or ``rowid``
    # name of the column to which the word index refers: ``id``, which may be text, or ``rowid``
    key_column: str
    # map from a field of a record, such as ``venue``, to the name of the column
    columns: dict[str, str]
    # name of the table that indexes the words of titles: ``title_fts``, ``title_words``, or empty
    word_table: str
    ours: bool  # whether citeproof made the database
    # whether records have checksums, as in databases of citeproof since schema version 4
    checked: bool

    @cached_property
    def select(self) -> str:
        """SQL statement that selects all records as rows for :meth:`record`.

        The first column is the record id.
        """
        return self._select_from(self.table)

    @cached_property
    def select_packed(self) -> str:
        """SQL statement that selects all records faster, as rows for :meth:`whole_row`."""
        return self._select_from(self.table if self.stored == self.table else f"({schema.PACKED})")

    def _select_from(self, table: str) -> str:
        columns = (self.id_column, *self.columns.values(), *(["checksum"] if self.checked else []))
        return f"SELECT {', '.join(columns)} FROM {table}"  # noqa: S608

    def whole_row(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """Convert a row of :attr:`select_packed` to a row of :attr:`select`."""
        if self.stored == self.table:
            return row
        start, title, middle, authors, end = row[:3], row[3], row[4:7], row[7], row[8:]
        whole_title = self.whole(title, schema.WHOLE_TITLE)
        return (*start, whole_title, *middle, self.whole(authors, schema.WHOLE_AUTHORS), *end)

    @cached_property
    def stored(self) -> str:
        """Name of the table that has titles and authors as they are stored, for :meth:`whole`."""
        return "records" if self.ours and "records" in self.tables else self.table

    def whole(self, text: Any, pieces: list[int | str]) -> Any:
        """Convert a title or list of authors from the table :attr:`stored` to the text that the
        view ``publications`` has.

        ``pieces`` is ``WHOLE_TITLE`` or ``WHOLE_AUTHORS`` of :mod:`~citeproof.database.schema`.
        """
        if self.stored == self.table:
            return text
        return text.translate(pieces) if isinstance(text, str) else text and _text(text)

    def is_sound(self, row: tuple[Any, ...]) -> bool:
        """Return whether a row of :attr:`select` agrees with its checksum, or has no checksum."""
        return not self.checked or schema.row_checksum(row[1:-1]) ^ row[0] == row[-1]

    def names(self, stored: Any) -> tuple[str, ...]:
        """Return the names in a stored list of authors, such as ``Ada Lovelace; Alan Turing``."""
        if not self.checked:
            return author_names(stored)
        return tuple(stored.split(schema.AUTHOR_SEPARATOR)) if stored else ()

    def record(self, row: tuple[Any, ...]) -> Record:
        """Convert a row of :attr:`select` to a record.

        Raises :class:`DamagedRecordError` if the checksum is wrong.
        """
        if not self.is_sound(row):
            raise DamagedRecordError(
                f"{self.path}: record {row[0]} does not agree with its checksum; build it again"
            )
        if self.checked:
            _, key, source, title, year, venue, pub_type, authors, *others, _ = row
            doi, arxiv_id, pages, volume, number, url, crossref, publtype = [
                value or "" for value in others
            ]
            return Record(
                key or "",
                title or "",
                self.names(authors),
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
        values: dict[str, Any] = {
            name: _text(value) for name, value in zip(self.columns, row[1:], strict=True)
        }
        year = re.search(r"\d{4}", values.get("year", ""))
        parsed = {
            "authors": author_names(values.get("authors")),
            "year": int(year[0]) if year else None,
        }
        return Record(**({"key": ""} | values | parsed))


def detect(file: ReadOnlyFile) -> Layout:
    """Find the tables and columns of ``file``.

    Raises :class:`DatabaseError` if no table of records has titles.
    """
    names = file.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    tables = frozenset(name for (name,) in names)
    for table in filter(tables.__contains__, TABLES):
        present = {row[1]: row[2] for row in file.rows(f"PRAGMA table_info({table})")}
        named = {
            field: next(filter(present.__contains__, known), "")
            for field, known in COLUMN_NAMES.items()
        }
        columns = {field: column for field, column in named.items() if column}
        if "title" in columns:
            id_column = "id" if "INT" in present.get("id", "").upper() else "rowid"
            key_column = "id" if "id" in present else "rowid"
            word_table = next(filter(tables.__contains__, ("title_fts", "title_words")), "")
            ours = file.application_id == APPLICATION_ID
            meta = dict(file.rows("SELECT name, value FROM meta ORDER BY name")) if ours else {}
            checked = ours and {"checksum", *schema.COLUMNS} <= present.keys()
            return Layout(
                file.path,
                tables,
                meta,
                table,
                id_column,
                key_column,
                columns,
                word_table,
                ours,
                checked,
            )
    raise DatabaseError(
        f"{file.path}: has neither a table publications nor a table titles with a column title, "
        "so it is not a bibliographic database"
    )


def seal(file: BulkFile, name: str, *selects: str) -> None:
    """Compute the checksum of all rows of the queries ``selects``, and store it in the table
    ``meta`` as ``name``.
    """
    checksum = schema.table_checksum(chain.from_iterable(map(file.stream, selects)))
    file.execute("INSERT INTO meta VALUES (?, ?)", (name, str(checksum)))


def check_seal(file: ReadOnlyFile, checksum: Any, subject: str, *selects: str) -> None:
    """Raise :class:`DatabaseError` if the rows of the queries ``selects`` do not agree with
    ``checksum``, which :func:`seal` wrote.

    If ``checksum`` is None, the rows are not checked. ``subject`` begins the error message.
    """
    # SQLite computes the same checksum in half the time; its JSON differs only for values that no
    # intact table has
    if checksum is None or _sqlite_checksum(file, selects) == str(checksum):
        return
    rows = chain.from_iterable(map(file.rows, selects))
    if str(schema.table_checksum(rows)) != str(checksum):
        raise DatabaseError(f"{file.path}: {subject} checksum; build it again")


def _sqlite_checksum(file: ReadOnlyFile, selects: Iterable[str]) -> str:
    found, mark = 0, b"["
    for select in selects:
        with suppress(DatabaseError):  # a table that SQLite cannot write as JSON is damaged
            columns = ", ".join(file.columns(select))
            array = f"CAST(json_group_array(json_array({columns})) AS BLOB)"
            ((json_rows,),) = file.rows(f"SELECT {array} FROM ({select})")  # noqa: S608
            if len(json_rows) > len("[]"):
                found = zlib.crc32(memoryview(json_rows)[1:-1], zlib.crc32(mark, found))
                mark = b","
    return str(zlib.crc32(b"[]" if mark == b"[" else b"]", found))


def sources_of(file: ReadOnlyFile) -> list[dict[str, Any]]:
    """Return the rows of the table ``sources``, each a map from column to value."""
    columns = [row[1] for row in file.rows("PRAGMA table_info(sources)")]
    return [dict(zip(columns, row, strict=True)) for row in file.rows("SELECT * FROM sources")]


def sampled_titles(file: ReadOnlyFile, layout: Layout, places: Iterable[float]) -> dict[int, str]:
    """Return ``{id: title}`` of the records at the relative positions ``places``, 0 to 1: 0 is the
    record with the lowest id, 1 the record with the highest id.

    Records without a title are left out.
    """
    id_column, title, table = layout.id_column, layout.columns["title"], layout.table
    # For min() and max() in one query, SQLite reads the whole table. For two queries, it reads one
    # row each.
    first, last = (
        file.rows(f"SELECT {end}({id_column}) FROM {table}")[0][0]  # noqa: S608
        for end in ("min", "max")
    )
    if first is None:
        return {}
    sql = (
        f"SELECT {id_column}, {title} FROM {table}"  # noqa: S608
        f" WHERE {id_column} >= ? ORDER BY {id_column} LIMIT 1"
    )
    ids = dict.fromkeys(min(last, first + round((last - first) * place)) for place in places)
    return dict(row for start in ids for row in file.rows(sql, (start,)) if isinstance(row[1], str))


def author_names(stored: Any) -> tuple[str, ...]:
    """Split another program's list of authors into names: a JSON array, or text with ``;``, ``|``,
    ``and`` or ``,``.
    """
    text = _text(stored).strip()
    if text.startswith("["):
        try:
            items = json.loads(text)
            return tuple(
                _text(item.get("name") if isinstance(item, dict) else item) for item in items
            )
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
