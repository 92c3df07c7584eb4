"""The SQL tables that ``citeproof db build`` makes.

``docs/database.md`` describes the tables for users.
"""

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

SCHEMA_VERSION = 5
"""Version of the tables.

Version 4 added checksums of records. Version 5 added notices, coverage and download URLs.
"""
READABLE_VERSIONS = (3, 4, SCHEMA_VERSION)
"""Schema versions that can be read.

Version 3 has no checksums of records. A missing table counts as empty.
"""
COLUMNS = (
    "key",
    "source",
    "title",
    "year",
    "venue",
    "pub_type",
    "authors",
    "doi",
    "arxiv_id",
    "pages",
    "volume",
    "number",
    "url",
    "crossref",
    "publtype",
)
"""Columns of the table ``publications`` between ``id`` and ``checksum``."""
AUTHOR_SEPARATOR = "; "
Row = tuple[str | int | None, ...]
"""A row of the table ``publications``: a value or None for each of :data:`COLUMNS`."""
NoticeRow = tuple[str | None, str | None, str | None, str, str, str | None, str]
"""A row of the table ``notices``: DOI, title, authors, ``retraction`` or ``concern``, URL, date,
source.
"""
TITLE, _YEAR = COLUMNS.index("title"), COLUMNS.index("year")
TITLE_LETTERS = 4_096
"""Maximum number of characters of a title.

The longest of 488,389 titles in DBLP has 1,164 characters.
"""

TABLES = """
CREATE TABLE publications (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, source TEXT NOT NULL, title TEXT NOT NULL, year
    INTEGER, venue TEXT,
    pub_type TEXT, authors TEXT, doi TEXT, arxiv_id TEXT, pages TEXT, volume TEXT, number TEXT, url
    TEXT,
    crossref TEXT, publtype TEXT, checksum INTEGER NOT NULL
);
CREATE TABLE sources (
    name TEXT NOT NULL, file TEXT NOT NULL, format TEXT NOT NULL, licence TEXT, dump_date TEXT,
    bytes INTEGER NOT NULL, records INTEGER NOT NULL, skipped INTEGER NOT NULL, faults INTEGER NOT
    NULL,
    notices INTEGER NOT NULL,
    url TEXT, etag TEXT, modified TEXT, fetched TEXT
);
CREATE TABLE notices (
    doi TEXT, title TEXT, authors TEXT, kind TEXT NOT NULL, url TEXT NOT NULL, day TEXT, source
    TEXT NOT NULL
);
CREATE TABLE coverage (kind TEXT, part TEXT, held INTEGER NOT NULL, given INTEGER NOT NULL, PRIMARY
KEY (kind, part))
    WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

WORD_INDEX = """
CREATE VIRTUAL TABLE title_fts USING fts5(
    title, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '+#'"
);
"""
"""SQL statement that creates the full-text index of normalised titles.

The words are separated by spaces.
"""
WORD_INDEX_WRITING = f"""
INSERT INTO title_fts (title_fts, rank) VALUES ('hashsize', {16 << 20});
INSERT INTO title_fts (title_fts, rank) VALUES ('automerge', 0);
"""  # noqa: S608
"""SQL statements that make writing the full-text index 10 % faster.

SQLite then collects words in 16 MiB of memory. It does not merge the parts of the index
automatically; :data:`WORD_INDEX_WHOLE` merges all parts at the end.
"""
WORD_INDEX_WHOLE = "INSERT INTO title_fts (title_fts) VALUES ('optimize')"
"""SQL statement that merges the full-text index into one segment.

Reading ten segments takes a third longer.
"""
INDEXES = """
CREATE INDEX publications_doi ON publications (doi) WHERE doi IS NOT NULL;
CREATE INDEX publications_arxiv_id ON publications (arxiv_id) WHERE arxiv_id IS NOT NULL;
CREATE INDEX notices_doi ON notices (doi) WHERE doi IS NOT NULL;
CREATE INDEX notices_title ON notices (title);
"""

_STORED = ("id", *COLUMNS, "checksum")
INSERT = f"INSERT INTO publications ({', '.join(_STORED)}) VALUES ({', '.join('?' * len(_STORED))})"  # noqa: S608
INSERT_SOURCE = "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_NOTICE = "INSERT INTO notices VALUES (?, ?, ?, ?, ?, ?, ?)"
INSERT_WORDS = "INSERT INTO title_fts (rowid, title) VALUES (?, ?)"


def is_takeable(row: Row) -> bool:
    """Return whether ``row`` can be stored: the title has 1 to 4,096 characters, and the year is 1
    to 9999 or None.
    """
    title, year = row[TITLE], row[_YEAR]
    return (
        isinstance(title, str)
        and 0 < len(title) <= TITLE_LETTERS
        and (year is None or 0 < int(year) <= 9_999)
    )


_FIELDS = "\x1f".join(["%s"] * len(COLUMNS))


def row_checksum(row: Row) -> int:
    """Return the CRC-32 of the values of ``row``.

    The column ``checksum`` stores ``row_checksum(row) ^ id``.

    The checksum detects every single wrong bit, and every burst of wrong bits of up to 32 bits.
    """
    return zlib.crc32((_FIELDS % row).encode())


def table_checksum(rows: Iterable[Sequence[Any]]) -> int:
    """Return the CRC-32 of the JSON array of all ``rows``.

    Example: the only row ``("icml", "conf/icml", 3)`` has the CRC-32 of
    ``[["icml","conf/icml",3]]``. A damaged file may contain a value that JSON does not have. The
    value is replaced by its ``repr``.
    """
    return zlib.crc32(orjson.dumps(list(rows), default=repr))


def checksum(titles: Sequence[str], before: int = 0) -> int:
    """Return the CRC-32 of earlier titles and ``titles`` together.

    ``before`` is the CRC-32 of the earlier titles.
    """
    return zlib.crc32("".join(f"{title}\n" for title in titles).encode(), before)
