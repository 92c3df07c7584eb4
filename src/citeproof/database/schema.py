"""The tables of a database that ``citeproof db build`` makes; ``docs/database.md`` describes them for users."""

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

SCHEMA_VERSION = 5
"""Version of the tables. Version 4 added checksums of records, version 5 notices, coverage and origins of sources."""
READABLE_VERSIONS = (3, 4, SCHEMA_VERSION)
"""Versions that can be read. Records of version 3 have no checksum; tables that a version lacks count as empty."""
COLUMNS = (
    "key", "source", "title", "year", "venue", "pub_type", "authors", "doi", "arxiv_id",
    "pages", "volume", "number", "url", "crossref", "publtype",
)  # fmt: skip
"""Columns of the table ``publications`` between ``id`` and ``checksum``."""
AUTHOR_SEPARATOR = "; "
Row = tuple[str | int | None, ...]
"""A publication: a value or None for each of :data:`COLUMNS`."""
NoticeRow = tuple[str | None, str | None, str | None, str, str, str | None, str]
"""A notice: DOI, normalised title and authors of the work, ``retraction`` or ``concern``, and URL, date and source."""
TITLE, _YEAR = COLUMNS.index("title"), COLUMNS.index("year")
TITLE_LETTERS = 4_096
"""Maximum number of letters of a title. The longest of 488,389 titles in DBLP has 1,164 letters."""

TABLES = """
CREATE TABLE publications (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, source TEXT NOT NULL, title TEXT NOT NULL, year INTEGER, venue TEXT,
    pub_type TEXT, authors TEXT, doi TEXT, arxiv_id TEXT, pages TEXT, volume TEXT, number TEXT, url TEXT,
    crossref TEXT, publtype TEXT, checksum INTEGER NOT NULL
);
CREATE TABLE sources (
    name TEXT NOT NULL, file TEXT NOT NULL, format TEXT NOT NULL, licence TEXT, dump_date TEXT,
    bytes INTEGER NOT NULL, records INTEGER NOT NULL, skipped INTEGER NOT NULL, faults INTEGER NOT NULL,
    notices INTEGER NOT NULL,
    url TEXT, etag TEXT, modified TEXT, fetched TEXT
);
CREATE TABLE notices (
    doi TEXT, title TEXT, authors TEXT, kind TEXT NOT NULL, url TEXT NOT NULL, day TEXT, source TEXT NOT NULL
);
CREATE TABLE coverage (kind TEXT, part TEXT, held INTEGER NOT NULL, given INTEGER NOT NULL, PRIMARY KEY (kind, part))
    WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

WORD_INDEX = """
CREATE VIRTUAL TABLE title_fts USING fts5(
    title, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '+#'"
);
"""
"""SQL statement that creates the full-text index of normalised titles. Each word between two spaces is a token."""
WORD_INDEX_WRITING = f"""
INSERT INTO title_fts (title_fts, rank) VALUES ('hashsize', {16 << 20});
INSERT INTO title_fts (title_fts, rank) VALUES ('automerge', 0);
"""  # noqa: S608
"""SQL statements that prepare the word index for fast writing: words are collected in 16 MiB of memory and merged once
at the end, which takes 10 % less time than automatic merges."""
WORD_INDEX_WHOLE = "INSERT INTO title_fts (title_fts) VALUES ('optimize')"
"""SQL statement that merges the word index into one segment, because reading ten segments takes a third longer."""
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
    """Return whether the title of ``row`` has 1 to :data:`TITLE_LETTERS` letters and the year is 1 to 9999 or None."""
    title, year = row[TITLE], row[_YEAR]
    return isinstance(title, str) and 0 < len(title) <= TITLE_LETTERS and (year is None or 0 < int(year) <= 9_999)


_FIELDS = "\x1f".join(["%s"] * len(COLUMNS))


def row_checksum(row: Row) -> int:
    """Return the CRC-32 of the values of ``row``; a record stores ``row_checksum(row) ^ id``.

    It detects every flipped bit, and every burst of up to 32 bits.
    """
    return zlib.crc32((_FIELDS % row).encode())


def table_checksum(rows: Iterable[Sequence[Any]]) -> int:
    """Return the CRC-32 of one JSON document with all rows of a table.

    Example: a table with the only row ``("icml", "conf/icml", 3)`` has the CRC-32 of ``[["icml","conf/icml",3]]``. A
    value of another type, which a damaged file may contain, is replaced by its ``repr``.
    """
    return zlib.crc32(orjson.dumps(list(rows), default=repr))


def checksum(titles: Sequence[str], before: int = 0) -> int:
    """Return the CRC-32 of ``titles`` and all titles before them, whose CRC-32 is ``before``."""
    return zlib.crc32("".join(f"{title}\n" for title in titles).encode(), before)
