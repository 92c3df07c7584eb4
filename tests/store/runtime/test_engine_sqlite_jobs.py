"""Documents of jobs as files beside the store."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from citeproof.store.runtime.jobs import LOST, JobDocument, JobState, JobStore, new_job_id
from tests.store.runtime.conftest import SqliteEngine

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.store.runtime.store import RuntimeStore


@pytest.fixture
def engine(tmp_path: Path) -> SqliteEngine:
    return SqliteEngine(tmp_path)


def test_add_writes_a_private_document_that_is_deleted_at_the_end(
    store: RuntimeStore, path: Path
) -> None:
    jobs = JobStore(path)
    folder = path.with_name("runtime.db.documents")
    ended, deleted, refused = new_job_id(), new_job_id(), new_job_id()
    jobs.add(ended, JobDocument(b"secret"), 10)
    jobs.add(deleted, JobDocument(b"secret"), 10)
    assert {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()} == {
        ended: 0o600,
        deleted: 0o600,
    }
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


def test_take_fails_a_job_without_its_document(store: RuntimeStore, path: Path) -> None:
    jobs = JobStore(path)
    job_id = new_job_id()
    jobs.add(job_id, JobDocument(b"secret"), 10)
    (path.with_name("runtime.db.documents") / job_id).unlink()
    assert jobs.take() is None
    job = jobs.job(job_id)
    assert job
    assert (job.state, job.reason) == (JobState.FAILED, LOST)
    jobs.close()


def test_expire_deletes_old_documents_without_a_job(store: RuntimeStore, path: Path) -> None:
    jobs = JobStore(path)
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


def test_expire_ignores_a_document_that_is_deleted_meanwhile(
    store: RuntimeStore, path: Path
) -> None:
    jobs = JobStore(path)
    job_id = new_job_id()
    jobs.add(job_id, JobDocument(b"x"), 10)
    jobs.take()
    jobs.finish(job_id, 1.0)
    # is listed, and is not there
    (path.with_name("runtime.db.documents") / "gone").symlink_to("nowhere")
    assert jobs.expire(-1) == 1
    jobs.close()


def test_delete_overwrites_the_job_in_the_files(store: RuntimeStore, path: Path) -> None:
    jobs = JobStore(path)
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
