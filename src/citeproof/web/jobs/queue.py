"""The service's side of its jobs: it adds them, has them done by the keeper's process, and says how far they are."""

from __future__ import annotations

import asyncio
import logging
import pickle
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from citeproof import child_process
from citeproof.errors import DatabaseError
from citeproof.runtime.jobs import new_job_id
from citeproof.web.jobs.limits import MOST_WAITING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from citeproof.runtime.jobs import Job, JobDocument, JobStore

LOOK_SECONDS = 1.0
"""How often a job is looked for that another process added, or has left."""
POLL_SECONDS = (0.01, 0.2)
"""How often somebody who waits for a job looks at it: at first, and after two seconds of waiting."""
SILENCE_SECONDS = 15.0
"""After so long a job is shown again that has not changed, so that no proxy takes the connection for dead."""
MAY_BE_A_JOB, LOOKING_UP = b"!", b"?"
"""What the keeper is told: that there may be a job to take; that titles are looked up."""
_LOOKING_UP_SECONDS = 0.5
"""How often it is told the second."""
_PAUSE_SECONDS = 1.0
"""Before an ended keeper is started again."""

_log = logging.getLogger("citeproof.web")


class JobQueue:
    """The jobs of the store, and the process that does them. For one event loop."""

    def __init__(self, store: JobStore, options: object) -> None:
        """Keep jobs in ``store``; ``options`` are what the keeper is told."""
        self.store = store
        self._told = child_process.framed(pickle.dumps(options))
        self._process: asyncio.subprocess.Process | None = None
        self._watching: list[asyncio.Task[None]] = []
        self._gave_room = float("-inf")
        self.ready = False
        """The keeper has said that it can take jobs. One that ends is started again; jobs wait meanwhile."""

    async def add(self, document: JobDocument) -> str:
        """Put a job at the end of the queue and return its id; raise what the store raises."""
        job_id = new_job_id()
        await asyncio.to_thread(self.store.add, job_id, document, MOST_WAITING)
        self._nudge()
        return job_id

    async def job(self, job_id: str) -> Job | None:
        """Return a job as it is now."""
        return await asyncio.to_thread(self.store.job, job_id)

    async def watch(self, job_id: str, seconds: float = float("inf")) -> AsyncIterator[Job]:
        """Yield a job now and whenever more is known of it, until it has ended, is gone, or ``seconds`` are over."""
        started = said = time.monotonic()
        last: Job | None = None
        while (job := await self.job(job_id)) is not None:
            now = time.monotonic()
            if job != last or now - said > SILENCE_SECONDS:
                yield job
                last, said = job, now
            if job.ended or now - started >= seconds:
                return
            await asyncio.sleep(min(POLL_SECONDS[0] + (now - started) / 10, POLL_SECONDS[1]))

    def give_room(self) -> None:
        """Have long jobs leave room for a look-up, and for those that come in the next moments."""
        now = time.monotonic()
        if now - self._gave_room > _LOOKING_UP_SECONDS:
            self._gave_room = now
            self._write(LOOKING_UP)

    async def start(self) -> None:
        """Start the process, and see to it that it runs and hears of every job."""
        self._watching = [asyncio.create_task(self._keep_running()), asyncio.create_task(self._look_for_jobs())]

    async def close(self, patience: float) -> None:
        """End the process; its jobs go back to the queue. It is killed if it has not ended in ``patience`` seconds."""
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        if self._process and self._process.returncode is None:
            if self._process.stdin:
                self._process.stdin.close()
            try:
                await asyncio.wait_for(self._process.wait(), patience)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        await asyncio.to_thread(self.store.close)

    async def _keep_running(self) -> None:
        command: Sequence[str] = child_process.command("citeproof.web.jobs.keeper")
        while True:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    env=child_process.environment(),
                    start_new_session=True,  # Ctrl-C is for the service, whose end ends the process too
                )
            except OSError as error:
                _log.error("the process for jobs cannot be started: %s", error.strerror)
            else:
                self._write(self._told)
                self._nudge()
                if self._process.stdout and await self._process.stdout.readline():
                    self.ready = True
                code = await self._process.wait()
                _log.error("the process for jobs ended with %d; it is started again", code)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _look_for_jobs(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(DatabaseError):
                if await asyncio.to_thread(self.store.due):
                    self._nudge()

    def _nudge(self) -> None:
        self._write(MAY_BE_A_JOB)

    def _write(self, data: bytes) -> None:
        if self._process and self._process.stdin and not self._process.stdin.is_closing():
            with suppress(ConnectionError):
                self._process.stdin.write(data)
