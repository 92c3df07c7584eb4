"""Verification jobs as values.

A job changes from ``waiting`` to ``running`` to ``finished`` or ``failed``. Its document is stored until it ends, its
verdicts until they are deleted or expire.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from citeproof.model.errors import CiteproofError
from citeproof.model.run import Ending

MOST_ATTEMPTS = 3
"""Maximum consecutive attempts in which the worker dies before it records a verdict. Then the job fails."""
ENDED_AGAIN = "The worker of this job ended three times without a new verdict; the document may be the cause."
"""Reason of the failure after :data:`MOST_ATTEMPTS`."""


class QueueFullError(CiteproofError):
    """Raised if the queue is full."""


class JobGoneError(CiteproofError):
    """Raised if the job was deleted, or another process works on it."""


class JobState(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    """Every entry has a verdict, unless ``ending`` says that the job was cut."""
    FAILED = "failed"
    """The job was abandoned; ``reason`` says why. Some entries may have verdicts."""


@dataclass(frozen=True, slots=True)
class JobDocument:
    """A document to verify."""

    data: bytes
    name: str = ""
    """File name that the client gave; it decides the format if the content does not."""
    format: str = ""
    """Format that the client gave; empty to detect it."""
    pasted: bool = False
    """Whether a person typed or pasted the text, which may then be a single title or identifier."""


@dataclass(frozen=True, slots=True)
class JobHeader:
    """Facts about a run that are known once its document is read."""

    total: int | None
    """Number of entries in the document; None until all of it was read."""
    taken_for: str = ""
    """Detected kind of document: ``title``, ``doi``, ``arxiv_id``, ``reference``, or the name of a format."""
    notes: tuple[str, ...] = ()
    """Notes on the whole run."""
    database: str = "{}"
    """Description of the bibliographic database, as a JSON object."""


@dataclass(frozen=True, slots=True)
class Job:
    """The state of a job at one moment."""

    job_id: str
    name: str
    created_at: str
    """Time of its creation in UTC, ``2026-11-20T20:15:00.123Z``."""
    finished_at: str
    """Time of its end in UTC; empty before."""
    attempts: int
    """Number of workers that took the job since its last verdict, including the one that recorded this verdict."""
    seconds: float
    """Duration of the verification in seconds; 0 until the job has ended."""
    reason: str
    """Cause of a failure; empty for other jobs."""
    state: JobState
    by_status: Mapping[str, int]
    """Number of verdicts of each status so far."""
    ending: Ending
    header: JobHeader | None
    """Facts about the run; None before the document is read."""

    @property
    def done(self) -> int:
        """Number of verdicts so far."""
        return sum(self.by_status.values())

    @property
    def ended(self) -> bool:
        """Whether the job is finished or failed."""
        return self.state in {JobState.FINISHED, JobState.FAILED}


@dataclass(frozen=True, slots=True)
class TakenJob:
    """A job that a worker has taken from the queue."""

    job_id: str
    document: JobDocument
    attempts: int
    """Number of the attempt, counted from 1."""
    done: int
    """Number of verdicts that earlier workers recorded; the worker continues after them."""


def new_job_id() -> str:
    """Return a random identifier of a job: 144 bits in 24 characters that are safe in a URL."""
    return secrets.token_urlsafe(18)
