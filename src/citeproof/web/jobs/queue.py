"""The queue of verification jobs: add jobs, start worker processes that run jobs, and watch the
progress of jobs.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from enum import Enum
from math import inf

from citeproof.model.errors import DatabaseError
from citeproof.processes import command
from citeproof.store.runtime.jobs import Job, JobDocument, JobStore, new_job_id
from citeproof.web.helper import Helper
from citeproof.web.logs import log
from citeproof.web.options import HARD_SECONDS

_MOST_WAITING = 100  # maximum number of jobs that wait in the queue
_MOST_AT_ONCE = 4  # maximum number of worker processes of one server process
LOOK_SECONDS = 1.0
"""Seconds between two searches of the store for waiting jobs. Such jobs may come from another
server process, or from a worker that died.
"""
# seconds after which an idle worker is stopped, if there is another idle worker
_IDLE_SECONDS = 60.0
# seconds between two polls of the state of a job: first interval and longest interval
_POLL_SECONDS = (0.01, 0.2)
# seconds after which an unchanged state is sent again, to keep the connection open
_SILENCE_SECONDS = 15.0


class Done(Enum):
    """Answer of a worker process that was asked to run a job."""

    NONE = 0  # no job was waiting
    SOME = 1  # a job is done, and the worker is ready for the next job
    RETIRE = 2  # a job is done, but the worker may use much memory and should be replaced


class JobQueue:
    """Queue of verification jobs, with the worker processes that run them. Use it in one asyncio
    event loop only.
    """

    def __init__(
        self, store: JobStore, options: object, worker: Sequence[str] = (), pause: float = 1.0
    ) -> None:
        """``worker`` is the command that starts a worker process, by default the module
        ``worker``.

        ``pause`` is the number of seconds after which a worker that failed is replaced.
        """
        self.store, self._options, self._pause = store, options, pause
        self._worker = worker or command("citeproof.web.jobs.worker")
        # idle workers with the time of the last answer, oldest first
        self._idle: list[tuple[float, Helper]] = []
        # one task for each worker process that is starting or runs jobs
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy: set[Helper] = set()
        self._may_be_a_job = self._closed = False
        self.ready = False  # whether any worker has answered since the start

    async def add(self, document: JobDocument) -> str:
        """Append a job that verifies ``document`` to the queue, and return the job id.

        Raises :class:`QueueFullError` if 100 jobs are waiting.
        """
        job_id = new_job_id()
        await asyncio.to_thread(self.store.add, job_id, document, _MOST_WAITING)
        self._nudge()
        return job_id

    async def watch(self, job_id: str, seconds: float = inf) -> AsyncIterator[Job]:
        """Yield the state of a job now and after each change, until the job ends or ``seconds``
        have passed.
        """
        started = said = time.monotonic()
        last: Job | None = None
        while (job := await asyncio.to_thread(self.store.job, job_id)) is not None:
            now = time.monotonic()
            if job != last or now - said > _SILENCE_SECONDS:
                yield job
                last, said = job, now
            if job.ended or now - started >= seconds:
                return
            await asyncio.sleep(min(_POLL_SECONDS[0] + (now - started) / 10, _POLL_SECONDS[1]))

    async def look_for_jobs(self) -> None:
        """Start waiting jobs, keep one idle worker ready for the next job, and stop the other idle
        workers.

        Call this method every second.
        """
        while len(self._idle) > 1 and time.monotonic() - self._idle[0][0] > _IDLE_SECONDS:
            await self._idle.pop(0)[1].close(self._pause)
        # If all workers are busy, start one more, so that the next job begins at once.
        if not self._idle or await asyncio.to_thread(self.store.due):
            self._nudge()

    async def close(self, patience: float) -> None:
        """Stop the workers.

        Running jobs return to the queue. After ``patience`` seconds, workers are killed.
        """
        self._closed = True
        workers = [*self._busy, *(worker for _, worker in self._idle)]
        await asyncio.gather(*(worker.close(patience) for worker in workers))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.store.close)

    def _nudge(self) -> None:
        """Make an idle worker take the next job. If no worker is idle, and fewer than 4 workers are
        busy, start a worker.
        """
        self._may_be_a_job = True
        worker = self._idle.pop()[1] if self._idle else None
        if worker or len(self._tasks) < _MOST_AT_ONCE:
            task = asyncio.create_task(self._work(worker))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, worker: Helper | None) -> None:
        """Let ``worker`` run jobs until no job is waiting. If ``worker`` is None, start a worker.

        Then mark the worker as idle. A worker that fails in any way is stopped.
        """
        idle = failed = False
        try:
            if not worker:
                worker = await Helper.start(self._worker, HARD_SECONDS + self._pause)
            self._busy.add(worker)
            done = Done.SOME
            while done is Done.SOME or (done is Done.NONE and self._may_be_a_job):
                self._may_be_a_job = False
                done = await worker.ask(self._options)
                self.ready = True
            idle = done is Done.NONE and not self._closed
        except Exception as error:  # noqa: BLE001 - a worker may answer with any exception
            failed = not self._closed
            if failed:
                # the message of another kind of error may quote a document
                known = isinstance(error, OSError | DatabaseError)
                log.error("a worker of jobs ended: %s", error if known else type(error).__name__)
        finally:
            if worker:
                self._busy.discard(worker)
                if idle:
                    self._idle.append((time.monotonic(), worker))
                else:
                    await worker.close(self._pause)
        if failed:
            await asyncio.sleep(self._pause)
