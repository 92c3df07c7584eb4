"""Jobs in tables that every engine has; where documents are kept and who lives is the engine's own."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from citeproof.results import Ending
from citeproof.runtime.jobs import (
    ENDED_AGAIN,
    MOST_ATTEMPTS,
    Job,
    JobDocument,
    JobGoneError,
    JobHeader,
    JobState,
    QueueFullError,
    TakenJob,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from citeproof.runtime.sql_store import Presence
    from citeproof.storage.sql import SqlStore

LOST = "The document of this job is gone; send it again."
MOST_VERDICTS = 1_000_000
_COUNT = """INSERT INTO runtime_counters (name, value) VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET value = runtime_counters.value + excluded.value"""
_TAKE_BACK = "UPDATE jobs SET state = 'waiting', owner = '' WHERE id = ? AND state = 'running' AND owner = ?"
_JOB = """SELECT id, state, name, created_at, finished_at, attempts, by_status, seconds, ending, reason,
total, taken_for, notes, database FROM jobs WHERE id = ?"""


class SqlJobStore(ABC):
    """A :class:`~citeproof.runtime.jobs.JobStore` over an engine's tables."""

    FIRST_WAITING: str
    """Selects the job to take: its id, name, format, pasted and attempts."""

    def __init__(self, store: SqlStore, reader: SqlStore, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._reader = reader
        self._clock = clock
        self._presence: Presence | None = None

    @abstractmethod
    def _changing(self) -> AbstractContextManager[None]:
        """Return the transaction for a change to one job."""

    @abstractmethod
    def _appear(self) -> Presence:
        """Return what shows the others that this process lives; call it in a transaction."""

    @abstractmethod
    def _lives(self, owner: str) -> bool:
        """Say whether the process ``owner`` lives."""

    @abstractmethod
    def _document(self, job_id: str) -> bytes | None:
        """Return the document of a job; None where it is gone."""

    @abstractmethod
    def _forget(self, job_id: str) -> None:
        """Delete the document of a job."""

    def due(self) -> bool:
        """Say whether there is a job to take."""
        open_jobs = self._reader.execute("SELECT state, owner FROM jobs WHERE state IN ('waiting', 'running')")
        return any(state == "waiting" or not self._lives(owner) for state, owner in open_jobs)

    def open_jobs(self) -> tuple[int, int]:
        """Return how many jobs wait, and how many somebody works on."""
        rows = self._reader.execute(
            "SELECT state, count(*) FROM jobs WHERE state IN ('waiting', 'running') GROUP BY state"
        )
        found = {str(state): int(count) for state, count in rows}
        return found.get("waiting", 0), found.get("running", 0)

    def take(self) -> TakenJob | None:
        """Return the oldest job that waits."""
        with self._store.writing():
            self._recover()
        with self._changing():
            waiting = self._store.execute(self.FIRST_WAITING)
            if not waiting:
                return None
            if not self._presence:
                self._presence = self._appear()
            job_id, name, form, pasted, attempts = waiting[0]
            self._store.execute(
                "UPDATE jobs SET state = 'running', owner = ?, attempts = attempts + 1 WHERE id = ?",
                (self._presence.name, job_id),
            )
            done = self._store.execute("SELECT count(*) FROM job_verdicts WHERE job_id = ?", (job_id,))[0][0]
        data = self._document(job_id)
        if data is None:
            self.finish(job_id, 0.0, reason=LOST)
            return self.take()
        return TakenJob(job_id, JobDocument(data, name, form, bool(pasted)), attempts + 1, done)

    def begin(self, job_id: str, header: JobHeader) -> None:
        """Record what was read from the document so far."""
        values = (header.total, header.taken_for, json.dumps(header.notes), header.database)
        with self._changing():
            self._update(job_id, "total = ?, taken_for = ?, notes = ?, database = ?", values)

    def record(self, job_id: str, first: int, verdicts: Sequence[bytes], by_status: Mapping[str, int]) -> None:
        """Record verdicts and their sum."""
        with self._changing():
            self._update(job_id, "by_status = ?", (json.dumps(dict(by_status)),))
            for position, verdict in enumerate(verdicts, start=first):
                self._store.execute("INSERT INTO job_verdicts VALUES (?, ?, ?)", (job_id, position, verdict))

    def finish(
        self, job_id: str, seconds: float, *, ending: Ending = Ending.COMPLETE, corrected: str = "", reason: str = ""
    ) -> None:
        """Record the end of a job of this process."""
        with self._changing():
            self._update(job_id, "seconds = ?, ending = ?, corrected = ?", (seconds, ending.value, corrected))
            self._end(job_id, reason, seconds)
        self._forget(job_id)

    def release(self, job_id: str) -> None:
        """Put a job of this process back to the queue."""
        with self._changing():
            self._update(job_id, "state = 'waiting', owner = '', attempts = attempts - 1")

    def job(self, job_id: str) -> Job | None:
        """Return a job as it is now."""
        rows = self._reader.execute(_JOB, (job_id,))
        return _job(rows[0]) if rows else None

    def verdicts(self, job_id: str, first: int = 0, most: int = MOST_VERDICTS) -> list[bytes]:
        """Return verdicts as they were recorded."""
        rows = self._reader.execute(
            "SELECT verdict FROM job_verdicts WHERE job_id = ? AND position >= ? ORDER BY position LIMIT ?",
            (job_id, first, most),
        )
        return [bytes(row[0]) for row in rows]

    def verdicts_at(self, job_id: str, positions: Sequence[int]) -> list[bytes]:
        """Return the verdicts at ``positions``."""
        if not positions:
            return []
        marks = ", ".join("?" * len(positions))
        sql = f"SELECT position, verdict FROM job_verdicts WHERE job_id = ? AND position IN ({marks})"  # noqa: S608
        found = {row[0]: bytes(row[1]) for row in self._reader.execute(sql, (job_id, *positions))}
        return [found[position] for position in positions if position in found]

    def beginnings(self, job_id: str, size: int) -> list[bytes]:
        """Return the first bytes of every verdict."""
        rows = self._reader.execute(
            "SELECT substr(verdict, 1, ?) FROM job_verdicts WHERE job_id = ? ORDER BY position", (size, job_id)
        )
        return [bytes(row[0]) for row in rows]

    def corrected(self, job_id: str) -> str:
        """Return the corrected document of a job."""
        rows = self._reader.execute("SELECT corrected FROM jobs WHERE id = ?", (job_id,))
        return str(rows[0][0]) if rows else ""

    def _add(self, job_id: str, document: JobDocument, most_waiting: int) -> None:
        """Put a job at the end of the queue, in the transaction that is open."""
        if self._count("state = 'waiting'") >= most_waiting:
            raise QueueFullError(f"{most_waiting} jobs wait already")
        self._store.execute(
            "INSERT INTO jobs (id, created_at, state, name, format, pasted) VALUES (?, ?, 'waiting', ?, ?, ?)",
            (job_id, self._now(), document.name, document.format, document.pasted),
        )

    def _drop_known(self, job_id: str) -> bool:
        """Delete a job and its verdicts, and say whether there was one."""
        with self._store.writing():
            known = bool(self._count("id = ?", job_id))
            self._drop(job_id)
        return known

    def _drop_aged(self, hours: float) -> int:
        """Delete the jobs that ended longer than ``hours`` ago, one a transaction."""
        before = _text(self._clock() - timedelta(hours=hours))
        aged = self._reader.execute("SELECT id FROM jobs WHERE finished_at <> '' AND finished_at < ?", (before,))
        for (job_id,) in aged:
            with self._store.writing():
                self._drop(job_id)
        return len(aged)

    def _recover(self) -> None:
        """Put the jobs of dead workers back, or close them; call it while holding the write lock."""
        running = self._store.execute("SELECT id, owner, attempts FROM jobs WHERE state = 'running'")
        for job_id, owner, attempts in running:
            # Its last act may have been to end the job, since it was read here: where each job has a lock of its own.
            if self._lives(owner) or not self._store.change(_TAKE_BACK, (job_id, owner)):
                continue
            if attempts >= MOST_ATTEMPTS:
                self._end(job_id, ENDED_AGAIN)
                self._forget(job_id)

    def _end(self, job_id: str, reason: str, seconds: float = 0.0) -> None:
        """Close a running job and raise the counters, in the transaction that is open."""
        self._store.execute(
            "UPDATE jobs SET state = ?, owner = '', reason = ?, finished_at = ? WHERE id = ?",
            ("failed" if reason else "finished", reason, self._now(), job_id),
        )
        done = self._store.execute("SELECT count(*) FROM job_verdicts WHERE job_id = ?", (job_id,))[0][0]
        counts = {
            "verify_jobs": 1,
            "verify_jobs_failed": int(bool(reason)),
            "verify_references": done,
            "verify_milliseconds": round(1000 * seconds),
        }
        for name, amount in sorted(counts.items()):
            self._store.execute(_COUNT, (name, amount))

    def _update(self, job_id: str, what: str, values: tuple[Any, ...] = ()) -> None:
        """Change a job of this process; raise :class:`JobGoneError` where it is not its own."""
        owner = self._presence.name if self._presence else "nobody"
        changed = self._store.change(
            f"UPDATE jobs SET {what} WHERE id = ? AND state = 'running' AND owner = ?",  # noqa: S608 - our own words
            (*values, job_id, owner),
        )
        if not changed:
            raise JobGoneError("the job was deleted, or another process works on it")

    def _drop(self, job_id: str) -> None:
        self._store.execute("DELETE FROM jobs WHERE id = ?", (job_id,))  # first: it waits for who records verdicts now
        self._store.execute("DELETE FROM job_verdicts WHERE job_id = ?", (job_id,))

    def _count(self, where: str, *values: Any) -> int:
        return int(self._store.execute(f"SELECT count(*) FROM jobs WHERE {where}", values)[0][0])  # noqa: S608

    def _now(self) -> str:
        return _text(self._clock())


def _job(row: tuple[Any, ...]) -> Job:
    """Return the job that a row of :data:`_JOB` says."""
    job_id, state, name, created_at, finished_at, attempts, by_status, seconds, ending, reason, *read = row
    total, taken_for, notes, database = read
    begun = total is not None or taken_for
    header = JobHeader(total, taken_for, tuple(json.loads(notes)), database) if begun else None
    counts = json.loads(by_status)
    times = (created_at, finished_at)
    return Job(job_id, JobState(state), name, *times, attempts, header, counts, seconds, Ending(ending), reason)


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
