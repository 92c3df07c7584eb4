"""Verification jobs: a queue that workers of any host take from, and what they have found so far.

A job goes from ``waiting`` to ``running`` to ``finished`` or ``failed``. Its document is kept until then, its verdicts
until they are deleted or expire. Each engine's package has a :class:`JobStore`.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from citeproof.errors import CiteproofError
from citeproof.results import Ending

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_ATTEMPTS = 3
"""A job whose worker ended without a word is taken up again at most twice: then it is taken for the cause."""
ENDED_AGAIN = "The process that worked on this job ended three times before it was done; the document may be the cause."


class QueueFullError(CiteproofError):
    """As many jobs wait as may."""


class JobGoneError(CiteproofError):
    """The job was deleted, or somebody else works on it by now."""


class JobState(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    """Every entry has a verdict, or its ``ending`` says why not."""
    FAILED = "failed"
    """There is no verdict beyond those that are there; ``reason`` says why."""


@dataclass(frozen=True, slots=True)
class JobDocument:
    """What is to be verified."""

    data: bytes
    name: str = ""
    """As the client named it; tells the format where the content does not."""
    format: str = ""
    """The format that the client says it has; empty: to be found out."""
    pasted: bool = False
    """It is text that somebody typed or pasted: it may be a lone title or identifier too."""


@dataclass(frozen=True, slots=True)
class JobHeader:
    """What is known of a run once reading its document has begun."""

    total: int | None
    """Entries of the document; None until it is read to its end."""
    taken_for: str = ""
    """What the document was taken for: ``title``, ``doi``, ``arxiv_id``, ``reference``, or a format's name."""
    notes: tuple[str, ...] = ()
    """What the user must know about the whole run."""
    database: str = "{}"
    """What the answers rest on, as a JSON object."""


@dataclass(frozen=True, slots=True)
class Job:
    """One job at one moment."""

    job_id: str
    state: JobState
    name: str
    created_at: str
    """In UTC, ``2026-11-20T20:15:00.123Z``."""
    finished_at: str = ""
    attempts: int = 0
    """How often a worker has taken it."""
    header: JobHeader | None = None
    """None until the document is being read."""
    by_status: Mapping[str, int] = field(default_factory=dict)
    """How many verdicts there are of each status so far."""
    seconds: float = 0.0
    """Time of verifying; 0 until the job has ended."""
    ending: Ending = Ending.COMPLETE
    reason: str = ""
    """Why it failed."""

    @property
    def done(self) -> int:
        """How many verdicts there are so far."""
        return sum(self.by_status.values())

    @property
    def ended(self) -> bool:
        """Whether nobody works on it any more."""
        return self.state in {JobState.FINISHED, JobState.FAILED}


@dataclass(frozen=True, slots=True)
class TakenJob:
    """A job as a worker takes it."""

    job_id: str
    document: JobDocument
    attempts: int
    """1 for the first time."""
    done: int
    """Verdicts that an earlier worker has left; the work goes on behind them."""


class JobStore(Protocol):
    """The jobs as one process sees them; any number of processes on any number of hosts share one store.

    Every change is on disk when its method returns. Any method may raise
    :class:`~citeproof.errors.StoreBusyError` when another process held the store's lock too long, and another
    :class:`~citeproof.errors.DatabaseError` when the store cannot be used.
    """

    def add(self, job_id: str, document: JobDocument, most_waiting: int) -> None:
        """Put a job at the end of the queue; raise :class:`QueueFullError` when ``most_waiting`` wait already."""

    def due(self) -> bool:
        """Say whether there is a job to take: one that waits, or one whose worker is gone."""

    def open_jobs(self) -> tuple[int, int]:
        """Return how many jobs wait, and how many somebody works on. Never waits for a writer."""

    def take(self) -> TakenJob | None:
        """Return the oldest job that waits, which is now this process's own; None where there is none.

        First the jobs of workers that are gone go back to the queue, or fail at their :data:`MOST_ATTEMPTS`.
        """

    def begin(self, job_id: str, header: JobHeader) -> None:
        """Record what was read from the document so far; may be called again when more is."""

    def record(self, job_id: str, first: int, verdicts: Sequence[bytes], by_status: Mapping[str, int]) -> None:
        """Record the verdicts on the entries from place ``first`` on, and the sum of all verdicts so far.

        Raises :class:`JobGoneError` when the job is not this process's own any more.
        """

    def finish(
        self, job_id: str, seconds: float, *, ending: Ending = Ending.COMPLETE, corrected: str = "", reason: str = ""
    ) -> None:
        """Record the end of a job of this process, raise its counters, and delete its document.

        With a ``reason`` it has failed. ``corrected`` is the document with what could be corrected; empty for none.
        """

    def release(self, job_id: str) -> None:
        """Put a job of this process back to the front of the queue, as if never taken: the service stops."""

    def job(self, job_id: str) -> Job | None:
        """Return a job as it is now; None where there is none of that id. Never waits for a writer."""

    def verdicts(self, job_id: str, first: int = 0, most: int = ...) -> list[bytes]:
        """Return up to ``most`` verdicts as they were recorded, from place ``first`` on. Never waits for a writer."""

    def verdicts_at(self, job_id: str, positions: Sequence[int]) -> list[bytes]:
        """Return the verdicts at ``positions``, some hundred at most, in that order; what is not there is left out."""

    def beginnings(self, job_id: str, size: int) -> list[bytes]:
        """Return the first ``size`` bytes of every verdict, in their order."""

    def corrected(self, job_id: str) -> str:
        """Return the corrected document of a job; empty where there is none."""

    def delete(self, job_id: str) -> bool:
        """Delete a job with all that is kept of it, whoever works on it; say whether there was one."""

    def expire(self, hours: float) -> int:
        """Delete the jobs that ended longer than ``hours`` ago and return how many went; counters stay."""

    def close(self) -> None:
        """Let go of the store, and of the jobs that this process has taken."""


def new_job_id() -> str:
    """Return an identifier for a job that nobody can guess: 144 random bits, safe in an address."""
    return secrets.token_urlsafe(18)
