"""One job from the queue to its end, and the events that end it early."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.model.errors import StoreBusyError
from citeproof.model.run import Ending
from citeproof.report.serialization import run_object
from citeproof.store.runtime.jobs import Job, JobDocument, JobState, JobStore, new_job_id
from citeproof.web.jobs import documents, worker
from citeproof.web.jobs.queue import Done
from citeproof.web.jobs.verdicts import run_of, unpacked
from citeproof.web.jobs.worker import Worker
from citeproof.web.options import SMALL_REFERENCES, Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from citeproof.store.runtime.store import RuntimeStore

TITLES = (
    b"Attention is all you need\nDeep Residual Learning for Image Recognition\nNo such title is in"
    b" the sample\n"
)


@pytest.fixture
def jobs(store: RuntimeStore, tmp_path: Path) -> Iterator[JobStore]:
    """Open the jobs of a store."""
    jobs = JobStore(tmp_path / "runtime.db")
    yield jobs
    jobs.close()


@pytest.fixture
def options(sample_path: Path, tmp_path: Path) -> Options:
    return Options(sample_path, tmp_path / "runtime.db")


def added(jobs: JobStore, data: bytes = TITLES, form: str = "titles") -> str:
    job_id = new_job_id()
    jobs.add(job_id, JobDocument(data, "list.txt", form), 10)
    return job_id


def known(jobs: JobStore, job_id: str) -> Job:
    job = jobs.job(job_id)
    assert job
    return job


def never() -> bool:
    return False


def test_work_runs_a_job_to_its_end(jobs: JobStore, options: Options) -> None:
    job_id = added(jobs)
    assert Worker(options).work(jobs, never) is not Done.NONE
    assert Worker(options).work(jobs, never) is Done.NONE
    job = known(jobs, job_id)
    assert (job.state, job.ending, dict(job.by_status)) == (
        JobState.FINISHED,
        Ending.COMPLETE,
        {"VALID": 2, "UNVERIFIED": 1},
    )
    assert json.loads(job.database)["path"] == options.database.name
    assert job.notes
    assert not any(str(options.database.parent) in note for note in job.notes)
    titles = [unpacked(kept).reference.title for kept in jobs.verdicts(job_id)]
    assert titles == TITLES.decode().splitlines()


def test_work_keeps_the_lines_that_belong_to_no_reference(jobs: JobStore, options: Options) -> None:
    mail = (
        b"Hello Ann \xff, these are the papers:\n\n"
        b"1. Valiant, L. (1984). A theory of the learnable. Commun. ACM.\n"
        b"2. Codd, E. F. (1970). A relational model of data. Commun. ACM.\n\nBest\n"
    )
    job_id = added(jobs, mail, "text")
    Worker(options).work(jobs, never)
    run = run_of(known(jobs, job_id), jobs.verdicts(job_id))
    assert len(run.verdicts) == 2
    assert [(line.file, line.line, line.kind.value, line.lost) for line in run.unread] == [
        ("list.txt", 1, "introduction", False),
        ("list.txt", 6, "running text", False),
    ]
    assert json.loads(json.dumps(run_object(run)["unread"]))[1]["text"] == "Best"


def test_work_fails_a_job_whose_document_cannot_be_read(jobs: JobStore, options: Options) -> None:
    job_id = added(jobs, b"\x00\x01\x02", "")
    Worker(options).work(jobs, never)
    job = known(jobs, job_id)
    assert job.state is JobState.FAILED
    assert job.reason.startswith("list.txt: ")


def test_work_of_a_stopping_service_puts_its_job_back_and_the_next_continues(
    jobs: JobStore, options: Options
) -> None:
    job_id = added(jobs)
    Worker(options).work(jobs, lambda: True)
    job = known(jobs, job_id)
    assert (job.state, job.done, job.attempts) == (JobState.WAITING, 1, 0)
    Worker(options).work(jobs, never)
    assert dict(known(jobs, job_id).by_status) == {"VALID": 2, "UNVERIFIED": 1}
    assert len(jobs.verdicts(job_id)) == 3


def test_work_completes_a_job_whose_last_verdict_comes_at_its_time_out(
    jobs: JobStore, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = added(jobs)
    for done in (1, 2):
        Worker(options).work(jobs, lambda: True)
        assert known(jobs, job_id).done == done
    monkeypatch.setattr(worker, "_JOB_SECONDS", 0.0)
    Worker(options).work(jobs, never)
    job = known(jobs, job_id)
    assert (job.done, job.ending) == (3, Ending.COMPLETE)


def test_work_ends_a_job_at_its_time_out_with_its_verdicts(
    jobs: JobStore, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_JOB_SECONDS", 0.0)
    job_id = added(jobs)
    Worker(options).work(jobs, never)
    job = known(jobs, job_id)
    assert (job.state, job.ending, job.done) == (JobState.FINISHED, Ending.INTERRUPTED, 1)


def test_work_stops_when_its_job_is_deleted(jobs: JobStore, options: Options) -> None:
    job_id = added(jobs)
    seen = []

    def deleted() -> bool:
        seen.append(jobs.delete(job_id))
        return False

    assert Worker(options).work(jobs, deleted) is not Done.NONE
    assert seen[0]
    assert jobs.job(job_id) is None


class LockedForAWhile(JobStore):
    """Fails to record all verdicts but the first."""

    def record(
        self, job_id: str, first: int, verdicts: Sequence[bytes], by_status: Mapping[str, int]
    ) -> None:
        if first:
            raise StoreBusyError("another process holds the write lock")
        super().record(job_id, first, verdicts, by_status)


def test_work_leaves_the_job_to_the_next_worker_if_the_store_fails(
    jobs: JobStore, options: Options, tmp_path: Path
) -> None:
    job_id = added(jobs)
    locked = LockedForAWhile(tmp_path / "runtime.db")
    with pytest.raises(StoreBusyError):
        Worker(options).work(locked, never)
    locked.close()
    assert known(jobs, job_id).done == 1
    assert Worker(options).work(jobs, never) is not Done.NONE
    job = known(jobs, job_id)
    assert (job.state, job.attempts, dict(job.by_status)) == (
        JobState.FINISHED,
        1,
        {"VALID": 2, "UNVERIFIED": 1},
    )


def test_work_without_a_database_fails_the_job_and_names_no_path(
    jobs: JobStore, options: Options, tmp_path: Path
) -> None:
    job_id = added(jobs)
    Worker(Options(tmp_path / "none.db", options.runtime_store)).work(jobs, never)
    assert known(jobs, job_id).reason == worker.UNREADABLE


def test_work_accepts_lone_surrogates(jobs: JobStore, options: Options) -> None:
    job_id = added(jobs, b'[{"title": "A Theory of the Learnable \\ud800"}]', "json-list")
    Worker(options).work(jobs, never)
    assert (known(jobs, job_id).state, known(jobs, job_id).done) == (JobState.FINISHED, 1)
    (kept,) = jobs.verdicts(job_id)
    assert unpacked(kept).reference.title.startswith("A Theory of the Learnable")


WRONG_YEAR = b"""% kept as it is
@article{valiant, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year = 1999,
  journal = {Commun. ACM}, doi = {10.1145/1968.1972}}
@article{codd, author = {Edgar F. Codd}, year = 1970, journal = {Commun. ACM},
  title = {A Relational Model of Data for Large Shared Data Banks}}
"""


def test_work_corrects_bibtex(jobs: JobStore, options: Options) -> None:
    job_id = added(jobs, WRONG_YEAR, "bibtex")
    assert Worker(options).work(jobs, never) is not Done.NONE
    assert jobs.corrected(job_id) == WRONG_YEAR.decode().replace("1999", "1984")


def test_work_corrects_nothing_in_right_references(jobs: JobStore, options: Options) -> None:
    job_id = added(jobs, WRONG_YEAR.replace(b"1999", b"1984"), "bibtex")
    assert Worker(options).work(jobs, never) is not Done.NONE
    assert known(jobs, job_id).done == 2
    assert jobs.corrected(job_id) == ""


class Noting(JobStore):
    """Notes the order of records."""

    noted: list[object]

    def begin(self, job_id: str, total: int | None, *facts: Any) -> None:
        self.noted.append(total)
        super().begin(job_id, total, *facts)

    def record(
        self, job_id: str, first: int, verdicts: Sequence[bytes], by_status: Mapping[str, int]
    ) -> None:
        self.noted.append("verdicts")
        super().record(job_id, first, verdicts, by_status)


def noted(store: RuntimeStore, options: Options, path: Path, count: int) -> list[object]:
    """Return the order of records for a job of ``count`` titles."""
    del store  # it must be there
    jobs = Noting(path)
    jobs.noted = []
    added(jobs, b"".join(b"Unknown title number %d\n" % number for number in range(count)))
    Worker(options).work(jobs, never)
    jobs.close()
    return jobs.noted


def test_work_verifies_the_first_entries_of_a_long_job_before_reading_all(
    store: RuntimeStore, options: Options, tmp_path: Path
) -> None:
    long = noted(store, options, tmp_path / "runtime.db", SMALL_REFERENCES + 10)
    assert long[:2] == [None, "verdicts"]
    assert [what for what in long if what != "verdicts"] == [None, SMALL_REFERENCES + 10]


def test_work_reads_a_small_job_at_once(
    store: RuntimeStore, options: Options, tmp_path: Path
) -> None:
    assert set(noted(store, options, tmp_path / "runtime.db", SMALL_REFERENCES)) == {
        SMALL_REFERENCES,
        "verdicts",
    }


def test_work_continues_a_long_job_after_its_last_verdict(jobs: JobStore, options: Options) -> None:
    lines = [f"Unknown title number {number}" for number in range(SMALL_REFERENCES + 10)]
    job_id = added(jobs, "\n".join(lines).encode())
    Worker(options).work(jobs, lambda: known(jobs, job_id).done > 0)
    assert 0 < known(jobs, job_id).done < len(lines)
    Worker(options).work(jobs, never)
    assert [unpacked(kept).reference.title for kept in jobs.verdicts(job_id)] == lines


def test_work_keeps_the_first_verdicts_of_too_many_references(
    jobs: JobStore, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "MAX_REFERENCES", SMALL_REFERENCES + 5)
    job_id = added(
        jobs,
        b"".join(b"Unknown title number %d\n" % number for number in range(SMALL_REFERENCES + 6)),
    )
    Worker(options).work(jobs, never)
    job = known(jobs, job_id)
    assert (job.state, job.done > 0) == (JobState.FAILED, True)
    assert f"has {SMALL_REFERENCES + 6} references" in job.reason
