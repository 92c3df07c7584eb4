"""The queue's worker processes: each that is started is kept, asked again or stopped."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.store.runtime.jobs import JobDocument, JobState, JobStore
from citeproof.web.jobs.queue import JobQueue

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from citeproof.store.runtime.store import RuntimeStore

ANSWERING = """
import os, sys
from pathlib import Path
from citeproof.model.errors import DatabaseError, InputError
from citeproof.web.helper import answer_all
from citeproof.web.jobs.queue import Done
from citeproof.store.runtime.jobs import JobGoneError

def answer(asked, stopped):
    {}

Path(sys.argv[1], str(os.getpid())).touch()
answer_all(answer, lambda: None)
"""
ROUNDS = 4


@pytest.fixture
def jobs(store: RuntimeStore, tmp_path: Path) -> JobStore:
    """Open the jobs of a store, which the queue closes."""
    return JobStore(tmp_path / "runtime.db")


def started(folder: Path) -> list[int]:
    """Return the process ids of all workers that began, also of those that have ended."""
    return [int(path.name) for path in folder.iterdir()]


def alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def work(
    jobs: JobStore, folder: Path, answer: str, then: Callable[[JobQueue], Awaitable[None]]
) -> None:
    """Look for jobs some times, with workers that run ``answer``, and then call ``then``."""
    folder.mkdir()
    command = [sys.executable, "-c", ANSWERING.format(answer), str(folder)]

    async def run() -> None:
        queue = JobQueue(jobs, None, command, pause=0.2)
        for number in range(ROUNDS):
            await queue.look_for_jobs()
            async with asyncio.timeout(20):
                while len(started(folder)) <= number and not queue.ready:
                    await asyncio.sleep(0.02)
        await then(queue)
        await queue.close(2)

    asyncio.run(run())
    assert alive(started(folder)) == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="lists processes in /proc")
@pytest.mark.parametrize(
    "answer",
    [
        "raise DatabaseError('no space left')",
        "raise JobGoneError('was deleted')",
        "raise RuntimeError('quotes a document')",
        "os._exit(1)",
        "return Done.RETIRE",
    ],
)
def test_a_worker_that_does_not_go_on_is_stopped(
    jobs: JobStore, tmp_path: Path, answer: str
) -> None:
    async def settled(_: JobQueue) -> None:
        async with asyncio.timeout(20):
            while alive(started(tmp_path / "pids")):
                await asyncio.sleep(0.02)

    work(jobs, tmp_path / "pids", answer, settled)


@pytest.mark.parametrize("idle_seconds", [60.0, 0.0])
def test_look_for_jobs_keeps_the_last_idle_worker(
    jobs: JobStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle_seconds: float
) -> None:
    monkeypatch.setattr("citeproof.web.jobs.queue._IDLE_SECONDS", idle_seconds)
    command = [sys.executable, "-c", ANSWERING.format("return Done.NONE"), str(tmp_path / "pids")]
    (tmp_path / "pids").mkdir()

    async def run() -> None:
        queue = JobQueue(jobs, None, command, pause=0.2)
        for _ in range(ROUNDS):
            await queue.look_for_jobs()
            async with asyncio.timeout(20):
                while not queue.ready or queue._busy:
                    await asyncio.sleep(0.02)
        assert len(alive(started(tmp_path / "pids"))) == 1
        await queue.close(2)

    asyncio.run(run())
    assert len(started(tmp_path / "pids")) == 1


def test_add_appends_a_job_and_watch_yields_its_state(jobs: JobStore, tmp_path: Path) -> None:
    async def settled(queue: JobQueue) -> None:
        job_id = await queue.add(JobDocument(b"A title"))
        states = [job.state async for job in queue.watch(job_id, seconds=0)]
        assert states == [JobState.WAITING]

    work(jobs, tmp_path / "pids", "return Done.NONE", settled)
