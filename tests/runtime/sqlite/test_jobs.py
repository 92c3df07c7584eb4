"""Documents of jobs in files beside the store: private, and gone with the job."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from citeproof.runtime.jobs import JobDocument, JobState, new_job_id
from citeproof.runtime.sqlite.jobs import LOST, SqliteJobStore

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.runtime import RuntimeStore


def test_a_document_is_private_and_gone_when_its_job_ends(store: RuntimeStore, path: Path) -> None:
    jobs = SqliteJobStore(path)
    folder = path.with_name("runtime.db.documents")
    ended, deleted, refused = new_job_id(), new_job_id(), new_job_id()
    jobs.add(ended, JobDocument(b"secret"), 10)
    jobs.add(deleted, JobDocument(b"secret"), 10)
    assert {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()} == {ended: 0o600, deleted: 0o600}
    assert folder.stat().st_mode & 0o777 == 0o700
    try:
        jobs.add(refused, JobDocument(b"secret"), 2)
    except Exception:  # noqa: BLE001 - which one is held elsewhere
        assert not (folder / refused).exists()
    jobs.take()
    jobs.finish(ended, 1.0)
    jobs.delete(deleted)
    assert list(folder.iterdir()) == []
    jobs.close()


def test_a_job_whose_document_is_gone_fails(store: RuntimeStore, path: Path) -> None:
    jobs = SqliteJobStore(path)
    job_id = new_job_id()
    jobs.add(job_id, JobDocument(b"secret"), 10)
    (path.with_name("runtime.db.documents") / job_id).unlink()
    assert jobs.take() is None
    job = jobs.job(job_id)
    assert job
    assert (job.state, job.reason) == (JobState.FAILED, LOST)
    jobs.close()


def test_documents_without_a_job_go_in_time(store: RuntimeStore, path: Path) -> None:
    jobs = SqliteJobStore(path)
    kept = new_job_id()
    jobs.add(kept, JobDocument(b"kept"), 10)
    folder = path.with_name("runtime.db.documents")
    for name, age in (("young", 1), ("old", 1000), (kept, 1000)):
        (folder / name).write_bytes(b"stray")
        moment = jobs._clock().timestamp() - age
        os.utime(folder / name, (moment, moment))
    jobs.expire(24)
    assert {file.name for file in folder.iterdir()} == {"young", kept}
    jobs.close()


def test_nothing_of_a_deleted_job_stays_in_the_files(store: RuntimeStore, path: Path) -> None:
    jobs = SqliteJobStore(path)
    job_id = new_job_id()
    jobs.add(job_id, JobDocument(b"x", "confidential.bib"), 10)
    jobs.take()
    jobs.record(job_id, 0, [b"confidential verdict"], {"VALID": 1})
    jobs.finish(job_id, 1.0)
    jobs.delete(job_id)
    jobs.close()
    left = b"".join(file.read_bytes() for file in path.parent.glob("runtime.db*") if file.is_file())
    assert b"runtime_counters" in left
    assert b"confidential" not in left
