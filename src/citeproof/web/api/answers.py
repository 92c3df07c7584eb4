"""The shapes of answers for the OpenAPI document, and jobs as JSON objects.

:mod:`citeproof.report.schema` has the shapes of look-ups and results.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from citeproof.model.run import Ending
from citeproof.report.schema import ALWAYS, LookupObject, RunObject, only_required
from citeproof.report.serialization import run_object
from citeproof.store.runtime.jobs import Job, JobHeader, JobState
from citeproof.web.jobs.verdicts import run_of
from citeproof.web.problems import MEDIA_TYPE

_FOUND: dict[str, Any] = {
    "found": True,
    "query_title": "Attention Is All You Need",
    "title": "Attention is All you Need",
    "similarity": 1.0,
    "match": "title",
    "year": 2017,
    "venue": "NIPS",
    "pub_type": "inproceedings",
    "authors": ["Ashish Vaswani", "Noam Shazeer"],
    "key": "conf/nips/VaswaniSPUJGKP17",
    "doi": "",
    "arxiv_id": "",
    "url": "https://papers.nips.cc/paper/7181-attention-is-all-you-need",
    "source": "dblp",
    "retraction": "",
    "concern": "",
    "others": [],
    "method": "indexed",
    "index_used": "title_index",
    "candidates_examined": 1,
    "complete": True,
    "duration_ms": 0.21,
}


class LookupAnswer(LookupObject):
    """The answer to one title. The fields of a match are at the same level as `found`."""

    __pydantic_config__ = only_required(*ALWAYS, examples=[_FOUND])  # type: ignore[misc]


class BatchItem(LookupObject):
    """One title of a batch. With an `error`, the only other fields are `index`, `found` and `query_title`."""

    __pydantic_config__ = only_required(  # type: ignore[misc]
        "index", "found", "query_title", "error", examples=[{"index": 0, **_FOUND, "error": None}]
    )

    index: Annotated[int, Field(ge=0, description="Position of the title in the list that was sent, from 0.")]
    error: str | None


class BatchSummary(BaseModel):
    """The counts of a batch."""

    run_id: str
    limit: int = Field(description="Maximum titles of one batch.")
    total_input: int = Field(description="Number of titles that were sent, with blank and repeated ones.")
    total_processed: int
    found_count: int
    not_found_count: int
    error_count: int
    max_candidates: int
    duration_ms: float


class BatchAnswer(BaseModel):
    """The answers to a batch, in the order of the titles."""

    summary: BatchSummary
    items: list[BatchItem]


class DatabaseState(BaseModel):
    """The bibliographic database. Further fields describe its content."""

    model_config = ConfigDict(extra="allow")

    available: bool
    file: str
    age_seconds: int = Field(0, description="Seconds since the file was written.")
    records: int = 0
    method: str = Field("", description="How titles are looked up: indexed or bruteforce.")
    indexes: list[str] = []
    error: str = Field("", description="Why it is not available.")


class Health(BaseModel):
    """Whether look-ups are possible."""

    status: Literal["ok", "error"]
    version: str = Field(description="Version of citeproof.")
    database: DatabaseState


class Ready(BaseModel):
    """Titles can be looked up."""

    status: Literal["ok"]


class Hour(BaseModel):
    """The searches and jobs of one hour, without rows that were deleted."""

    hour: str = Field(description="Beginning of the hour in UTC.", examples=["2026-11-20T20:00Z"])
    searches: int = Field(description="Titles that were looked up.")
    found: int = Field(description="Titles that were found.")
    documents: int = Field(description="Verification jobs that ended.")
    failed: int = Field(description="Verification jobs that failed.")


class RuntimeStatistics(BaseModel):
    """Counters since the runtime store was created, and the present state of the store."""

    counters: dict[str, int]
    tables: dict[str, int] = Field(description="Rows of each table of the runtime store.")
    jobs: dict[str, int] = Field(description="Verification jobs that are `waiting` and that are `running`.")
    hours: list[Hour] = Field(description="The last 24 hours, oldest first.")


class JobAnswer(BaseModel):
    """The current state of a job."""

    id: str
    state: JobState
    ended: bool = Field(description="Whether the job is finished or failed.")
    address: str = Field(description="Address of the job's page.")
    name: str = Field(description="Name of the document that was sent.")
    taken_for: str = Field(
        description="Detected kind of the document: `title`, `titles`, `doi`, `arxiv_id`, `reference`, or a format; "
        "empty until it is read."
    )
    created_at: str
    finished_at: str = Field(description="Empty until the job has ended.")
    attempts: int = Field(description="Workers that took the job since its last verdict; more than 1 after a crash.")
    total: int | None = Field(description="Entries of the document; null until all of it was read.")
    done: int = Field(description="Verdicts so far.")
    by_status: dict[str, int] = Field(description="Verdicts so far, by status.")
    ending: Ending
    reason: str = Field(description="Cause of a failure; else empty.")


class JobWithRun(JobAnswer):
    """A job with the run: the verdicts so far."""

    run: RunObject = Field(description="The object that `citeproof verify --format json` prints.")


def job_object(job: Job) -> dict[str, Any]:
    """Return a job without its verdicts as a JSON object."""
    header = job.header or JobHeader(None)
    return {
        "id": job.job_id,
        "state": job.state.value,
        "ended": job.ended,
        "address": f"/jobs/{job.job_id}",
        "name": job.name,
        "taken_for": header.taken_for,
        "created_at": job.created_at,
        "finished_at": job.finished_at,
        "attempts": job.attempts,
        "total": header.total,
        "done": job.done,
        "by_status": dict(job.by_status),
        "ending": job.ending.value,
        "reason": job.reason,
    }


def job_with_run(job: Job, kept: Sequence[bytes]) -> dict[str, Any]:
    """Return a job with its run as a JSON object. ``kept`` are the encoded verdicts to include."""
    return job_object(job) | {"run": run_object(run_of(job, kept))}


class Problem(BaseModel):
    """An error in the format of RFC 9457."""

    type: str
    title: str
    status: int
    detail: str = Field(description="The cause and the remedy, for a person.")
    errors: list[dict[str, str]] = Field([], description="With 422: `field` and `message` of each invalid field.")


ERRORS = {
    400: "The body cannot be decoded, or the batch is empty or too long.",
    401: "The bearer token is missing or wrong.",
    404: "The database file does not exist; or there is no such job or report.",
    408: "The body did not arrive in time.",
    409: "The job has not ended yet; or the database was replaced since the verdict and now gives another.",
    413: "The body is larger than 1 MiB, a document larger than 32 MiB, or than 4 MiB as JSON.",
    422: "A field is missing, of the wrong type or out of range.",
    429: "Too many requests from this client; `Retry-After` says when to try again.",
    500: "The look-up failed, or the runtime store stayed locked or cannot be written.",
    503: "Nothing can be looked up, or the queue is full.",
}
"""Descriptions of error answers, by status."""


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI documentation of a route's error answers."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": ERRORS[status], "content": content} for status in statuses}
