"""Verification jobs in both engines: the queue, verdicts, and jobs of dead workers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.model.run import Ending
from citeproof.store.runtime.jobs import (
    ENDED_AGAIN,
    MOST_ATTEMPTS,
    JobDocument,
    JobGoneError,
    JobState,
    QueueFullError,
    new_job_id,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.store.runtime.jobs import JobStore
    from citeproof.store.runtime.store import RuntimeStore
    from tests.store.runtime.conftest import Engine

DOCUMENT = JobDocument(b"@misc{a, title={A title}}", "refs.bib", "bibtex")
FACTS = (3, "bibtex", ("a note",), '{"records": 4}', '[{"line":2}]')


@pytest.fixture
def jobs(store: RuntimeStore, engine: Engine) -> Iterator[JobStore]:
    """Return the jobs as a server sees them."""
    jobs = engine.open_jobs()
    yield jobs
    jobs.close()


@pytest.fixture
def worker(store: RuntimeStore, engine: Engine) -> Iterator[JobStore]:
    """Return the jobs as a worker sees them."""
    worker = engine.open_jobs()
    yield worker
    worker.close()


def added(jobs: JobStore, document: JobDocument = DOCUMENT) -> str:
    job_id = new_job_id()
    jobs.add(job_id, document, 10)
    return job_id


def attempts(jobs: JobStore, job_id: str) -> int:
    job = jobs.job(job_id)
    assert job
    return job.attempts


def test_job_store_records_a_job_from_add_to_finish(
    jobs: JobStore, worker: JobStore, store: RuntimeStore
) -> None:
    job_id = added(jobs)
    assert jobs.due()
    assert worker.take() == (job_id, DOCUMENT)
    assert (attempts(jobs, job_id), jobs.verdicts(job_id)) == (1, [])
    assert not jobs.due()
    worker.begin(job_id, *FACTS)
    worker.record(job_id, 0, [b"one", b"two"], {"VALID": 2})
    job = jobs.job(job_id)
    assert job
    assert (job.state, job.name, job.done) == (JobState.RUNNING, "refs.bib", 2)
    assert (job.total, job.taken_for, job.notes, job.database, job.unread) == FACTS
    worker.record(job_id, 2, [b"three"], {"VALID": 2, "ERROR": 1})
    worker.finish(job_id, 1.5, ending=Ending.INTERRUPTED, corrected="@misc{a}")
    ended = jobs.job(job_id)
    assert ended
    assert (ended.state, ended.ending, ended.seconds) == (
        JobState.FINISHED,
        Ending.INTERRUPTED,
        1.5,
    )
    assert ended.by_status == {"VALID": 2, "ERROR": 1}
    assert jobs.verdicts(job_id) == [b"one", b"two", b"three"]
    assert jobs.verdicts(job_id, 1, 1) == [b"two"]
    assert jobs.corrected(job_id) == "@misc{a}"
    counters = store.statistics().counters
    assert (
        counters["verify_jobs"],
        counters["verify_jobs_failed"],
        counters["verify_references"],
    ) == (1, 0, 3)


def test_take_returns_each_job_once_oldest_first(jobs: JobStore, worker: JobStore) -> None:
    wanted = [added(jobs) for _ in range(3)]
    taken = [worker.take() for _ in range(4)]
    assert [one[0] if one else None for one in taken] == [*wanted, None]


def test_verdicts_at_and_beginnings_select_by_position(jobs: JobStore, worker: JobStore) -> None:
    job_id = added(jobs)
    worker.take()
    worker.begin(job_id, *FACTS)
    worker.record(job_id, 0, [b"one", b"two", b"three"], {"VALID": 3})
    assert jobs.beginnings(job_id, 2) == [b"on", b"tw", b"th"]
    assert jobs.verdicts_at(job_id, (2, 0, 7)) == [b"three", b"one"]
    assert jobs.verdicts_at(job_id, ()) == []
    assert jobs.beginnings(new_job_id(), 2) == []


def test_add_refuses_a_job_when_the_queue_is_full(jobs: JobStore) -> None:
    jobs.add(new_job_id(), DOCUMENT, 1)
    refused = new_job_id()
    with pytest.raises(QueueFullError):
        jobs.add(refused, DOCUMENT, 1)
    assert jobs.job(refused) is None


def test_finish_with_a_reason_keeps_the_verdicts(
    jobs: JobStore, worker: JobStore, store: RuntimeStore
) -> None:
    job_id = added(jobs)
    worker.take()
    worker.record(job_id, 0, [b"one"], {"VALID": 1})
    worker.finish(job_id, 0.1, reason="because")
    job = jobs.job(job_id)
    assert job
    assert (job.state, job.reason) == (JobState.FAILED, "because")
    assert jobs.verdicts(job_id) == [b"one"]
    assert store.statistics().counters["verify_jobs_failed"] == 1


def test_take_continues_the_job_of_a_dead_worker_after_its_last_verdict(
    jobs: JobStore, engine: Engine
) -> None:
    job_id = added(jobs)
    gone, other = engine.open_jobs(), engine.open_jobs()
    gone.take()
    gone.begin(job_id, *FACTS)
    gone.record(job_id, 0, [b"one", b"two"], {"VALID": 2})
    assert other.take() is None
    gone.close()
    assert jobs.due()
    assert other.take() == (job_id, DOCUMENT)
    assert (attempts(jobs, job_id), len(jobs.verdicts(job_id))) == (2, 2)
    other.close()


def test_take_fails_a_job_whose_workers_die_three_times(jobs: JobStore, engine: Engine) -> None:
    job_id = added(jobs)
    for attempt in range(MOST_ATTEMPTS):
        worker = engine.open_jobs()
        assert worker.take()
        assert attempts(jobs, job_id) == attempt + 1
        worker.close()
    worker = engine.open_jobs()
    assert worker.take() is None
    worker.close()
    job = jobs.job(job_id)
    assert job
    assert (job.state, job.reason, job.ending) == (JobState.FAILED, ENDED_AGAIN, Ending.FAILED)


def died(engine: Engine, job_id: str, *verdicts: bytes, before: int = 0) -> None:
    """Take the job, record ``verdicts`` from position ``before`` on, and die."""
    worker = engine.open_jobs()
    assert worker.take()
    worker.begin(job_id, *FACTS)
    if verdicts:
        worker.record(job_id, before, verdicts, {"VALID": before + len(verdicts)})
    worker.close()


def test_take_continues_a_job_while_each_worker_records_verdicts(
    jobs: JobStore, engine: Engine
) -> None:
    job_id = added(jobs)
    for place in range(2 * MOST_ATTEMPTS):  # such as restarts of the PostgreSQL server
        died(engine, job_id, b"verdict", before=place)
    worker = engine.open_jobs()
    assert worker.take()
    assert (len(jobs.verdicts(job_id)), attempts(jobs, job_id)) == (2 * MOST_ATTEMPTS, 2)
    worker.close()


def test_take_finishes_a_job_with_all_verdicts_whose_workers_die(
    jobs: JobStore, engine: Engine
) -> None:
    job_id = added(jobs)
    died(engine, job_id, *[b"verdict"] * FACTS[0])
    for _ in range(MOST_ATTEMPTS - 1):
        died(engine, job_id)
    worker = engine.open_jobs()
    assert worker.take() is None
    worker.close()
    job = jobs.job(job_id)
    assert job
    assert (job.state, job.reason, job.ending) == (JobState.FINISHED, "", Ending.COMPLETE)


def test_release_puts_a_job_to_the_front_and_does_not_count_the_attempt(
    jobs: JobStore, worker: JobStore
) -> None:
    first, second = added(jobs), added(jobs)
    worker.take()
    worker.release(first)
    assert [one[0] if one else None for one in (worker.take(), worker.take())] == [first, second]
    job = jobs.job(first)
    assert job
    assert job.attempts == 1


def test_delete_removes_a_job_that_a_worker_has_taken(
    jobs: JobStore, worker: JobStore, engine: Engine
) -> None:
    job_id = added(jobs)
    worker.take()
    worker.record(job_id, 0, [b"one"], {"VALID": 1})
    assert jobs.delete(job_id)
    assert not jobs.delete(job_id)
    assert (jobs.job(job_id), jobs.verdicts(job_id)) == (None, [])
    with pytest.raises(JobGoneError):
        worker.begin(job_id, *FACTS)
    with pytest.raises(JobGoneError):
        worker.record(job_id, 1, [b"two"], {"VALID": 2})
    with pytest.raises(JobGoneError):
        worker.finish(job_id, 1.0)
    assert engine.rows("SELECT count(*) FROM job_verdicts") == [(0,)]


def test_expire_deletes_jobs_by_the_time_of_their_end(store: RuntimeStore, engine: Engine) -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    jobs = engine.open_jobs(clock=lambda: now)
    ended, waiting = added(jobs), new_job_id()
    jobs.take()
    jobs.record(ended, 0, [b"one"], {"VALID": 1})
    jobs.finish(ended, 1.0)
    jobs.add(waiting, DOCUMENT, 10)
    now += timedelta(hours=23)
    assert jobs.expire(24) == 0
    now += timedelta(hours=2)
    assert jobs.expire(24) == 1
    assert jobs.job(ended) is None
    assert jobs.verdicts(ended) == []
    assert jobs.job(waiting)
    assert store.statistics().counters["verify_references"] == 1
    jobs.close()


def test_record_keeps_the_job_after_a_restart_of_the_server(
    jobs: JobStore, worker: JobStore, engine: Engine
) -> None:
    job_id = added(jobs)
    assert worker.take()
    engine.restart()
    worker.record(job_id, 0, [b"{}"], {"VALID": 1})
    assert not jobs.due()
    assert jobs.take() is None
    worker.finish(job_id, 1.0)


def test_take_does_not_count_workers_whose_server_restarted(jobs: JobStore, engine: Engine) -> None:
    if isinstance(engine.place, Path):
        pytest.skip("a file has no server")
    job_id = added(jobs)
    for _ in range(MOST_ATTEMPTS + 1):
        worker = engine.open_jobs()
        assert worker.take()
        engine.restart()
        worker.close()
    assert attempts(jobs, job_id) == 1
    worker = engine.open_jobs()
    assert worker.take()
    worker.close()


def test_statistics_count_open_jobs_and_jobs_of_the_last_day(
    store: RuntimeStore, jobs: JobStore, worker: JobStore
) -> None:
    for reason in ("", "It cannot be read."):
        job_id = added(jobs)
        assert worker.take()
        worker.finish(job_id, 1.0, reason=reason)
    added(jobs)
    added(jobs)
    assert worker.take()
    statistics = store.statistics()
    assert statistics.jobs == {"waiting": 1, "running": 1}
    assert sum(hour.documents for hour in statistics.hours) == 2
    assert sum(hour.failed for hour in statistics.hours) == 1


def test_take_passes_over_a_job_that_is_deleted_just_then(
    jobs: JobStore, worker: JobStore, engine: Engine
) -> None:
    """The document is missing, so the job would fail, but it is gone too."""
    with ThreadPoolExecutor(1) as pool:
        for _ in range(60):
            job_id = added(jobs)
            jobs._engine.delete_document(job_id)
            deleted = pool.submit(jobs.delete, job_id)
            assert worker.take() is None
            deleted.result()
