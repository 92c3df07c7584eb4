"""Older stores are brought up to date, newer and foreign files are refused and left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.errors import DatabaseError
from citeproof.runtime.sqlite.migrations import APPLICATION_ID, MIGRATIONS, VERSION
from citeproof.runtime.sqlite.store import SqliteRuntimeStore
from citeproof.storage.store import Store

if TYPE_CHECKING:
    from pathlib import Path


def make_older(path: Path, version: int) -> None:
    store = Store(path)
    for statements in MIGRATIONS[:version]:
        for statement in statements:
            store.execute(statement)
    store.execute(f"PRAGMA user_version = {version}")
    store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    store.execute("INSERT INTO runtime_counters VALUES ('single_search_requests', 7)")
    store.execute(
        "INSERT INTO batch_runs (id, created_at, request_id, status, item_limit, total_input, max_candidates) "
        "VALUES ('old', '2026-01-01T00:00:00.000Z', 'r', 'running', 200, 1, 1)"
    )
    store.close()


def layout(path: Path) -> set[tuple[str, ...]]:
    store = Store(path)
    tables = [row[0] for row in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    found = {(table, *row[1:3]) for table in tables for row in store.execute(f"PRAGMA table_info({table})")}
    found |= {("index", row[0]) for row in store.execute("SELECT name FROM sqlite_schema WHERE type = 'index'")}
    store.close()
    return found


@pytest.mark.parametrize("version", range(1, VERSION))
def test_an_older_store_is_migrated_with_its_contents(path: Path, tmp_path: Path, version: int) -> None:
    make_older(path, version)
    store = SqliteRuntimeStore(path)
    assert store.statistics().counters["single_search_requests"] == 7
    store.close()
    fresh = tmp_path / "fresh.db"
    SqliteRuntimeStore(fresh).close()
    assert layout(path) == layout(fresh)


def test_a_run_of_an_older_store_does_not_stay_running(path: Path) -> None:
    make_older(path, 1)
    SqliteRuntimeStore(path).close()
    store = Store(path)
    assert store.execute("SELECT status FROM batch_runs") == [("interrupted",)]
    store.close()


def test_a_newer_store_is_refused(path: Path) -> None:
    SqliteRuntimeStore(path).close()
    store = Store(path)
    store.execute(f"PRAGMA user_version = {VERSION + 1}")
    store.close()
    with pytest.raises(DatabaseError, match="newer citeproof"):
        SqliteRuntimeStore(path)


def test_a_database_of_something_else_is_refused(path: Path) -> None:
    store = Store(path)
    store.execute("CREATE TABLE publications (id INTEGER PRIMARY KEY)")
    store.close()
    with pytest.raises(DatabaseError, match="is not a runtime store"):
        SqliteRuntimeStore(path)
    store = Store(path)
    assert store.execute("SELECT name FROM sqlite_schema") == [("publications",)]
    store.close()


@pytest.mark.parametrize("content", [b"not a database at all, but long enough for a header" * 10])
def test_a_file_that_is_no_database_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(DatabaseError):
        SqliteRuntimeStore(path)
    assert path.read_bytes() == content
