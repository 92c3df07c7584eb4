"""The tables of a database: rows, checksums and texts in pieces."""

import sqlite3
import zlib

import pytest

from citeproof.database import schema
from citeproof.database.schema import COLUMNS, Row


def _row(**values: str | int | None) -> Row:
    return tuple({"title": "On Tables", "year": 2001, **values}.get(name) for name in COLUMNS)


@pytest.mark.parametrize(
    ("row", "takeable"),
    [
        (_row(), True),
        (_row(year=None), True),
        (_row(title=""), False),
        (_row(title=None), False),
        (_row(title="x" * schema.TITLE_LETTERS), True),
        (_row(title="x" * (schema.TITLE_LETTERS + 1)), False),
        (_row(year=0), False),
        (_row(year=1), True),
        (_row(year=9_999), True),
        (_row(year=10_000), False),
    ],
)
def test_is_takeable_limits_title_and_year(row: Row, takeable: bool) -> None:
    assert schema.is_takeable(row) == takeable


def test_row_checksum_sees_every_field_and_its_place() -> None:
    rows = [_row(), _row(venue="J"), _row(authors="J"), _row(year=2002), _row(pages="1")]
    assert len({schema.row_checksum(row) for row in rows}) == len(rows)


def test_table_checksum_is_that_of_the_json_array() -> None:
    rows = [("icml", "conf/icml", 3)]
    assert schema.table_checksum(rows) == zlib.crc32(b'[["icml","conf/icml",3]]')
    damaged = schema.table_checksum([("icml", complex(1, 2), 3)])
    assert damaged != schema.table_checksum(rows)


def test_checksum_of_titles_can_be_taken_in_parts() -> None:
    whole = schema.checksum(["a", "b", "c"])
    assert schema.checksum(["c"], schema.checksum(["a", "b"])) == whole
    assert schema.checksum(["ab", "c"]) != whole


def test_publications_put_texts_in_pieces_together_again() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema.TABLES)
    names = ["dblp", "article", "J. ACM", "10.1145"]
    connection.executemany(schema.INSERT_NAME, list(enumerate(names, 1)))
    codes = schema.PIECE_CODES
    title = "".join(f"{chr(code)}," for code in codes)
    authors = "".join(f"{chr(code)}," for code in codes)
    packed = {
        "id": 7, "key": 1, "source": 1, "title": title, "year": 2001, "venue": 3, "pub_type": 2,
        "authors": authors, "doi": "abc", "url": 2, "registrant": 4, "checksum": 5,
    }  # fmt: skip
    connection.execute(schema.INSERT, [packed.get(name) for name in schema.STORED])
    whole = {**packed, "id": 8, "title": b"A\x01B", "authors": b"C\x02D", "key": "k", "url": 4}
    connection.execute(schema.INSERT, [whole.get(name) for name in schema.STORED])
    columns = "title, authors, key, doi, url, source, venue, pub_type"
    first, second = connection.execute(f"SELECT {columns} FROM publications ORDER BY id")
    titles = "".join(f"{piece}," for piece in schema.TITLE_PIECES)
    people = "".join(f"{piece}," for piece in schema.AUTHOR_PIECES)
    assert first[:2] == (titles, people)
    assert (title.translate(schema.WHOLE_TITLE), authors.translate(schema.WHOLE_AUTHORS)) == (
        titles,
        people,
    )
    doi = "10.1145/abc"
    assert first[2:] == (doi, doi, f"https://doi.org/{doi.upper()}", "dblp", "J. ACM", "article")
    assert second[:2] == ("A\x01B", "C\x02D")
    assert second[4] == "https://openalex.org/k"
