"""The SQL tables that ``citeproof db build`` makes.

``docs/database.md`` describes the tables for users.
"""

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

SCHEMA_VERSION = 6
"""Version of the tables.

Version 4 added checksums of records. Version 5 added notices, coverage and download URLs. In
version 6 ``publications`` is a view of the tables ``records`` and ``names``.
"""
READABLE_VERSIONS = (3, 4, 5, SCHEMA_VERSION)
"""Schema versions that can be read.

Version 3 has no checksums of records. A missing table is treated as empty.
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
"""Columns of the view ``publications`` between ``id`` and ``checksum``."""
AUTHOR_SEPARATOR = "; "
Row = tuple[str | int | None, ...]
"""A row of the view ``publications``: a value or None for each of :data:`COLUMNS`."""
NoticeRow = tuple[str | None, str | None, str | None, str, str, str | None, str]
"""A row of the table ``notices``: DOI, title, authors, ``retraction`` or ``concern``, URL, date,
source.
"""
TITLE, _YEAR = COLUMNS.index("title"), COLUMNS.index("year")
TITLE_LETTERS = 4_096
"""Maximum number of characters of a title.

The longest of 488,389 titles in DBLP has 1,164 characters.
"""

NAMED = ("source", "pub_type", "venue", "crossref", "publtype")
"""Columns of ``records`` that contain the id of a row of ``names`` instead of a text."""
TITLE_PIECES = (
    *("tion", "ing ", "e ", "er", "al ", "or", "s ", "in", "en", "d ", "an", "of ", "ic", "on"),
    *("ar", "t ", "th", "es", "at", "y ", "ro", "ec", "st", "el", "ti", "al", "et", "si"),
)
AUTHOR_PIECES = (
    *("; ", "an", ". ", "in", "ar", "en", "er", "on", "a ", "g ", "i ", "e ", "o ", "el"),
    *("ch", "Ch", "as", "is", "Zh", "am", "un", "or", " S", "al", "at", "Li", "il", "os"),
)
"""Frequent groups of letters ("pieces") in titles and in lists of authors.

In the table ``records``, a control character replaces each piece. This shortens a title of 85 bytes
by 18 bytes.
"""
PIECE_CODES = tuple(code for code in range(1, 32) if chr(code) not in "\t\n\r")
"""Codes of the control characters that replace the pieces, in the order of the pieces."""
WHOLE_TITLE, WHOLE_AUTHORS = (
    list(map(dict(zip(PIECE_CODES, pieces, strict=True)).get, range(256), range(256)))
    for pieces in (TITLE_PIECES, AUTHOR_PIECES)
)
"""Tables for ``str.translate`` that replace control characters by pieces. The view ``publications``
does the same, but takes three times as long. A list of all Latin-1 characters is faster than a
dictionary of the control characters.
"""


# maximum number of nested calls of SQL's ``replace`` that every version of SQLite can parse
_PIECES_A_LEVEL = 7


def _in_pieces(table: str) -> str:
    """Return an SQL query for the rows of ``table`` with two more columns, ``whole_title`` and
    ``whole_authors``, in which the pieces are restored. A text that itself has control characters
    is stored as a blob, in which no pieces were replaced.
    """
    title, authors = "title", "authors"
    for first in range(0, len(PIECE_CODES), _PIECES_A_LEVEL):
        for place in range(first, first + _PIECES_A_LEVEL):
            code = PIECE_CODES[place]
            title = f"replace({title}, char({code}), '{TITLE_PIECES[place]}')"
            authors = f"replace({authors}, char({code}), '{AUTHOR_PIECES[place]}')"
        table = f"(SELECT *, {title} AS title_{first}, {authors} AS authors_{first} FROM {table})"  # noqa: S608
        title, authors = f"title_{first}", f"authors_{first}"
    whole = ", ".join(
        f"iif(typeof({name}) = 'blob', CAST({name} AS TEXT), {text}) AS whole_{name}"
        for name, text in (("title", title), ("authors", authors))
    )
    return f"SELECT *, {whole} FROM {table}"  # noqa: S608


def _publications(records: str) -> str:
    """Return the SQL query of the view ``publications``, which restores the texts of packed rows.

    ``records`` is an SQL query for the rows of the table ``records`` with the columns
    ``whole_title`` and ``whole_authors``.
    """
    return f"""SELECT
    id, CASE key WHEN 1 THEN whole_doi WHEN 2 THEN arxiv_id ELSE key END AS key,
    (SELECT name FROM names WHERE names.id = source) AS source,
    whole_title AS title, year,
    (SELECT name FROM names WHERE names.id = venue) AS venue,
    (SELECT name FROM names WHERE names.id = pub_type) AS pub_type,
    whole_authors AS authors, whole_doi AS doi, arxiv_id, pages, volume, number,
    CASE url WHEN 1 THEN 'https://doi.org/' || whole_doi
        WHEN 2 THEN 'https://doi.org/' || upper(whole_doi)
        WHEN 3 THEN 'https://arxiv.org/abs/' || arxiv_id
        WHEN 4 THEN 'https://openalex.org/' || key ELSE url END AS url,
    (SELECT name FROM names WHERE names.id = crossref) AS crossref,
    (SELECT name FROM names WHERE names.id = publtype) AS publtype,
    checksum & 4294967295 AS checksum
FROM (
    SELECT *, coalesce((SELECT name FROM names WHERE names.id = registrant) || '/', '') || doi
        AS whole_doi FROM ({records})
)"""  # noqa: S608


PACKED = _publications("SELECT *, title AS whole_title, authors AS whole_authors FROM records")
"""SQL query with the columns of the view ``publications``, in which titles and authors still have
control characters in place of pieces. It is faster than the view.
"""

TABLES = f"""
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE records (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, authors TEXT, year INTEGER, venue INTEGER,
    pub_type INTEGER, source INTEGER NOT NULL, registrant INTEGER, doi TEXT, pages TEXT, volume
    TEXT, number TEXT, key, url, arxiv_id TEXT, crossref INTEGER, publtype INTEGER, checksum
    INTEGER NOT NULL
);
CREATE VIEW publications AS {_publications(_in_pieces("records"))};
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
CREATE INDEX notices_doi ON notices (doi) WHERE doi IS NOT NULL;
CREATE INDEX notices_title ON notices (title);
"""

STORED = ("id", *COLUMNS, "registrant", "checksum")
INSERT = f"INSERT INTO records ({', '.join(STORED)}) VALUES ({', '.join('?' * len(STORED))})"  # noqa: S608
INSERT_NAME = "INSERT INTO names VALUES (?, ?)"
KNOWN_NAMES = "SELECT name, id FROM names WHERE id > (SELECT max(id) FROM names) - ? ORDER BY id"
"""SQL statement that selects the rows of ``names`` with the highest ids. Its parameter is the
number of rows.
"""
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
    """Return the CRC-32 of a sequence of titles that ends in ``titles``. ``before`` is the CRC-32
    of the titles before these.
    """
    return zlib.crc32("".join(f"{title}\n" for title in titles).encode(), before)
