"""Several hosts that share a PostgreSQL server: exact counters, lost connections, killed hosts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("psycopg", reason="needs the extra postgres")
from citeproof.model.errors import StoreBusyError
from citeproof.store.postgres import PostgresStore
from citeproof.store.runtime.jobs import JobDocument, JobGoneError, JobStore, new_job_id
from citeproof.store.runtime.store import BatchRun, RuntimeStore
from citeproof.store.sql import CommitUnknownError
from tests.postgres import cutting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.store.runtime.store import Search
    from citeproof.store.sql import ServerAddress
    from tests.postgres import Postgres

JOB = new_job_id()
HOST = """
import sys
from citeproof.store.runtime.jobs import JobStore
from citeproof.store.runtime.store import RuntimeStore
from citeproof.store.runtime.store import BatchRun, Search
from citeproof.store.sql import ServerAddress
address, take = ServerAddress(sys.argv[1]), sys.argv[2]
store = RuntimeStore(address)
store.start_run(BatchRun(take, "r", 200, 5, 1)).result(30)
if take == "takes":
    jobs = JobStore(address)
    job_id, _ = jobs.take()
    jobs.record(job_id, 0, [b"one"], {"VALID": 1})
for number in range(100_000):
    waiting = [store.record_single(f"{take}-{number}-{part}", 1, Search("A title")) for part in
    range(5)]
    for part, event in enumerate(waiting):
        event.result(30)
        print(f"{take}-{number}-{part}", flush=True)
"""


@pytest.fixture
def address(postgres: Postgres) -> ServerAddress:
    return postgres.schema()


def test_runtime_store_after_killed_hosts_has_all_acknowledged_records(
    address: ServerAddress,
) -> None:
    first = RuntimeStore(address)
    jobs = JobStore(address)
    job_id = new_job_id()
    jobs.add(job_id, JobDocument(b"@misc{a}", "a.bib"), 10)
    hosts = [
        subprocess.Popen(
            [sys.executable, "-c", HOST, address.url, take], stdout=subprocess.PIPE, text=True
        )
        for take in ("takes", "other")
    ]
    said = [[host.stdout.readline().strip() for _ in range(100)] for host in hosts if host.stdout]
    for host in hosts:
        os.kill(host.pid, signal.SIGKILL)
    acknowledged = [
        line for host, lines in zip(hosts, said, strict=True) for line in (*lines, *_rest(host))
    ]
    assert len(acknowledged) >= 200
    again = RuntimeStore(address)
    kept = {
        row[0] for row in again._engine.store.execute("SELECT request_id FROM single_search_events")
    }
    assert set(acknowledged) - kept == set()
    assert again.statistics().counters["single_search_requests"] == len(kept)
    statuses = again._engine.store.execute(
        "SELECT id, status, error_message FROM batch_runs ORDER BY id"
    )
    gone = "the server process ended before the batch did"
    assert statuses == [("other", "interrupted", gone), ("takes", "interrupted", gone)]
    assert jobs.take() == (job_id, JobDocument(b"@misc{a}", "a.bib"))
    taken = jobs.job(job_id)
    assert taken
    assert (taken.attempts, jobs.verdicts(job_id)) == (2, [b"one"])
    for store in (first, again, jobs):
        store.close()


def _rest(host: subprocess.Popen[str]) -> list[str]:
    """Return the complete lines that a host wrote before it was killed."""
    text = host.communicate()[0]
    return [line for line in text.split("\n")[:-1] if line]


def test_runtime_store_keeps_the_running_batch_of_a_live_host(address: ServerAddress) -> None:
    living = RuntimeStore(address)
    living.start_run(BatchRun("living", "r", 200, 1, 1)).result(5)
    RuntimeStore(address).close()
    assert living._engine.store.execute("SELECT status FROM batch_runs") == [("running",)]
    living.close()


def test_record_single_fails_after_its_time_out_for_the_lock(
    address: ServerAddress, hit: Search
) -> None:
    store = RuntimeStore(address, lock_wait=0.1)
    locker = PostgresStore(address)
    with locker.writing():
        late = store.record_single("late", 1, hit)
        store.record_single("owed", 1, hit, has_deadline=False)
        with pytest.raises(StoreBusyError):
            late.result(10)
    store.record_single("next", 1, hit).result(10)
    kept = store._engine.store.execute("SELECT request_id FROM single_search_events ORDER BY id")
    assert sorted(kept) == [("next",), ("owed",)]
    store.close()
    locker.close()


def test_record_single_waits_for_a_locked_table(address: ServerAddress, hit: Search) -> None:
    store = RuntimeStore(address)
    locker = PostgresStore(address)
    with locker.transaction():
        locker.execute("LOCK TABLE runtime_counters IN EXCLUSIVE MODE")
        event = store.record_single("r", 1, hit)
        assert store.statistics().counters["single_search_requests"] == 0
    event.result(10)
    assert store.statistics().counters["single_search_requests"] == 1
    store.close()
    locker.close()


@pytest.mark.parametrize("cut", ["before", "after"])
def test_record_single_counts_once_if_the_connection_is_lost_at_a_commit(
    postgres: Postgres, address: ServerAddress, hit: Search, cut: str
) -> None:
    with cutting(postgres, address) as (by_wire, wire):
        store = RuntimeStore(by_wire)
        store.record_single("r-0", 1, hit).result(10)
        wire.cut = cut
        events = [store.record_single(f"r-{number}", 1, hit) for number in range(1, 50)]
        for event in events:
            event.result(10)
        assert wire.was_cut.is_set()
        recorded = [
            row[0]
            for row in store._engine.store.execute("SELECT request_id FROM single_search_events")
        ]
        assert sorted(recorded) == sorted(f"r-{number}" for number in range(50))
        assert store.statistics().counters["single_search_requests"] == 50
        store.close()


def test_record_single_is_not_repeated_if_its_commit_is_unknown(
    postgres: Postgres, address: ServerAddress, hit: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.store.postgres._LOST_AFTER_SECONDS", 0.1)
    with cutting(postgres, address) as (by_wire, wire):
        store = RuntimeStore(by_wire)
        wire.cut = "for good"
        with pytest.raises(CommitUnknownError):
            store.record_single("r", 1, hit).result(10)
        wire.cut = ""
        store.record_single("next", 1, hit).result(30)
        assert store.statistics().counters["single_search_requests"] == 2
        store.close()


def test_finish_and_delete_remove_the_document_from_the_table(address: ServerAddress) -> None:
    store, jobs = RuntimeStore(address), JobStore(address)
    ended, deleted = new_job_id(), new_job_id()
    for job_id in (ended, deleted):
        jobs.add(job_id, JobDocument(b"secret"), 10)
    jobs.take()
    jobs.finish(ended, 1.0)
    jobs.delete(deleted)
    assert store._engine.store.execute("SELECT count(*) FROM job_documents") == [(0,)]
    jobs.close()
    store.close()


def test_take_on_several_hosts_returns_each_job_once(address: ServerAddress) -> None:
    store = RuntimeStore(address)
    workers = [JobStore(address) for _ in range(3)]
    wanted = {new_job_id() for _ in range(12)}
    for job_id in wanted:
        workers[0].add(job_id, JobDocument(b"x"), 100)

    with ThreadPoolExecutor(3) as pool:
        taken = [
            job[0]
            for jobs in pool.map(lambda w: [w.take() for _ in range(6)], workers)
            for job in jobs
            if job
        ]
    assert (len(taken), set(taken)) == (12, wanted)
    for worker in workers:
        worker.close()
    store.close()


@pytest.fixture
def two_workers(address: ServerAddress) -> Iterator[tuple[JobStore, JobStore]]:
    """Return a worker that has taken the job ``JOB``, and another worker."""
    store = RuntimeStore(address)
    one, other = JobStore(address), JobStore(address)
    other.add(JOB, JobDocument(b"x"), 10)
    assert one.take()
    yield one, other
    for opened in (one, other, store):
        opened.close()


def test_take_leaves_a_job_ended_that_ends_during_recovery(
    two_workers: tuple[JobStore, JobStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two_workers

    def ends(owner: str) -> bool:
        one.finish(JOB, 1.0)
        return False

    monkeypatch.setattr(other._engine, "is_alive", ends)
    assert other.take() is None
    job = other.job(JOB)
    assert job
    assert (job.state, job.attempts) == ("finished", 1)


def test_delete_removes_verdicts_that_are_recorded_meanwhile(
    two_workers: tuple[JobStore, JobStore], address: ServerAddress
) -> None:
    one, other = two_workers
    looking = PostgresStore(address)
    with ThreadPoolExecutor(1) as pool:
        with one._store.transaction():
            one.record(JOB, 0, [b"one"], {"VALID": 1})
            deleted = pool.submit(other.delete, JOB)
            while not looking.execute(
                "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            ):
                assert not deleted.done()
        assert deleted.result(10)
    with pytest.raises(JobGoneError):
        one.record(JOB, 1, [b"two"], {"VALID": 2})
    assert other.verdicts(JOB) == []
    looking.close()
