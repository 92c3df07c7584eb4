from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from citeproof.database.building.builder import build
from citeproof.database.coverage import NO_COVERAGE
from citeproof.database.opened import OpenedDatabase
from citeproof.model.errors import DatabaseError
from tests.database.conftest import DATA, DUMP, many_records


@pytest.fixture
def copied(small_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(small_path, tmp_path / "copy.db"))


def change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(sql)


def test_open_refuses_what_is_no_bibliographic_database(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    for name in ("missing.db", "thesis.txt"):
        with pytest.raises(DatabaseError, match=name):
            OpenedDatabase.open(tmp_path / name)


def test_describe_states_records_indexes_and_sources(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    build([DUMP, DATA / "library.bib"], path)
    with OpenedDatabase.open(path) as database:
        described = database.describe()
    assert (described["path"], described["records"]) == (str(path), 6)
    assert described["indexes"] == ["word_index"]
    assert [
        (source["name"], source["file"], source["records"], source["dump_date"])
        for source in described["sources"]
    ] == [("dblp", "small.xml", 4, "2024-02-29"), ("library.bib", "library.bib", 2, None)]
    assert described["schema_version"].isdecimal()


def test_describe_counts_the_records_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    change(
        path,
        "CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT, authors TEXT, year INT);"
        "INSERT INTO publications VALUES (1, 'On sheep', 'Ann Alma', 2019), (2, 'On goats', '', 1)",
    )
    with OpenedDatabase.open(path) as database:
        assert database.describe() == {"path": str(path), "indexes": [], "records": 2}
        assert database.coverage == NO_COVERAGE
        assert list(database.titles()) == [(1, "On sheep"), (2, "On goats")]
        assert database.damage == ""


def test_damage_names_records_that_are_missing(copied: Path) -> None:
    with OpenedDatabase.open(copied) as database:
        assert database.damage == ""
    change(copied, "DELETE FROM records WHERE id = 2")
    with OpenedDatabase.open(copied) as database:
        assert "is damaged: 3 of 4 records can be read; build it again" in database.damage
        assert database.damage in database.warnings[0]
        with pytest.raises(DatabaseError, match="3 of 4 records"):
            database.titles()


def test_warnings_advise_an_index_if_nothing_is_damaged(copied: Path) -> None:
    with OpenedDatabase.open(copied) as database:
        (warning,) = database.warnings
    assert f"`citeproof db index {copied}` builds it" in warning


def test_records_come_in_the_order_asked_for_without_unknown_ids(copied: Path) -> None:
    with OpenedDatabase.open(copied) as database:
        titles = dict(database.titles())
        assert [record.title for record in database.records([3, 99, 1])] == [titles[3], titles[1]]
        assert database.titles_by_id([2, 99]) == {2: titles[2]}


def test_records_with_takes_either_identifier(copied: Path) -> None:
    with OpenedDatabase.open(copied) as database:
        records = database.records([1, 2, 3, 4])
        doi = next(record for record in records if record.doi)
        assert doi in database.records_with("doi", doi.doi)
        assert database.records_with("arxiv_id", doi.doi) == ()
        assert database.records_with("doi", "") == ()


def test_rows_reads_every_record_once_whatever_the_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build([many_records(tmp_path / "many.xml", 25)], tmp_path / "many.db")
    monkeypatch.setattr("citeproof.database.opened._PAGE_ROWS", 10)
    with OpenedDatabase.open(tmp_path / "many.db") as database:
        ids = [record_id for record_id, _ in database.titles()]
    assert ids == list(range(1, 26))
