"""The file of the cache: older ones are brought up to date, files of anything else stay as they are."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from citeproof.cache import Remembered
from citeproof.cache.sqlite.answers import SqliteAnswerCache
from citeproof.cache.sqlite.file import APPLICATION_ID, open_cache_file
from citeproof.cache.sqlite.verified import SqliteVerificationCache
from citeproof.errors import DatabaseError, Exit
from citeproof.models import Record
from tests.cache.conftest import valid

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cache.conftest import Clock


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT title, authors, year FROM scholar_results").fetchall()


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_cache_of_an_older_layout_gains_what_it_lacks(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE scholar_results (id INTEGER PRIMARY KEY, title, authors, year, created_at)")
        connection.execute("INSERT INTO scholar_results VALUES (1, 'Old Work', 'A. Author', '1999', '2020-01-01')")
    cache = SqliteVerificationCache(path, clock)
    record = Record(key="", title="Old Work", authors=("A. Author",), year=1999)
    assert cache.find("Old Work") == (Remembered(record, "", "2020-01-01"),)
    cache.remember(valid("New Work"))
    assert cache.find("New Work")


def test_what_an_older_cache_holds_twice_is_kept_once(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE scholar_results (title, authors, year, created_at)")
        twice = [("Work", None, None, "2020-01-01"), ("Work", "A. Author", 1999, "2021-01-01")] * 2
        connection.executemany("INSERT INTO scholar_results VALUES (?, ?, ?, ?)", [*twice, ("Other", None, None, "")])
    connection.close()
    cache = SqliteVerificationCache(path, clock)
    assert cache.find("Work") == (
        Remembered(Record(key="", title="Work", authors=("A. Author",), year=1999), "", "2021-01-01"),
        Remembered(Record(key="", title="Work"), "", "2020-01-01"),
    )
    cache.close()
    assert sorted(map(repr, rows(path))) == sorted(
        map(repr, [("Work", None, None), ("Work", "A. Author", 1999), ("Other", None, None)])
    )


def test_the_file_has_both_tables_from_the_first_run_on(tmp_path: Path, clock: Clock) -> None:
    SqliteVerificationCache(tmp_path / "new.db", clock).close()
    with sqlite3.connect(tmp_path / "new.db") as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    assert {"scholar_results", "search_results"} <= {name for (name,) in tables}


def test_a_file_that_is_no_database_is_named(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("this is not a database " * 100)
    with pytest.raises(DatabaseError, match=r"notes\.txt"):
        SqliteVerificationCache(path, clock)


def test_a_verdict_does_not_depend_on_being_remembered(tmp_path: Path, clock: Clock) -> None:
    cache = SqliteVerificationCache(tmp_path / "verified.db", clock)
    with sqlite3.connect(tmp_path / "verified.db") as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON scholar_results BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    cache.remember(valid("A title"))
    assert "disk full" in cache.trouble
    assert cache.find("A title") == ()


FOREIGN = {
    "a bibliographic database": ["PRAGMA application_id = 0x63697465", "CREATE TABLE publications (title)"],
    "a runtime store": ["PRAGMA application_id = 0x63697470"],
    "a database of something else": ["CREATE TABLE publications (title)"],
    "one with a table of that name": ["CREATE TABLE scholar_results (title)", "CREATE TABLE publications (title)"],
    "one with a write-ahead log": ["PRAGMA journal_mode = wal", "CREATE TABLE publications (title)"],
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
def test_an_sqlite_file_that_is_no_cache_is_refused_and_stays_untouched(
    tmp_path: Path, clock: Clock, statements: list[str]
) -> None:
    path = tmp_path / "c.db"
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    before = files(tmp_path)
    with pytest.raises(DatabaseError, match=r"c\.db: is not a verification cache; name another file") as refused:
        SqliteVerificationCache(path, clock)
    assert refused.value.exit_code is Exit.USAGE
    with pytest.raises(DatabaseError, match="is not a verification cache"):
        SqliteAnswerCache(path, clock, timedelta(days=1))
    assert files(tmp_path) == before


@pytest.mark.parametrize("table", ["scholar_results (title, authors, year, created_at)", "search_results (source)"])
def test_an_older_cache_is_known_by_its_tables_and_marked(tmp_path: Path, table: str) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE {table}")
        connection.commit()
    open_cache_file(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_a_cache_that_is_up_to_date_is_opened_while_another_run_writes(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    writer = open_cache_file(path)
    with writer.writing():
        open_cache_file(path).close()
    writer.close()
