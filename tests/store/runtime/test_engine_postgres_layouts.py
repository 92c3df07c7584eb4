"""Hosts of two versions that share a store while they are updated one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("psycopg", reason="needs the extra postgres")
from citeproof.model.errors import DatabaseError
from citeproof.store.runtime.engine import POSTGRES
from citeproof.store.runtime.jobs import JobDocument, JobState, JobStore, new_job_id
from citeproof.store.runtime.store import TABLES, BatchRun, BatchSummary, RuntimeStore

if TYPE_CHECKING:
    from citeproof.store.runtime.store import Search
    from citeproof.store.sql import ServerAddress
    from tests.postgres import Postgres

NEXT = (
    *(
        f"ALTER TABLE {table} ADD COLUMN of_the_next TEXT NOT NULL DEFAULT ''"
        for table in (*TABLES, "job_documents")
    ),
    "CREATE TABLE of_the_next (id BIGINT)",
)
"""A migration as it is allowed: new tables, and new columns with a default."""
LATER = ("CREATE TABLE of_a_later_one (id BIGINT)",)


@pytest.fixture
def address(postgres: Postgres) -> ServerAddress:
    return postgres.schema()


def host(
    address: ServerAddress, monkeypatch: pytest.MonkeyPatch, *steps: tuple[str, ...]
) -> RuntimeStore:
    """Open the store as a host with additional migrations."""
    monkeypatch.setattr("citeproof.store.runtime.engine.POSTGRES", (*POSTGRES, *steps))
    return RuntimeStore(address)


def test_runtime_store_works_beside_hosts_of_the_next_layout(
    address: ServerAddress, hit: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = host(address, monkeypatch)
    before.start_run(BatchRun("begun before", "r", 200, 1, 1)).result(10)
    after = host(address, monkeypatch, NEXT)
    again = host(address, monkeypatch)  # one of this layout starts after the update
    for number, store in enumerate((before, after, again)):
        store.record_single(f"r{number}", 1, hit).result(10)
        store.start_run(BatchRun(f"b{number}", "r", 200, 1, 1)).result(10)
        store.record_item(f"b{number}", 0, hit).result(10)
        store.complete_run(f"b{number}", BatchSummary(1, 1)).result(10)
    counters = before.statistics().counters
    assert (counters["single_search_requests"], counters["batch_search_requests"]) == (3, 3)
    runs = dict(after._engine.store.execute("SELECT id, status FROM batch_runs"))
    assert runs == {
        "begun before": "running",
        "b0": "completed",
        "b1": "completed",
        "b2": "completed",
    }
    for store in (before, after, again):
        store.close()


def test_take_continues_a_job_of_a_host_of_the_other_layout(
    address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = host(address, monkeypatch), host(address, monkeypatch, NEXT)
    one, other = JobStore(address), JobStore(address)
    job_id = new_job_id()
    one.add(job_id, JobDocument(b"x", "x.bib"), 10)
    assert one.take()
    one.begin(job_id, 2)
    one.record(job_id, 0, [b"first"], {"VALID": 1})
    one.close()  # its host is updated
    assert other.take()
    taken = other.job(job_id)
    assert taken
    assert (taken.attempts, taken.done) == (2, 1)
    other.record(job_id, 1, [b"second"], {"VALID": 2})
    other.finish(job_id, 1.0)
    job = other.job(job_id)
    assert job
    assert (job.state, job.done) == (JobState.FINISHED, 2)
    assert other.verdicts(job_id) == [b"first", b"second"]
    for store in (other, before, after):
        store.close()


def test_take_continues_a_job_of_the_layout_without_unread_lines(
    address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.store.runtime.engine.POSTGRES", POSTGRES[:1])
    RuntimeStore(address).close()
    jobs = JobStore(address)
    jobs._store.execute(
        "INSERT INTO jobs (id, created_at, state, name, format, pasted) VALUES"
        " ('old', '2026-01-01T00:00:00.000Z', 'waiting', 'refs.txt', '', true)"
    )
    jobs._store.execute("INSERT INTO job_documents VALUES ('old', ?)", (b"text",))
    jobs.close()
    store, jobs = host(address, monkeypatch), JobStore(address)
    assert jobs.take() == ("old", JobDocument(b"text", "refs.txt", pasted=True))
    jobs.begin("old", 1, "text", unread='[{"line":2}]')
    job = jobs.job("old")
    assert job
    assert job.unread == '[{"line":2}]'
    jobs.close()
    store.close()


def test_runtime_store_refuses_a_host_two_layouts_older(
    address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    host(address, monkeypatch, NEXT, LATER).close()
    with pytest.raises(
        DatabaseError, match=f"newer citeproof; this one knows layouts up to {len(POSTGRES)}"
    ):
        host(address, monkeypatch)
