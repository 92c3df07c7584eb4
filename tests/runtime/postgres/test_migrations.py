"""Hosts of two versions work side by side over one store while they are updated one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("psycopg", reason="needs the extra postgres")
from citeproof.errors import DatabaseError
from citeproof.runtime.events import BatchRun, BatchSummary
from citeproof.runtime.jobs import JobDocument, JobHeader, JobState, new_job_id
from citeproof.runtime.postgres.jobs import PostgresJobStore
from citeproof.runtime.postgres.migrations import MIGRATIONS
from citeproof.runtime.postgres.store import PostgresRuntimeStore
from citeproof.runtime.statistics import TABLES

if TYPE_CHECKING:
    from citeproof.runtime.events import Search
    from citeproof.server_address import ServerAddress
    from tests.postgres import Postgres

NEXT = (
    *(f"ALTER TABLE {table} ADD COLUMN of_the_next TEXT NOT NULL DEFAULT ''" for table in (*TABLES, "job_documents")),
    "CREATE TABLE of_the_next (id BIGINT)",
)
"""What a step may do: new tables, and new columns that have a value where nobody gives one."""
LATER = ("CREATE TABLE of_a_later_one (id BIGINT)",)


@pytest.fixture
def address(postgres: Postgres) -> ServerAddress:
    return postgres.schema()


def host(address: ServerAddress, monkeypatch: pytest.MonkeyPatch, *steps: tuple[str, ...]) -> PostgresRuntimeStore:
    """Return the store as a host opens it whose version knows ``steps`` more."""
    monkeypatch.setattr("citeproof.runtime.postgres.store.MIGRATIONS", (*MIGRATIONS, *steps))
    return PostgresRuntimeStore(address)


def test_hosts_of_this_layout_and_the_next_work_side_by_side(
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
    runs = dict(after._store.execute("SELECT id, status FROM batch_runs"))
    assert runs == {"begun before": "running", "b0": "completed", "b1": "completed", "b2": "completed"}
    for store in (before, after, again):
        store.close()


def test_a_job_passes_between_their_workers(address: ServerAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = host(address, monkeypatch), host(address, monkeypatch, NEXT)
    one, other = PostgresJobStore(address), PostgresJobStore(address)
    job_id = new_job_id()
    one.add(job_id, JobDocument(b"x", "x.bib"), 10)
    assert one.take()
    one.begin(job_id, JobHeader(2))
    one.record(job_id, 0, [b"first"], {"VALID": 1})
    one.close()  # its host is updated
    taken = other.take()
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


def test_two_layouts_apart_a_host_is_refused(address: ServerAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    host(address, monkeypatch, NEXT, LATER).close()
    with pytest.raises(DatabaseError, match=f"newer citeproof; this one knows layouts up to {len(MIGRATIONS)}"):
        host(address, monkeypatch)
