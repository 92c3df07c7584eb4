"""The tables of a database that ``citeproof db build`` makes; ``docs/database.md`` describes them for users."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA_VERSION = 5
"""Version 4 gave each record a checksum, version 5 notices, coverage and where each source came from."""
READABLE_VERSIONS = (3, 4, SCHEMA_VERSION)
"""Records of version 3 are read without a check; what a version does not have is taken as empty."""

COLUMNS = (
    "key", "source", "title", "year", "venue", "pub_type", "authors", "doi", "arxiv_id",
    "pages", "volume", "number", "url", "crossref", "publtype",
)  # fmt: skip
"""Columns of ``publications`` after ``id``, in the order in which sources fill them."""

AUTHOR_SEPARATOR = "; "

Row = tuple[str | int | None, ...]
"""One publication: a value for each of :data:`COLUMNS`, ``None`` where the source has none."""

NoticeRow = tuple[str | None, str | None, str | None, str, str, str | None, str]
"""One notice: DOI of the work, its normalised title and its authors (where it has no DOI), ``retraction`` or
``concern``, address of the notice, its day, and who tells of it."""

TITLE = COLUMNS.index("title")
YEAR = COLUMNS.index("year")

TITLE_LETTERS = 4_096
"""A longer title is a fault of the source: the longest of 488,389 in DBLP has 1,164 letters."""
LAST_YEAR = 9_999

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
"""Over normalised titles, which are words one space apart: every one of them is a token, whatever its script."""

WORD_INDEX_WRITING = f"""
INSERT INTO title_fts (title_fts, rank) VALUES ('hashsize', {16 << 20});
INSERT INTO title_fts (title_fts, rank) VALUES ('automerge', 0);
"""  # noqa: S608
"""So many bytes of words are gathered before they are written; a sixteenth of that takes a tenth longer. What is
written is merged once, in the end, which takes a tenth less than merging now and then."""
WORD_INDEX_WHOLE = "INSERT INTO title_fts (title_fts) VALUES ('optimize')"
"""In one piece, words are found in three quarters of the time that they take in the ten pieces of 8 million records."""

INDEXES = """
CREATE INDEX publications_doi ON publications (doi) WHERE doi IS NOT NULL;
CREATE INDEX publications_arxiv_id ON publications (arxiv_id) WHERE arxiv_id IS NOT NULL;
CREATE INDEX notices_doi ON notices (doi) WHERE doi IS NOT NULL;
CREATE INDEX notices_title ON notices (title);
"""

_STORED = ("id", *COLUMNS, "checksum")
INSERT = f"INSERT INTO publications ({', '.join(_STORED)}) VALUES ({', '.join('?' * len(_STORED))})"  # noqa: S608
SOURCE_COLUMNS = (
    "name", "file", "format", "licence", "dump_date", "bytes", "records", "skipped", "faults", "notices",
    "url", "etag", "modified", "fetched",
)  # fmt: skip
INSERT_SOURCE = f"INSERT INTO sources VALUES ({', '.join('?' * len(SOURCE_COLUMNS))})"  # noqa: S608
INSERT_NOTICE = "INSERT INTO notices VALUES (?, ?, ?, ?, ?, ?, ?)"
INSERT_WORDS = "INSERT INTO title_fts (rowid, title) VALUES (?, ?)"


def is_takeable(row: Row) -> bool:
    """Whether a database takes ``row``: its title has 1 to :data:`TITLE_LETTERS` letters, and its year can be."""
    title, year = row[TITLE], row[YEAR]
    return isinstance(title, str) and 0 < len(title) <= TITLE_LETTERS and (year is None or 0 < int(year) <= LAST_YEAR)


_FIELDS = "\x1f".join(["%s"] * len(COLUMNS))


def row_checksum(row: Row) -> int:
    """Return the CRC-32 of the values of ``row``. A record stores it combined with its id: ``row_checksum(row) ^ id``.

    It notices every flipped bit, and every burst of up to 32.
    """
    return zlib.crc32((_FIELDS % row).encode())


def checksum(titles: Sequence[str], before: int = 0) -> int:
    """Return the checksum of ``titles``, continued from the titles ``before``: it notices any that is changed."""
    return zlib.crc32("".join(f"{title}\n" for title in titles).encode(), before)
