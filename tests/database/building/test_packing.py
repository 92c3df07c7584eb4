"""Records are packed for the table ``records``, and the view ``publications`` unpacks them."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.database import schema
from citeproof.database.building.builder import build
from citeproof.database.building.packing import Names, in_pieces, packed
from citeproof.database.lookup import Database

if TYPE_CHECKING:
    from pathlib import Path

DOI = "10.5555/a.b/c"
TEXTS = st.sampled_from(
    [
        *(None, "1", "2", "4", "x", "no slash", DOI, "10.5555/A.B", "10.5555/ä", "2302.03976"),
        *("https://doi.org/10.5555/a.b/c", "https://doi.org/10.5555/A.B/C", "W1"),
        *("https://arxiv.org/abs/2302.03976", "https://openalex.org/W1", "https://doi.org/None"),
        *("https://doi.org/10.5555/Ä", "https://openalex.org/1", "conf/lamps/2012", ""),
    ]
)
KEYS = TEXTS.map(lambda text: text or "")
TITLES = st.text(st.sampled_from("tioneranglsd .\x01\x1fé灯"), min_size=1) | st.sampled_from(
    schema.TITLE_PIECES
)
PEOPLE = st.none() | st.lists(st.text(st.sampled_from("ChanLis. ;é\x02")), max_size=3).map(
    "; ".join
)


def numbered(names: Names, first_id: int, rows: list[schema.Row]) -> list[list[object]]:
    stored = packed(rows)
    names.number(first_id, stored)
    return stored


@given(
    st.lists(
        st.tuples(KEYS, TEXTS, TITLES, st.just(2001), *([TEXTS] * 2), PEOPLE, *([TEXTS] * 8)),
        max_size=5,
    )
)
def test_packed_records_are_the_same_in_the_view(rows: list[schema.Row]) -> None:
    names = Names()
    stored = numbered(names, 7, rows)
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema.TABLES.replace("source INTEGER NOT NULL", "source INTEGER"))
    connection.executemany(schema.INSERT_NAME, names.taken())
    connection.executemany(schema.INSERT, stored)
    columns = ", ".join(("id", *schema.COLUMNS, "checksum"))
    found = connection.execute(f"SELECT {columns} FROM publications ORDER BY id").fetchall()
    connection.close()
    assert found == [
        (number, *row, schema.row_checksum(row) ^ number) for number, row in enumerate(rows, 7)
    ]


def test_packed_records_store_no_text_twice() -> None:
    row = (DOI, "dblp", "Lamps", 2001, "Lamp Letters", "article", None, DOI, None, None, None, None)
    names = Names()
    first, second = numbered(names, 1, [(*row, f"https://doi.org/{DOI.upper()}", None, None)] * 2)
    assert first[1:-1] == second[1:-1]
    assert [value for value in first if isinstance(value, str)] == ["Lamps", "a.b/c"]
    (short, odd, none) = in_pieces(
        ["Information retrieval of the north", "Lamps\x01", ""], schema.TITLE_PIECES
    )
    assert (len(short), odd, none) == (21, b"Lamps\x01", "")
    assert names.taken() == [(1, "dblp"), (2, "article"), (3, "Lamp Letters"), (4, "10.5555")]
    assert names.taken() == []


@pytest.mark.parametrize("pieces", [schema.TITLE_PIECES, schema.AUTHOR_PIECES])
@given(texts=st.lists(st.text(st.sampled_from("tioneranglsdChS; .é灯"))))
def test_in_pieces_replaces_one_piece_after_the_other(
    pieces: tuple[str, ...], texts: list[str]
) -> None:
    expected = list(texts)
    for code, piece in zip(schema.PIECE_CODES, pieces, strict=True):
        expected = [text.replace(piece, chr(code)) for text in expected]
    assert in_pieces(texts, pieces) == expected


def test_packed_forgets_names_and_stores_them_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeproof.database.building.packing.MOST_NAMES", 2)
    row = ("k", "dblp", "Lamps", 2001, "Lamp Letters", "article", *[None] * 9)
    names = Names()
    assert len(numbered(names, 1, [row])) == len(numbered(names, 2, [row])) == 1
    assert [name for _, name in names.taken()] == ["dblp", "article", "Lamp Letters"] * 2


@pytest.mark.parametrize("count", [1, 3_000])
def test_records_are_found_by_their_identifiers(tmp_path: Path, count: int) -> None:
    lines = [
        f"Lamp {n},10.5555/{n % (count - 1 or 1)},{f'2302.{n:05}' if n % 2 else ''}"
        for n in range(count)
    ]
    (tmp_path / "works.csv").write_text("title,doi,arxiv_id\n" + "\n".join(lines))
    build([tmp_path / "works.csv"], tmp_path / "a.db")
    with Database.open(tmp_path / "a.db") as database:
        for n in range(count - 1 or 1):
            titles = [record.title for record in database.records_with("doi", f"10.5555/{n}")]
            assert titles == [f"Lamp {n}", *([f"Lamp {count - 1}"] if count > 1 and not n else [])]
        for n in range(count):
            found = database.records_with("arxiv_id", f"2302.{n:05}")
            assert [record.title for record in found] == ([f"Lamp {n}"] if n % 2 else [])
        assert database.records_with("doi", "10.5555/none") == ()
        assert database.records_with("doi", "2302.00001") == ()
