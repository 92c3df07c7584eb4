"""The queue of verification jobs, which workers on several hosts can share, and the verdicts of the
jobs.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from citeproof.model.errors import CiteproofError
from citeproof.model.run import Ending
from citeproof.store.runtime.engine import Place, open_engine
from citeproof.store.runtime.group_writer import add_to_counters
from citeproof.store.runtime.store import Clock, iso_time, utc_now
from citeproof.store.sql import LOCK_WAIT_SECONDS

LOST = "The document of this job is gone; send it again."
MOST_ATTEMPTS = 3
"""Maximum number of workers that may die one after the other without storing another verdict of a
job. Then the job fails.

Workers that lost their connection because the PostgreSQL server restarted are not counted.
"""
ENDED_AGAIN = (
    "The worker of this job ended three times without a new verdict; the document may be the cause."
)
MOST_VERDICTS = 1_000_000
"""Default maximum number of verdicts that :meth:`JobStore.verdicts` returns."""
_ADD = (
    "INSERT INTO jobs (id, created_at, state, name, format, pasted) VALUES (?, ?, 'waiting', ?,"
    " ?, ?)"
)
_WAITING = "SELECT id, name, format, pasted FROM jobs WHERE state = 'waiting'"
_TAKE = "UPDATE jobs SET state = 'running', owner = ?, attempts = attempts + 1 WHERE id = ?"
_TAKE_BACK = (
    "UPDATE jobs SET state = 'waiting', owner = '' WHERE id = ? AND state = 'running' AND owner = ?"
)
_FORGIVE = "UPDATE jobs SET attempts = attempts - 1 WHERE id = ?"
_JOB = """SELECT name, created_at, finished_at, attempts, seconds, reason, total, taken_for,
database, unread,
state, ending, by_status, notes FROM jobs WHERE id = ?"""


class QueueFullError(CiteproofError):
    """Raised if too many jobs wait in the queue."""


class JobGoneError(CiteproofError):
    """Raised if a job was deleted, or if another process has taken the job."""


class JobState(StrEnum):
    """The state of a verification job."""

    WAITING = "waiting"
    RUNNING = "running"
    # all entries have a verdict, unless ``Job.ending`` says that the job was interrupted
    FINISHED = "finished"
    # the job ended with an error, ``Job.reason``; some entries may have verdicts
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobDocument:
    """A document whose references are to be verified."""

    data: bytes
    # file name from the client; the suffix decides the format if the content does not
    name: str = ""
    format: str = ""  # format from the client; empty to detect the format
    # whether a person typed or pasted the text, which may then be a single title or identifier
    pasted: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """The data of a verification job at one moment."""

    job_id: str
    name: str
    created_at: str  # time of creation in UTC, such as ``2026-11-20T20:15:00.123Z``
    finished_at: str  # time of the end in UTC; empty before the end
    attempts: int  # number of workers that have taken the job; every verdict resets it to 1
    seconds: float  # duration of the verification in seconds; 0 until the job has ended
    reason: str  # cause of the failure; empty for jobs that have not failed
    total: int | None  # number of entries in the document; None until the whole document is read
    # detected kind of document: ``title``, ``doi``, ``arxiv_id``, ``reference``, ``bibtex`` and so
    # on
    taken_for: str
    database: str  # description of the bibliographic database as a JSON object
    unread: str  # the lines of the document that do not belong to a reference, as a JSON array
    state: JobState
    ending: Ending
    by_status: Mapping[str, int]  # map from status to number of verdicts so far
    notes: tuple[str, ...]

    @property
    def done(self) -> int:
        """Number of verdicts so far."""
        return sum(self.by_status.values())

    @property
    def begun(self) -> bool:
        """Whether a worker has read the beginning of the document."""
        return self.total is not None or bool(self.taken_for)

    @property
    def ended(self) -> bool:
        """Whether the job is finished or failed."""
        return self.state in {JobState.FINISHED, JobState.FAILED}


def new_job_id() -> str:
    """Return a random identifier for a job: 144 bits in 24 characters that are safe in a URL."""
    return secrets.token_urlsafe(18)


class JobStore:
    """The verification jobs in the web service's database, which processes on several hosts can
    share.

    When a method returns, its changes are on disk. Methods that only read never wait for a writer.
    All methods may raise :class:`~citeproof.model.errors.DatabaseError`, or ``StoreBusyError`` if
    the write lock is not free in time.
    """

    def __init__(
        self, place: Place, lock_wait: float = LOCK_WAIT_SECONDS, clock: Clock = utc_now
    ) -> None:
        """Open the database at ``place``, which must exist.

        ``lock_wait`` is the time-out, in seconds, for getting the write lock.
        """
        self._engine = open_engine(place, lock_wait, create=False)
        self._store, self._reader = self._engine.store, self._engine.reader
        self._clock = clock

    def add(self, job_id: str, document: JobDocument, most_waiting: int) -> None:
        """Append a job to the queue.

        Raises :class:`QueueFullError` if ``most_waiting`` jobs are already waiting.
        """
        with self._engine.adding(job_id, document.data):
            if (
                self._store.execute("SELECT count(*) FROM jobs WHERE state = 'waiting'")[0][0]
                >= most_waiting
            ):
                raise QueueFullError(f"{most_waiting} jobs wait already")
            values = (
                job_id,
                iso_time(self._clock()),
                document.name,
                document.format,
                document.pasted,
            )
            self._store.execute(_ADD, values)

    def delete(self, job_id: str) -> bool:
        """Delete a job with its document and verdicts, even while a worker runs it. Return whether
        the job existed.
        """
        with self._store.writing():
            known = self._delete(job_id)
        self._engine.delete_document(job_id)
        self._engine.erase()
        return known

    def expire(self, hours: float) -> int:
        """Delete jobs that ended more than ``hours`` hours ago, and documents without a job. Return
        the number of deleted jobs.
        """
        now = self._clock()
        self._engine.delete_orphans(now.timestamp())
        before = iso_time(now - timedelta(hours=hours))
        expired = self._reader.execute(
            "SELECT id FROM jobs WHERE finished_at <> '' AND finished_at < ?", (before,)
        )
        for (job_id,) in expired:
            # one transaction per job, so that other writers wait only briefly
            with self._store.writing():
                self._delete(job_id)
        if expired:
            self._engine.erase()
        return len(expired)

    def close(self) -> None:
        """Close the database and release the liveness lock. The next :meth:`take` of any process
        returns the jobs of this process to the queue.
        """
        self._engine.close()

    def due(self) -> bool:
        """Return whether a job waits in the queue, or the worker of a running job has died."""
        open_jobs = self._reader.execute(
            "SELECT state, owner FROM jobs WHERE state IN ('waiting', 'running')"
        )
        return any(
            state == "waiting" or not self._engine.is_alive(owner) for state, owner in open_jobs
        )

    def take(self) -> tuple[str, JobDocument] | None:
        """Take the oldest job that waits in the queue or whose worker has died.

        Return the id and the document of the job, or None if there is no such job.
        """
        with self._store.writing():
            self._recover()
        with self._engine.changing_job():
            waiting = self._store.execute(f"{_WAITING} {self._engine.OLDEST_FIRST}")
            if not waiting:
                return None
            if not self._engine.owner:
                self._engine.register()
            ((job_id, name, form, pasted),) = waiting
            self._store.execute(_TAKE, (self._engine.owner, job_id))
        data = self._engine.document(job_id)
        if data is None:
            with suppress(JobGoneError):  # the job was deleted just now
                self.finish(job_id, 0.0, reason=LOST)
            return self.take()
        return job_id, JobDocument(data, name, form, bool(pasted))

    def begin(
        self,
        job_id: str,
        total: int | None,
        taken_for: str = "",
        notes: Sequence[str] = (),
        database: str = "{}",
        unread: str = "[]",
    ) -> None:
        """Store what is known about a running job when its document is read. The parameters are
        fields of :class:`Job`. May be called again when more of the document was read.
        """
        fields = "total = ?, taken_for = ?, notes = ?, database = ?, unread = ?"
        values = (total, taken_for, json.dumps(notes), database, unread)
        with self._engine.changing_job():
            self._update(job_id, fields, *values)

    def record(
        self, job_id: str, first: int, verdicts: Sequence[bytes], by_status: Mapping[str, int]
    ) -> None:
        """Store verdicts on the entries ``first``, ``first + 1`` and so on.

        ``by_status`` maps each status to the number of verdicts of the job so far, including the
        new ones.
        """
        with self._engine.changing_job():
            self._update(job_id, "by_status = ?, attempts = 1", json.dumps(dict(by_status)))
            for position, verdict in enumerate(verdicts, start=first):
                self._store.execute(
                    "INSERT INTO job_verdicts VALUES (?, ?, ?)", (job_id, position, verdict)
                )

    def finish(
        self,
        job_id: str,
        seconds: float,
        *,
        ending: Ending = Ending.COMPLETE,
        corrected: str = "",
        reason: str = "",
    ) -> None:
        """Mark a job as finished, or as failed if ``reason`` is not empty. Delete its document and
        increase the counters.

        ``seconds`` is the duration of the verification, ``ending`` says whether all entries have a
        verdict, and ``corrected`` is the corrected document.
        """
        with self._engine.changing_job():
            self._update(job_id, "seconds = ?, corrected = ?", seconds, corrected)
            self._end(job_id, reason, ending, seconds)
        self._engine.delete_document(job_id)

    def release(self, job_id: str) -> None:
        """Put a job of this process back at the front of the queue, and do not count this
        attempt.
        """
        with self._engine.changing_job():
            self._update(job_id, "state = 'waiting', owner = '', attempts = attempts - 1")

    def job(self, job_id: str) -> Job | None:
        """Return the current state of a job. None if the id is unknown."""
        self._store.require_in_place()
        rows = self._reader.execute(_JOB, (job_id,))
        if not rows:
            return None
        *unchanged, state, ending, by_status, notes = rows[0]
        decoded = (JobState(state), Ending(ending), json.loads(by_status), tuple(json.loads(notes)))
        return Job(*(job_id, *unchanged, *decoded))

    def verdicts(self, job_id: str, first: int = 0, most: int = MOST_VERDICTS) -> list[bytes]:
        """Return at most ``most`` verdicts of a job as the bytes that :meth:`record` stored, in the
        order of the entries, starting at entry ``first``.
        """
        sql = (
            "SELECT verdict FROM job_verdicts WHERE job_id = ? AND position >= ? ORDER BY position"
            " LIMIT ?"
        )
        return [bytes(verdict) for (verdict,) in self._reader.execute(sql, (job_id, first, most))]

    def verdicts_at(self, job_id: str, positions: Sequence[int]) -> list[bytes]:
        """Return the verdicts of a job at ``positions``, in this order. Positions without a verdict
        are left out.
        """
        if not positions:
            return []
        marks = ", ".join("?" * len(positions))
        sql = (
            f"SELECT position, verdict FROM job_verdicts WHERE job_id = ? AND position IN ({marks})"  # noqa: S608
        )
        found = {
            position: bytes(verdict)
            for position, verdict in self._reader.execute(sql, (job_id, *positions))
        }
        return [found[position] for position in positions if position in found]

    def beginnings(self, job_id: str, size: int) -> list[bytes]:
        """Return the first ``size`` bytes of every verdict of a job, in the order of the
        entries.
        """
        sql = "SELECT substr(verdict, 1, ?) FROM job_verdicts WHERE job_id = ? ORDER BY position"
        return [bytes(beginning) for (beginning,) in self._reader.execute(sql, (size, job_id))]

    def corrected(self, job_id: str) -> str:
        """Return the corrected document of a job. The result is empty if there is none."""
        rows = self._reader.execute("SELECT corrected FROM jobs WHERE id = ?", (job_id,))
        return str(rows[0][0]) if rows else ""

    def _recover(self) -> None:
        """Return the jobs of dead workers to the queue. Jobs with too many attempts fail instead.
        Call inside a transaction.
        """
        # Example: a worker dies after 2 of 5 verdicts. The job waits again, and the next worker
        # continues at position 2. If three workers in a row die before the third verdict, the job
        # fails with its 2 verdicts.
        running = self._store.execute(
            "SELECT id, owner, attempts, total FROM jobs WHERE state = 'running'"
        )
        for job_id, owner, attempts, total in running:
            # PostgreSQL locks only rows, so a worker may end its job after the SELECT above and
            # then die.
            if self._engine.is_alive(owner) or not self._store.change(_TAKE_BACK, (job_id, owner)):
                continue
            if self._engine.has_lost(owner):  # not the document, but a restart ended the attempt
                self._store.execute(_FORGIVE, (job_id,))
            elif attempts >= MOST_ATTEMPTS:
                has_all = total is not None and self._done(job_id) >= total
                self._end(job_id, "" if has_all else ENDED_AGAIN)
                self._engine.delete_document(job_id)

    def _end(
        self, job_id: str, reason: str, ending: Ending = Ending.COMPLETE, seconds: float = 0.0
    ) -> None:
        """Mark a running job as ended, and increase the counters. The parameters are those of
        :meth:`finish`. Call inside a transaction.
        """
        state, ended = ("failed", Ending.FAILED) if reason else ("finished", ending)
        sql = (
            "UPDATE jobs SET state = ?, owner = '', reason = ?, ending = ?, finished_at = ? WHERE"
            " id = ?"
        )
        self._store.execute(sql, (state, reason, ended.value, iso_time(self._clock()), job_id))
        counts = {
            "verify_jobs": 1,
            "verify_jobs_failed": int(bool(reason)),
            "verify_references": self._done(job_id),
        }
        add_to_counters(self._store, counts | {"verify_milliseconds": round(1000 * seconds)})

    def _update(self, job_id: str, columns: str, *values: Any) -> None:
        """Update columns of a job.

        Raises :class:`JobGoneError` if this process is not running the job.
        """
        where = "id = ? AND state = 'running' AND owner = ?"
        sql = f"UPDATE jobs SET {columns} WHERE {where}"  # noqa: S608 - our own words
        if not self._store.change(sql, (*values, job_id, self._engine.owner)):
            raise JobGoneError("the job was deleted, or another process works on it")

    def _delete(self, job_id: str) -> bool:
        # Delete the job first. This waits for the row lock of a worker that is recording verdicts,
        # so that these verdicts are deleted, too.
        known = self._store.change("DELETE FROM jobs WHERE id = ?", (job_id,)) > 0
        self._store.execute("DELETE FROM job_verdicts WHERE job_id = ?", (job_id,))
        return known

    def _done(self, job_id: str) -> int:
        return int(
            self._store.execute("SELECT count(*) FROM job_verdicts WHERE job_id = ?", (job_id,))[0][
                0
            ]
        )
