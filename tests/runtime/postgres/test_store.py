"""What is particular to several hosts over one server: counters that stay exact, and a host that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("psycopg", reason="needs the extra postgres")
from citeproof.errors import StoreBusyError
from citeproof.runtime.events import BatchRun
from citeproof.runtime.jobs import JobDocument, JobGoneError, new_job_id
from citeproof.runtime.postgres.jobs import PostgresJobStore
from citeproof.runtime.postgres.store import PostgresRuntimeStore
from citeproof.storage.postgres import PostgresStore
from citeproof.storage.sql import CommitUnknownError
from tests.postgres import cutting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.runtime.events import Search
    from citeproof.server_address import ServerAddress
    from tests.postgres import Postgres

JOB = new_job_id()
HOST = """
import sys
from citeproof.runtime.events import BatchRun, Search
from citeproof.runtime.postgres.jobs import PostgresJobStore
from citeproof.runtime.postgres.store import PostgresRuntimeStore
from citeproof.server_address import ServerAddress
address, take = ServerAddress(sys.argv[1]), sys.argv[2]
store = PostgresRuntimeStore(address)
store.start_run(BatchRun(take, "r", 200, 5, 1)).result(30)
if take == "takes":
    jobs = PostgresJobStore(address)
    job = jobs.take()
    jobs.record(job.job_id, 0, [b"one"], {"VALID": 1})
for number in range(100_000):
    waiting = [store.record_single(f"{take}-{number}-{part}", 1, Search("A title")) for part in range(5)]
    for part, event in enumerate(waiting):
        event.result(30)
        print(f"{take}-{number}-{part}", flush=True)
"""


@pytest.fixture
def address(postgres: Postgres) -> ServerAddress:
    return postgres.schema()


def test_hosts_that_are_killed_lose_nothing_acknowledged_and_their_work_goes_on(address: ServerAddress) -> None:
    first = PostgresRuntimeStore(address)
    jobs = PostgresJobStore(address)
    job_id = new_job_id()
    jobs.add(job_id, JobDocument(b"@misc{a}", "a.bib"), 10)
    hosts = [
        subprocess.Popen([sys.executable, "-c", HOST, address.url, take], stdout=subprocess.PIPE, text=True)
        for take in ("takes", "other")
    ]
    said = [[host.stdout.readline().strip() for _ in range(100)] for host in hosts if host.stdout]
    for host in hosts:
        os.kill(host.pid, signal.SIGKILL)
    acknowledged = [line for host, lines in zip(hosts, said, strict=True) for line in (*lines, *_rest(host))]
    assert len(acknowledged) >= 200
    again = PostgresRuntimeStore(address)
    kept = {row[0] for row in again._store.execute("SELECT request_id FROM single_search_events")}
    assert set(acknowledged) - kept == set()
    assert again.statistics().counters["single_search_requests"] == len(kept)
    statuses = again._store.execute("SELECT id, status, error_message FROM batch_runs ORDER BY id")
    gone = "the server process ended before the batch did"
    assert statuses == [("other", "interrupted", gone), ("takes", "interrupted", gone)]
    taken = jobs.take()
    assert taken
    assert (taken.job_id, taken.document.data, taken.attempts, taken.done) == (job_id, b"@misc{a}", 2, 1)
    for store in (first, again, jobs):
        store.close()


def _rest(host: subprocess.Popen[str]) -> list[str]:
    """Return the whole lines that a host had written before it was killed."""
    text = host.communicate()[0]
    return [line for line in text.split("\n")[:-1] if line]


def test_the_running_batch_of_a_living_host_is_left_alone(address: ServerAddress) -> None:
    living = PostgresRuntimeStore(address)
    living.start_run(BatchRun("living", "r", 200, 1, 1)).result(5)
    PostgresRuntimeStore(address).close()
    assert living._store.execute("SELECT status FROM batch_runs") == [("running",)]
    living.close()


def test_a_write_waits_for_the_lock_as_long_as_it_may(address: ServerAddress, hit: Search) -> None:
    store = PostgresRuntimeStore(address, lock_wait=0.1)
    locker = PostgresStore(address)
    with locker.writing():
        late = store.record_single("late", 1, hit)
        store.record_failed("owed", 1, hit)
        with pytest.raises(StoreBusyError):
            late.result(10)
    store.record_single("next", 1, hit).result(10)
    kept = store._store.execute("SELECT request_id FROM single_search_events ORDER BY id")
    assert sorted(kept) == [("next",), ("owed",)]
    store.close()
    locker.close()


def test_a_table_that_somebody_locks_delays_and_loses_nothing(address: ServerAddress, hit: Search) -> None:
    store = PostgresRuntimeStore(address)
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
def test_a_connection_that_is_lost_at_a_commit_counts_nothing_twice(
    postgres: Postgres, address: ServerAddress, hit: Search, cut: str
) -> None:
    with cutting(postgres, address) as (by_wire, wire):
        store = PostgresRuntimeStore(by_wire)
        store.record_single("r-0", 1, hit).result(10)
        wire.cut = cut
        events = [store.record_single(f"r-{number}", 1, hit) for number in range(1, 50)]
        for event in events:
            event.result(10)
        assert wire.was_cut.is_set()
        recorded = [row[0] for row in store._store.execute("SELECT request_id FROM single_search_events")]
        assert sorted(recorded) == sorted(f"r-{number}" for number in range(50))
        assert store.statistics().counters["single_search_requests"] == 50
        store.close()


def test_what_may_have_been_recorded_is_not_recorded_again(
    postgres: Postgres, address: ServerAddress, hit: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.storage.postgres.LOST_AFTER_SECONDS", 0.1)
    with cutting(postgres, address) as (by_wire, wire):
        store = PostgresRuntimeStore(by_wire)
        wire.cut = "for good"
        with pytest.raises(CommitUnknownError):
            store.record_single("r", 1, hit).result(10)
        wire.cut = ""
        store.record_single("next", 1, hit).result(30)
        assert store.statistics().counters["single_search_requests"] == 2
        store.close()


def test_the_document_of_a_job_is_gone_when_it_ends(address: ServerAddress) -> None:
    store, jobs = PostgresRuntimeStore(address), PostgresJobStore(address)
    ended, deleted = new_job_id(), new_job_id()
    for job_id in (ended, deleted):
        jobs.add(job_id, JobDocument(b"secret"), 10)
    jobs.take()
    jobs.finish(ended, 1.0)
    jobs.delete(deleted)
    assert store._store.execute("SELECT count(*) FROM job_documents") == [(0,)]
    jobs.close()
    store.close()


def test_workers_of_several_hosts_take_each_job_once(address: ServerAddress) -> None:
    store = PostgresRuntimeStore(address)
    workers = [PostgresJobStore(address) for _ in range(3)]
    wanted = {new_job_id() for _ in range(12)}
    for job_id in wanted:
        workers[0].add(job_id, JobDocument(b"x"), 100)

    with ThreadPoolExecutor(3) as pool:
        taken = [
            job.job_id for jobs in pool.map(lambda w: [w.take() for _ in range(6)], workers) for job in jobs if job
        ]
    assert (len(taken), set(taken)) == (12, wanted)
    for worker in workers:
        worker.close()
    store.close()


@pytest.fixture
def two_workers(address: ServerAddress) -> Iterator[tuple[PostgresJobStore, PostgresJobStore]]:
    """Return one that has taken the job ``JOB``, and another."""
    store = PostgresRuntimeStore(address)
    one, other = PostgresJobStore(address), PostgresJobStore(address)
    other.add(JOB, JobDocument(b"x"), 10)
    assert one.take()
    yield one, other
    for opened in (one, other, store):
        opened.close()


def test_a_job_that_ends_while_its_worker_is_found_dead_has_ended(
    two_workers: tuple[PostgresJobStore, PostgresJobStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two_workers

    def ends(owner: str) -> bool:
        one.finish(JOB, 1.0)
        return False

    monkeypatch.setattr(other, "_lives", ends)
    assert other.take() is None
    job = other.job(JOB)
    assert job
    assert (job.state, job.attempts) == ("finished", 1)


def test_what_is_recorded_while_its_job_is_deleted_goes_too(
    two_workers: tuple[PostgresJobStore, PostgresJobStore], address: ServerAddress
) -> None:
    one, other = two_workers
    looking = PostgresStore(address)
    with ThreadPoolExecutor(1) as pool:
        with one._server.transaction():
            one.record(JOB, 0, [b"one"], {"VALID": 1})
            deleted = pool.submit(other.delete, JOB)
            while not looking.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"):
                assert not deleted.done()
        assert deleted.result(10)
    with pytest.raises(JobGoneError):
        one.record(JOB, 1, [b"two"], {"VALID": 2})
    assert other.verdicts(JOB) == []
    looking.close()
