"""Migrations of the SQLite file; newer and foreign files are refused and stay unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.store.runtime.engine import APPLICATION_ID, SQLITE, VERSION
from citeproof.store.runtime.jobs import JobStore
from citeproof.store.runtime.store import RuntimeStore
from citeproof.store.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path


def make_older(path: Path, version: int) -> None:
    store = SqliteStore(path)
    for statements in SQLITE[:version]:
        for statement in statements:
            store.execute(statement)
    store.execute(f"PRAGMA user_version = {version}")
    store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    store.execute("INSERT INTO runtime_counters VALUES ('single_search_requests', 7)")
    store.execute(
        "INSERT INTO batch_runs (id, created_at, request_id, status, item_limit, total_input,"
        " max_candidates) VALUES ('old', '2026-01-01T00:00:00.000Z', 'r', 'running', 200, 1, 1)"
    )
    store.close()


def layout(path: Path) -> set[tuple[str, ...]]:
    store = SqliteStore(path)
    tables = [
        row[0] for row in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    ]
    found = {
        (table, *row[1:3])
        for table in tables
        for row in store.execute(f"PRAGMA table_info({table})")
    }
    found |= {
        ("index", row[0])
        for row in store.execute("SELECT name FROM sqlite_schema WHERE type = 'index'")
    }
    store.close()
    return found


@pytest.mark.parametrize("version", range(1, VERSION))
def test_runtime_store_migrates_an_older_store_with_its_contents(
    path: Path, tmp_path: Path, version: int
) -> None:
    make_older(path, version)
    store = RuntimeStore(path)
    assert store.statistics().counters["single_search_requests"] == 7
    store.close()
    fresh = tmp_path / "fresh.db"
    RuntimeStore(fresh).close()
    assert layout(path) == layout(fresh)


def test_runtime_store_interrupts_a_running_batch_of_an_older_store(path: Path) -> None:
    make_older(path, 1)
    RuntimeStore(path).close()
    store = SqliteStore(path)
    assert store.execute("SELECT status FROM batch_runs") == [("interrupted",)]
    store.close()


def test_job_store_reads_a_job_of_the_store_without_unread_lines(path: Path) -> None:
    make_older(path, 3)
    store = SqliteStore(path)
    store.execute(
        "INSERT INTO jobs (id, created_at, state, name, format, pasted, total, taken_for) VALUES"
        " ('old', '2026-01-01T00:00:00.000Z', 'finished', 'refs.txt', '', 1, 2, 'text')"
    )
    store.close()
    RuntimeStore(path).close()
    jobs = JobStore(path)
    job = jobs.job("old")
    assert job
    assert (job.name, job.total, job.unread) == ("refs.txt", 2, "[]")
    jobs.close()


def test_runtime_store_refuses_a_newer_store(path: Path) -> None:
    RuntimeStore(path).close()
    store = SqliteStore(path)
    store.execute(f"PRAGMA user_version = {VERSION + 1}")
    store.close()
    with pytest.raises(DatabaseError, match="newer citeproof"):
        RuntimeStore(path)


def test_runtime_store_refuses_another_database_and_leaves_it_unchanged(path: Path) -> None:
    store = SqliteStore(path)
    store.execute("CREATE TABLE publications (id INTEGER PRIMARY KEY)")
    store.close()
    with pytest.raises(DatabaseError, match="is not a runtime store"):
        RuntimeStore(path)
    store = SqliteStore(path)
    assert store.execute("SELECT name FROM sqlite_schema") == [("publications",)]
    store.close()


@pytest.mark.parametrize("content", [b"not a database at all, but long enough for a header" * 10])
def test_runtime_store_refuses_a_file_that_is_no_database(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(DatabaseError):
        RuntimeStore(path)
    assert path.read_bytes() == content
