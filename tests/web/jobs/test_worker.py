"""One job from the queue to its end; and what ends it before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from citeproof.errors import StoreBusyError
from citeproof.results import Ending
from citeproof.runtime.jobs import Job, JobDocument, JobHeader, JobState, new_job_id
from citeproof.runtime.sqlite.jobs import SqliteJobStore
from citeproof.web.jobs import reading, worker
from citeproof.web.jobs.limits import SMALL_REFERENCES
from citeproof.web.jobs.verdicts import unpacked
from citeproof.web.worker.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from citeproof.runtime import RuntimeStore

TITLES = b"Attention is all you need\nDeep Residual Learning for Image Recognition\nNo such title is in the sample\n"


@pytest.fixture
def jobs(store: RuntimeStore, tmp_path: Path) -> Iterator[SqliteJobStore]:
    """Open the jobs of a store."""
    jobs = SqliteJobStore(tmp_path / "runtime.db")
    yield jobs
    jobs.close()


@pytest.fixture
def options(sample_path: Path, tmp_path: Path) -> Options:
    return Options(sample_path, tmp_path / "runtime.db")


def added(jobs: SqliteJobStore, data: bytes = TITLES, form: str = "titles") -> str:
    job_id = new_job_id()
    jobs.add(job_id, JobDocument(data, "list.txt", form), 10)
    return job_id


def known(jobs: SqliteJobStore, job_id: str) -> Job:
    job = jobs.job(job_id)
    assert job
    return job


def never() -> bool:
    return False


def test_a_job_is_done(jobs: SqliteJobStore, options: Options) -> None:
    job_id = added(jobs)
    assert worker.work(jobs, options, never)
    assert not worker.work(jobs, options, never)
    job = known(jobs, job_id)
    assert (job.state, job.ending, dict(job.by_status)) == (
        JobState.FINISHED,
        Ending.COMPLETE,
        {"VALID": 2, "UNVERIFIED": 1},
    )
    assert job.header
    assert json.loads(job.header.database)["path"] == options.database.name
    assert job.header.notes
    assert not any(str(options.database.parent) in note for note in job.header.notes)
    titles = [unpacked(kept).reference.title for kept in jobs.verdicts(job_id)]
    assert titles == TITLES.decode().splitlines()


def test_a_document_that_cannot_be_read_fails_its_job(jobs: SqliteJobStore, options: Options) -> None:
    job_id = added(jobs, b"\x00\x01\x02", "")
    worker.work(jobs, options, never)
    job = known(jobs, job_id)
    assert job.state is JobState.FAILED
    assert job.reason.startswith("list.txt: ")


def test_a_stopping_service_gets_its_job_back_and_the_next_goes_on(jobs: SqliteJobStore, options: Options) -> None:
    job_id = added(jobs)
    worker.work(jobs, options, lambda: True)
    job = known(jobs, job_id)
    assert (job.state, job.done, job.attempts) == (JobState.WAITING, 1, 0)
    worker.work(jobs, options, never)
    assert dict(known(jobs, job_id).by_status) == {"VALID": 2, "UNVERIFIED": 1}
    assert len(jobs.verdicts(job_id)) == 3


def test_a_job_that_takes_too_long_ends_with_what_it_has(
    jobs: SqliteJobStore, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "JOB_SECONDS", 0.0)
    job_id = added(jobs)
    worker.work(jobs, options, never)
    job = known(jobs, job_id)
    assert (job.state, job.ending, job.done) == (JobState.FINISHED, Ending.INTERRUPTED, 1)


def test_a_deleted_job_ends_its_worker(jobs: SqliteJobStore, options: Options) -> None:
    job_id = added(jobs)
    seen = []

    def deleted() -> bool:
        seen.append(jobs.delete(job_id))
        return False

    assert worker.work(jobs, options, deleted)
    assert seen[0]
    assert jobs.job(job_id) is None


class LockedForAWhile(SqliteJobStore):
    """Records the first verdict and not those after it."""

    def record(self, job_id: str, first: int, verdicts: Sequence[bytes], by_status: Mapping[str, int]) -> None:
        if first:
            raise StoreBusyError("another process holds the write lock")
        super().record(job_id, first, verdicts, by_status)


def test_a_store_that_fails_leaves_the_job_to_the_next_worker(
    jobs: SqliteJobStore, options: Options, tmp_path: Path
) -> None:
    job_id = added(jobs)
    locked = LockedForAWhile(tmp_path / "runtime.db")
    with pytest.raises(StoreBusyError):
        worker.work(locked, options, never)
    locked.close()
    assert known(jobs, job_id).done == 1
    assert worker.work(jobs, options, never)
    job = known(jobs, job_id)
    assert (job.state, job.attempts, dict(job.by_status)) == (JobState.FINISHED, 2, {"VALID": 2, "UNVERIFIED": 1})


def test_without_a_database_a_job_fails_and_names_no_path(
    jobs: SqliteJobStore, options: Options, tmp_path: Path
) -> None:
    job_id = added(jobs)
    worker.work(jobs, Options(tmp_path / "none.db", options.runtime_store), never)
    assert known(jobs, job_id).reason == worker.UNREADABLE


def test_half_a_character_fails_no_job(jobs: SqliteJobStore, options: Options) -> None:
    job_id = added(jobs, b'[{"title": "A Theory of the Learnable \\ud800"}]', "json-list")
    worker.work(jobs, options, never)
    assert (known(jobs, job_id).state, known(jobs, job_id).done) == (JobState.FINISHED, 1)
    (kept,) = jobs.verdicts(job_id)
    assert unpacked(kept).reference.title.startswith("A Theory of the Learnable")


WRONG_YEAR = b"""% kept as it is
@article{valiant, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year = 1999,
  journal = {Commun. ACM}, doi = {10.1145/1968.1972}}
@article{codd, author = {Edgar F. Codd}, year = 1970, journal = {Commun. ACM},
  title = {A Relational Model of Data for Large Shared Data Banks}}
"""


def test_bibtex_is_corrected_while_it_is_there(jobs: SqliteJobStore, options: Options) -> None:
    job_id = added(jobs, WRONG_YEAR, "bibtex")
    assert worker.work(jobs, options, never)
    assert jobs.corrected(job_id) == WRONG_YEAR.decode().replace("1999", "1984")


def test_what_has_no_fault_is_not_corrected(jobs: SqliteJobStore, options: Options) -> None:
    job_id = added(jobs, WRONG_YEAR.replace(b"1999", b"1984"), "bibtex")
    assert worker.work(jobs, options, never)
    assert known(jobs, job_id).done == 2
    assert jobs.corrected(job_id) == ""


class Noting(SqliteJobStore):
    """Notes what is recorded, in its order."""

    noted: list[object]

    def begin(self, job_id: str, header: JobHeader) -> None:
        self.noted.append(header.total)
        super().begin(job_id, header)

    def record(self, job_id: str, first: int, verdicts: Sequence[bytes], by_status: Mapping[str, int]) -> None:
        self.noted.append("verdicts")
        super().record(job_id, first, verdicts, by_status)


def noted(store: RuntimeStore, options: Options, path: Path, count: int) -> list[object]:
    """Return what is recorded of a job of ``count`` titles, and where it gives way to others."""
    del store  # it must be there
    jobs = Noting(path)
    jobs.noted = []
    added(jobs, b"".join(b"Unknown title number %d\n" % number for number in range(count)))
    worker.work(jobs, options, never, give_way=lambda: jobs.noted.append("gives way"))
    jobs.close()
    return jobs.noted


def test_the_first_verdicts_of_a_long_job_come_before_it_is_read_and_then_it_gives_way(
    store: RuntimeStore, options: Options, tmp_path: Path
) -> None:
    long = noted(store, options, tmp_path / "runtime.db", SMALL_REFERENCES + 10)
    assert long[:2] == [None, "verdicts"]
    assert [what for what in long if what != "verdicts"] == [None, "gives way", SMALL_REFERENCES + 10]


def test_a_small_job_is_read_to_its_end_and_does_not_give_way(
    store: RuntimeStore, options: Options, tmp_path: Path
) -> None:
    assert set(noted(store, options, tmp_path / "runtime.db", SMALL_REFERENCES)) == {
        SMALL_REFERENCES,
        "verdicts",
    }


def test_a_long_job_goes_on_behind_its_last_verdict(jobs: SqliteJobStore, options: Options) -> None:
    lines = [f"Unknown title number {number}" for number in range(SMALL_REFERENCES + 10)]
    job_id = added(jobs, "\n".join(lines).encode())
    worker.work(jobs, options, lambda: known(jobs, job_id).done > 0)
    assert 0 < known(jobs, job_id).done < len(lines)
    worker.work(jobs, options, never)
    assert [unpacked(kept).reference.title for kept in jobs.verdicts(job_id)] == lines


def test_of_too_many_references_the_first_verdicts_stay(
    jobs: SqliteJobStore, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_REFERENCES", SMALL_REFERENCES + 5)
    job_id = added(jobs, b"".join(b"Unknown title number %d\n" % number for number in range(SMALL_REFERENCES + 6)))
    worker.work(jobs, options, never)
    job = known(jobs, job_id)
    assert (job.state, job.done > 0) == (JobState.FAILED, True)
    assert f"has {SMALL_REFERENCES + 6} references" in job.reason
