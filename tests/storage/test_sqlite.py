"""Opening files for reading: many threads, replaced files, files that are no database."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from citeproof.errors import DatabaseError
from citeproof.storage.sqlite import ReadOnlyFile

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return numbers(tmp_path / "numbers.db", "old")


def numbers(path: Path, name: str) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE numbers (n INTEGER, name TEXT)")
        connection.executemany("INSERT INTO numbers VALUES (?, ?)", [(n, name) for n in range(1000)])
    connection.close()
    return path


def test_many_threads_read_at_once(path: Path) -> None:
    file = ReadOnlyFile(path)
    with ThreadPoolExecutor(16) as pool:
        sums = list(pool.map(lambda n: file.rows("SELECT sum(n) FROM numbers WHERE n <> ?", (n,)), range(200)))
    assert sums == [[(499_500 - n,)] for n in range(200)]
    file.close()


def test_when_the_file_is_replaced_all_threads_still_read_the_one_they_opened(path: Path, tmp_path: Path) -> None:
    file = ReadOnlyFile(path)
    numbers(tmp_path / "new.db", "new").replace(path)
    start = threading.Barrier(8)

    def read() -> set[str]:
        start.wait(30)
        return {name for _ in range(20) for (name,) in file.rows("SELECT DISTINCT name FROM numbers")}

    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(read) for _ in range(8)]
        assert [future.result(60) for future in futures] == [{"old"}] * 8
    file.close()
    assert ReadOnlyFile(path).rows("SELECT DISTINCT name FROM numbers") == [("new",)]


@pytest.mark.parametrize("sql", ["DELETE FROM numbers", "CREATE TABLE t (x)", "PRAGMA user_version = 7", "VACUUM"])
def test_nothing_can_be_written(path: Path, sql: str) -> None:
    before = path.read_bytes()
    file = ReadOnlyFile(path)
    with pytest.raises(DatabaseError, match="readonly"):
        file.rows(sql)
    file.close()
    assert path.read_bytes() == before


def test_odd_names_are_opened(tmp_path: Path, path: Path) -> None:
    odd = tmp_path / "a b?c#d%20é.db"
    shutil.copy(path, odd)
    assert ReadOnlyFile(odd).rows("SELECT count(*) FROM numbers") == [(1000,)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"<!DOCTYPE html>", "is not an SQLite database"),
        (b"SQLite format 3\0" + b"\0" * 50, "cannot be read as a database|not an SQLite database|damaged"),
        (b"SQLite format 3\0" + b"\xff" * 5000, "cannot be read as a database|not an SQLite database|damaged"),
    ],
)
def test_what_is_no_database_is_named_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "file.db"
    path.write_bytes(content)
    with pytest.raises(DatabaseError, match=message) as caught:
        ReadOnlyFile(path)
    assert "\n" not in str(caught.value)


def test_missing_files_folders_and_closed_files_are_named(tmp_path: Path, path: Path) -> None:
    with pytest.raises(DatabaseError, match="no such file"):
        ReadOnlyFile(tmp_path / "missing.db")
    with pytest.raises(DatabaseError, match="is a directory"):
        ReadOnlyFile(tmp_path)
    file = ReadOnlyFile(path)
    file.close()
    with pytest.raises(DatabaseError, match="already closed"):
        file.rows("SELECT 1")
