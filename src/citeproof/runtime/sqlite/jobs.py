"""Jobs in the SQLite file of the runtime store; each document is a private file beside it until its job ends."""

from __future__ import annotations

import json
import os
from contextlib import suppress
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
from citeproof.runtime.sqlite.recovery import lock_as_owner, lock_path, owner_of
from citeproof.storage.process_lock import is_held
from citeproof.storage.store import LOCK_WAIT_SECONDS, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from citeproof.storage.process_lock import ProcessLock

LOST = "The document of this job is gone; send it again."
MOST_VERDICTS = 1_000_000
_STRAY_SECONDS = 300.0
"""A document without a job that is younger may belong to a job that is just being added."""
_COUNT = """INSERT INTO runtime_counters (name, value) VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET value = value + excluded.value"""
_JOB = """SELECT id, state, name, created_at, finished_at, attempts, by_status, seconds, ending, reason,
total, taken_for, notes, database FROM jobs WHERE id = ?"""


class SqliteJobStore:
    """A :class:`~citeproof.runtime.jobs.JobStore` in the file of the runtime store, which exists already."""

    def __init__(
        self,
        path: Path,
        *,
        lock_wait: float = LOCK_WAIT_SECONDS,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = Store(path, lock_wait=lock_wait, durable=True)
        self._store.execute("PRAGMA secure_delete = on")
        self._reader = Store(path, lock_wait=lock_wait)
        self._documents = path.with_name(path.name + ".documents")
        self._clock = clock
        self._lock: ProcessLock | None = None

    def add(self, job_id: str, document: JobDocument, most_waiting: int) -> None:
        """Put a job at the end of the queue."""
        self._keep(job_id, document.data)
        try:
            with self._store.writing():
                if self._count("state = 'waiting'") >= most_waiting:
                    raise QueueFullError(f"{most_waiting} jobs wait already")
                self._store.execute(
                    "INSERT INTO jobs (id, created_at, state, name, format, pasted) VALUES (?, ?, 'waiting', ?, ?, ?)",
                    (job_id, self._now(), document.name, document.format, document.pasted),
                )
        except BaseException:
            self._forget(job_id)
            raise

    def due(self) -> bool:
        """Say whether there is a job to take."""
        open_jobs = self._reader.execute("SELECT state, owner FROM jobs WHERE state IN ('waiting', 'running')")
        return any(state == "waiting" or not self._lives(owner) for state, owner in open_jobs)

    def take(self) -> TakenJob | None:
        """Return the oldest job that waits."""
        with self._store.writing():
            self._recover()
            waiting = self._store.execute(
                "SELECT id, name, format, pasted, attempts FROM jobs WHERE state = 'waiting' ORDER BY rowid LIMIT 1"
            )
            if not waiting:
                return None
            if not self._lock:
                self._lock = lock_as_owner(self._store)
            job_id, name, form, pasted, attempts = waiting[0]
            self._store.execute(
                "UPDATE jobs SET state = 'running', owner = ?, attempts = attempts + 1 WHERE id = ?",
                (owner_of(self._lock), job_id),
            )
            done = self._store.execute("SELECT count(*) FROM job_verdicts WHERE job_id = ?", (job_id,))[0][0]
        try:
            data = (self._documents / job_id).read_bytes()
        except OSError:
            self.finish(job_id, 0.0, reason=LOST)
            return self.take()
        return TakenJob(job_id, JobDocument(data, name, form, bool(pasted)), attempts + 1, done)

    def begin(self, job_id: str, header: JobHeader) -> None:
        """Record what was read from the document."""
        values = (header.total, header.taken_for, json.dumps(header.notes), header.database)
        with self._store.writing():
            self._update(job_id, "total = ?, taken_for = ?, notes = ?, database = ?", values)

    def record(self, job_id: str, first: int, verdicts: Sequence[bytes], by_status: Mapping[str, int]) -> None:
        """Record verdicts and their sum."""
        with self._store.writing():
            self._update(job_id, "by_status = ?", (json.dumps(dict(by_status)),))
            for position, verdict in enumerate(verdicts, start=first):
                self._store.execute("INSERT INTO job_verdicts VALUES (?, ?, ?)", (job_id, position, verdict))

    def finish(
        self, job_id: str, seconds: float, *, ending: Ending = Ending.COMPLETE, corrected: str = "", reason: str = ""
    ) -> None:
        """Record the end of a job of this process."""
        with self._store.writing():
            self._update(job_id, "seconds = ?, ending = ?, corrected = ?", (seconds, ending.value, corrected))
            self._end(job_id, reason)
        self._forget(job_id)

    def release(self, job_id: str) -> None:
        """Put a job of this process back to the queue."""
        with self._store.writing():
            self._update(job_id, "state = 'waiting', owner = '', attempts = attempts - 1")

    def job(self, job_id: str) -> Job | None:
        """Return a job as it is now."""
        self._reader.require_in_place()
        rows = self._reader.execute(_JOB, (job_id,))
        return _job(rows[0]) if rows else None

    def verdicts(self, job_id: str, first: int = 0, most: int = MOST_VERDICTS) -> list[bytes]:
        """Return verdicts as they were recorded."""
        rows = self._reader.execute(
            "SELECT verdict FROM job_verdicts WHERE job_id = ? AND position >= ? ORDER BY position LIMIT ?",
            (job_id, first, most),
        )
        return [row[0] for row in rows]

    def corrected(self, job_id: str) -> str:
        """Return the corrected document of a job."""
        rows = self._reader.execute("SELECT corrected FROM jobs WHERE id = ?", (job_id,))
        return str(rows[0][0]) if rows else ""

    def delete(self, job_id: str) -> bool:
        """Delete a job with all that is kept of it."""
        with self._store.writing():
            known = bool(self._count("id = ?", job_id))
            self._drop(job_id)
        self._forget(job_id)
        self._empty_log()
        return known

    def expire(self, hours: float) -> int:
        """Delete the jobs that ended longer than ``hours`` ago, one a transaction, and documents without a job."""
        self._forget_strays()
        before = _text(self._clock() - timedelta(hours=hours))
        aged = self._reader.execute("SELECT id FROM jobs WHERE finished_at <> '' AND finished_at < ?", (before,))
        for (job_id,) in aged:
            with self._store.writing():
                self._drop(job_id)
        if aged:
            self._empty_log()
        return len(aged)

    def close(self) -> None:
        """Let go of the store."""
        if self._lock:
            self._lock.release()
        self._store.close()
        self._reader.close()

    def _recover(self) -> None:
        """Put the jobs of dead workers back, or close them; call it while holding the write lock."""
        running = self._store.execute("SELECT id, owner, attempts FROM jobs WHERE state = 'running'")
        for job_id, owner, attempts in running:
            if self._lives(owner):
                continue
            if attempts >= MOST_ATTEMPTS:
                self._end(job_id, ENDED_AGAIN)
                self._forget(job_id)
            else:
                self._store.execute("UPDATE jobs SET state = 'waiting', owner = '' WHERE id = ?", (job_id,))

    def _end(self, job_id: str, reason: str) -> None:
        """Close a running job and raise the counters, in the transaction that is open."""
        self._store.execute(
            "UPDATE jobs SET state = ?, owner = '', reason = ?, finished_at = ? WHERE id = ?",
            ("failed" if reason else "finished", reason, self._now(), job_id),
        )
        done = self._store.execute("SELECT count(*) FROM job_verdicts WHERE job_id = ?", (job_id,))[0][0]
        counts = {"verify_jobs": 1, "verify_references": done, "verify_jobs_failed": int(bool(reason))}
        for name, amount in counts.items():
            self._store.execute(_COUNT, (name, amount))

    def _update(self, job_id: str, what: str, values: tuple[Any, ...] = ()) -> None:
        """Change a job of this process; raise :class:`JobGoneError` where it is not its own."""
        owner = owner_of(self._lock) if self._lock else "nobody"
        self._store.execute(
            f"UPDATE jobs SET {what} WHERE id = ? AND state = 'running' AND owner = ?",  # noqa: S608 - our own words
            (*values, job_id, owner),
        )
        if not self._store.execute("SELECT changes()")[0][0]:
            raise JobGoneError("the job was deleted, or another process works on it")

    def _drop(self, job_id: str) -> None:
        self._store.execute("DELETE FROM job_verdicts WHERE job_id = ?", (job_id,))
        self._store.execute("DELETE FROM jobs WHERE id = ?", (job_id,))

    def _count(self, where: str, *values: Any) -> int:
        return int(self._store.execute(f"SELECT count(*) FROM jobs WHERE {where}", values)[0][0])  # noqa: S608

    def _lives(self, owner: str) -> bool:
        if self._lock and owner == owner_of(self._lock):
            return True
        return bool(owner) and is_held(lock_path(self._store.path, owner))

    def _keep(self, job_id: str, data: bytes) -> None:
        """Write a document where only this user can read it, down to the disk."""
        self._documents.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(self._documents / job_id, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)

    def _forget(self, job_id: str) -> None:
        with suppress(FileNotFoundError):
            (self._documents / job_id).unlink()

    def _forget_strays(self) -> None:
        """Delete what a process left that was killed just before its job was there, or just after its end."""
        kept = {row[0] for row in self._reader.execute("SELECT id FROM jobs WHERE state IN ('waiting', 'running')")}
        now = self._clock().timestamp()
        for path in self._documents.glob("*"):
            if path.name not in kept and path.stat().st_mtime < now - _STRAY_SECONDS:
                self._forget(path.name)

    def _empty_log(self) -> None:
        """Leave nothing of what was deleted in the write-ahead log, where no reader needs it."""
        self._store.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _now(self) -> str:
        return _text(self._clock())


def _job(row: tuple[Any, ...]) -> Job:
    """Return the job that a row of :data:`_JOB` says."""
    job_id, state, name, created_at, finished_at, attempts, by_status, seconds, ending, reason, *read = row
    total, taken_for, notes, database = read
    header = None if total is None else JobHeader(total, taken_for, tuple(json.loads(notes)), database)
    counts = json.loads(by_status)
    times = (created_at, finished_at)
    return Job(job_id, JobState(state), name, *times, attempts, header, counts, seconds, Ending(ending), reason)


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
