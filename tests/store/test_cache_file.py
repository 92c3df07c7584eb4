"""The file of the cache: migrations, and files that are not a cache."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import DatabaseError, Exit
from citeproof.model.record import Record
from citeproof.store.cache import (
    APPLICATION_ID,
    AnswerCache,
    Remembered,
    VerificationCache,
    open_cache_file,
)
from tests.store.conftest import valid

if TYPE_CHECKING:
    from pathlib import Path

    from tests.store.conftest import Clock


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT title, authors, year FROM scholar_results").fetchall()


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_open_cache_file_adds_missing_columns(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TABLE scholar_results (id INTEGER PRIMARY KEY, title, authors, year,"
            " created_at)"
        )
        connection.execute(
            "INSERT INTO scholar_results VALUES (1, 'Old Work', 'A. Author', '1999', '2020-01-01')"
        )
    cache = VerificationCache(path, clock)
    record = Record(key="", title="Old Work", authors=("A. Author",), year=1999)
    assert cache.find("Old Work") == (Remembered(record, "", "2020-01-01"),)
    cache.remember(valid("New Work"))
    assert cache.find("New Work")


def test_open_cache_file_deletes_duplicates_of_an_older_cache(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE scholar_results (title, authors, year, created_at)")
        twice = [("Work", None, None, "2020-01-01"), ("Work", "A. Author", 1999, "2021-01-01")] * 2
        connection.executemany(
            "INSERT INTO scholar_results VALUES (?, ?, ?, ?)", [*twice, ("Other", None, None, "")]
        )
    connection.close()
    cache = VerificationCache(path, clock)
    assert cache.find("Work") == (
        Remembered(
            Record(key="", title="Work", authors=("A. Author",), year=1999), "", "2021-01-01"
        ),
        Remembered(Record(key="", title="Work"), "", "2020-01-01"),
    )
    cache.close()
    assert sorted(map(repr, rows(path))) == sorted(
        map(repr, [("Work", None, None), ("Work", "A. Author", 1999), ("Other", None, None)])
    )


def test_open_cache_file_creates_both_tables(tmp_path: Path, clock: Clock) -> None:
    VerificationCache(tmp_path / "new.db", clock).close()
    with sqlite3.connect(tmp_path / "new.db") as connection:
        tables = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table'"
        ).fetchall()
    assert {"scholar_results", "search_results"} <= {name for (name,) in tables}


def test_verification_cache_names_a_file_that_is_no_database(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("this is not a database " * 100)
    with pytest.raises(DatabaseError, match=r"notes\.txt"):
        VerificationCache(path, clock)


def test_remember_of_a_cached_work_changes_no_verdict(tmp_path: Path, clock: Clock) -> None:
    cache = VerificationCache(tmp_path / "verified.db", clock)
    with sqlite3.connect(tmp_path / "verified.db") as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON scholar_results BEGIN SELECT RAISE(ABORT, 'disk"
            " full'); END"
        )
    cache.remember(valid("A title"))
    assert "disk full" in cache.trouble
    assert cache.find("A title") == ()


FOREIGN = {
    "a bibliographic database": [
        "PRAGMA application_id = 0x63697465",
        "CREATE TABLE publications (title)",
    ],
    "a runtime store": ["PRAGMA application_id = 0x63697470"],
    "a database of something else": ["CREATE TABLE publications (title)"],
    "one with a table of that name": [
        "CREATE TABLE scholar_results (title)",
        "CREATE TABLE publications (title)",
    ],
    "one with a write-ahead log": [
        "PRAGMA journal_mode = wal",
        "CREATE TABLE publications (title)",
    ],
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
def test_open_cache_file_refuses_another_database_and_leaves_it_unchanged(
    tmp_path: Path, clock: Clock, statements: list[str]
) -> None:
    path = tmp_path / "c.db"
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    before = files(tmp_path)
    with pytest.raises(
        DatabaseError, match=r"c\.db: is not a verification cache; name another file"
    ) as refused:
        VerificationCache(path, clock)
    assert refused.value.exit_code is Exit.USAGE
    with pytest.raises(DatabaseError, match="is not a verification cache"):
        AnswerCache(path, clock, timedelta(days=1))
    assert files(tmp_path) == before


@pytest.mark.parametrize(
    "table", ["scholar_results (title, authors, year, created_at)", "search_results (source)"]
)
def test_open_cache_file_recognizes_an_older_cache_by_its_tables(
    tmp_path: Path, table: str
) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE {table}")
        connection.commit()
    open_cache_file(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_open_cache_file_needs_no_lock_for_the_newest_layout(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    writer = open_cache_file(path)
    with writer.writing():
        open_cache_file(path).close()
    writer.close()
