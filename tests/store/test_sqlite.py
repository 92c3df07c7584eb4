"""SQLite files opened for reading: threads, replaced files, files that are no database."""

import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.store.sqlite import APPLICATION_ID, ReadOnlyFile

MAPS = Path("/proc/self/maps")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return numbers(tmp_path / "numbers.db", "old")


def numbers(path: Path, name: str) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE numbers (n INTEGER, name TEXT)")
        connection.executemany(
            "INSERT INTO numbers VALUES (?, ?)", [(n, name) for n in range(1000)]
        )
    connection.close()
    return path


def test_rows_of_many_threads_are_complete(path: Path) -> None:
    file = ReadOnlyFile(path)
    with ThreadPoolExecutor(16) as pool:
        sums = list(
            pool.map(
                lambda n: file.rows("SELECT sum(n) FROM numbers WHERE n <> ?", (n,)), range(200)
            )
        )
    assert sums == [[(499_500 - n,)] for n in range(200)]
    file.close()


def test_rows_come_from_the_opened_file_after_it_is_replaced(path: Path, tmp_path: Path) -> None:
    file = ReadOnlyFile(path)
    numbers(tmp_path / "new.db", "new").replace(path)
    start = threading.Barrier(8)

    def read() -> set[str]:
        start.wait(30)
        return {
            name for _ in range(20) for (name,) in file.rows("SELECT DISTINCT name FROM numbers")
        }

    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(read) for _ in range(8)]
        assert [future.result(60) for future in futures] == [{"old"}] * 8
    file.close()
    assert ReadOnlyFile(path).rows("SELECT DISTINCT name FROM numbers") == [("new",)]


@pytest.mark.parametrize(
    "sql", ["DELETE FROM numbers", "CREATE TABLE t (x)", "PRAGMA user_version = 7", "VACUUM"]
)
def test_rows_refuses_statements_that_write(path: Path, sql: str) -> None:
    before = path.read_bytes()
    file = ReadOnlyFile(path)
    with pytest.raises(DatabaseError, match="readonly"):
        file.rows(sql)
    file.close()
    assert path.read_bytes() == before


def test_read_only_file_opens_unusual_names(tmp_path: Path, path: Path) -> None:
    odd = tmp_path / "a b?c#d%20é.db"
    shutil.copy(path, odd)
    assert ReadOnlyFile(odd).rows("SELECT count(*) FROM numbers") == [(1000,)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"<!DOCTYPE html>", "is not an SQLite database"),
        (
            b"SQLite format 3\0" + b"\0" * 50,
            "cannot be read as a database|not an SQLite database|damaged",
        ),
        (
            b"SQLite format 3\0" + b"\xff" * 5000,
            "cannot be read as a database|not an SQLite database|damaged",
        ),
    ],
)
def test_read_only_file_names_a_file_that_is_no_database(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "file.db"
    path.write_bytes(content)
    with pytest.raises(DatabaseError, match=message) as caught:
        ReadOnlyFile(path)
    assert "\n" not in str(caught.value)


def test_read_only_file_names_missing_files_folders_and_closed_files(
    tmp_path: Path, path: Path
) -> None:
    with pytest.raises(DatabaseError, match="no such file"):
        ReadOnlyFile(tmp_path / "missing.db")
    with pytest.raises(DatabaseError, match="is a directory"):
        ReadOnlyFile(tmp_path)
    file = ReadOnlyFile(path)
    file.close()
    with pytest.raises(DatabaseError, match="already closed"):
        file.rows("SELECT 1")


@pytest.mark.skipif(not MAPS.exists(), reason="needs /proc")
def test_rows_of_many_threads_do_not_map_a_file_of_ours(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.close()
    file = ReadOnlyFile(path)
    with ThreadPoolExecutor(16) as pool:
        sums = list(pool.map(lambda _: file.rows("SELECT sum(n) FROM numbers"), range(200)))
    assert sums == [[(499_500,)]] * 200
    assert str(path) not in MAPS.read_text()
