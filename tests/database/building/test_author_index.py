"""The author index: works by the people that are cited for another one."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from citeproof.database import author_index
from citeproof.database.building import key_pairs
from citeproof.database.building.builder import build
from citeproof.database.lookup import Database
from citeproof.text.names import recorded_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

TEAMS = (
    "Ada Alma; Bo Berg; Cy Chen",
    "Ada Alma; Bo Berg",
    "Ada Alma; Cy Chen; Di Dorn; Ed Eng",
    "Bo Berg",
    "Anna Alma; Boris Berg",
    "Wei Wang; Wu Wang",
    "",
)


def dump(path: Path, teams: Sequence[str]) -> Path:
    records = "".join(
        f"<article mdate='2020-01-01' key='journals/t/{number}'>"
        + "".join(f"<author>{name}</author>" for name in team.split("; ") if name)
        + f"<title>Work number {number}.</title><year>2020</year></article>"
        for number, team in enumerate(teams)
    )
    path.write_text(f"<!DOCTYPE dblp SYSTEM 'dblp.dtd'>\n<dblp>{records}</dblp>")
    return path


@pytest.fixture(scope="module")
def teams(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("teams")
    build([dump(folder / "teams.xml", TEAMS)], folder / "teams.db")
    with Database.open(folder / "teams.db") as database:
        yield database


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Alma, Ada", "Berg, Bo"], [1, 0]),
        (["A. Alma", "B. Berg"], [1, 4, 0]),
        (["Chen, C.", "Alma, A.", "Eng, E."], [2, 0]),
        (["Bo Berg", "No Body"], []),
        (["Bo Berg"], [3, 1, 4, 0]),
        (["W. Wang"], [5]),
        (["No Body"], []),
        (["..."], []),
        ([], []),
    ],
)
def test_records_that_share_most_names_and_have_fewest_others_come_first(
    teams: Database, names: list[str], expected: list[int]
) -> None:
    assert [record.key for record in teams.records_by_authors(names, 5)] == [
        f"journals/t/{n}" for n in expected
    ]


def test_the_limit_holds(teams: Database) -> None:
    assert len(teams.records_by_authors(["Alma, A.", "Berg, B."], 2)) == 2


def test_a_name_that_many_records_have_is_not_sought_alone(
    teams: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(author_index, "ONLY_AUTHOR_RECORDS", 2)
    assert teams.records_by_authors(["Berg, Bo"], 5) == ()
    assert teams.records_by_authors(["Dorn, Di"], 5)


def test_the_commonest_names_are_left_out_where_the_rare_ones_suffice(
    teams: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(author_index, "MOST_RECORDS", 0)
    found = teams.records_by_authors(["Alma, Ada", "Dorn, Di", "Eng, Ed"], 5)
    assert [record.key for record in found] == ["journals/t/2"]


def contents(path: Path) -> dict[int, bytes]:
    with sqlite3.connect(path) as connection:
        rows = dict(connection.execute("SELECT name_key, records FROM author_index"))
    connection.close()
    return rows


def test_every_name_leads_to_its_records_in_rising_order(teams: Database) -> None:
    rows = contents(teams.path)
    assert rows[recorded_key("Ada Alma")] == b"".join(n.to_bytes(4, "little") for n in (1, 2, 3, 5))
    assert rows[recorded_key("Wei Wang")] == (6).to_bytes(4, "little"), (
        "one record, though two of its authors"
    )
    assert len(rows) == len(
        {recorded_key(name) for team in TEAMS for name in team.split("; ") if name}
    )


def test_pieces_on_disk_make_the_same_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [f"Person Number{number % 97}; Other Name{number % 7}" for number in range(1_200)]
    build([dump(tmp_path / "many.xml", many)], tmp_path / "whole.db")
    monkeypatch.setattr(key_pairs, "_PIECE", 500)
    build([tmp_path / "many.xml"], tmp_path / "pieces.db")
    whole = contents(tmp_path / "whole.db")
    assert len(whole) == 104
    assert contents(tmp_path / "pieces.db") == whole


def test_databases_without_the_index_have_no_answer(tmp_path: Path, teams: Database) -> None:
    foreign, older = tmp_path / "foreign.db", tmp_path / "older.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute(
            "CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT, authors TEXT)"
        )
        connection.execute("INSERT INTO publications VALUES (1, 'Work', 'Ada Alma; Bo Berg')")
    connection.close()
    older.write_bytes(teams.path.read_bytes())
    with sqlite3.connect(older) as connection:
        connection.execute("DROP TABLE author_index")
    connection.close()
    for path in (foreign, older):
        with Database.open(path) as database:
            assert database.records_by_authors(["Ada Alma", "Bo Berg"], 5) == ()
