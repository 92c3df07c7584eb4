"""The shapes of answers for the OpenAPI document, and jobs as JSON objects.

:mod:`citeproof.report.schema` has the shapes of look-ups and results.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from citeproof.model.record import Candidate, Lookup, Method, Record
from citeproof.model.run import Ending
from citeproof.report.schema import ALWAYS, LookupObject, RunObject, only_required
from citeproof.report.serialization import lookup_object, run_object
from citeproof.store.runtime.jobs import MOST_VERDICTS, Job, JobState, JobStore
from citeproof.web.jobs.verdicts import run_of
from citeproof.web.problems import MEDIA_TYPE

_RECORD = Record(
    "conf/nips/VaswaniSPUJGKP17", "Attention is All you Need", ("Ashish Vaswani", "Noam Shazeer"), 2017, "NIPS",
    "inproceedings", url="https://papers.nips.cc/paper/7181-attention-is-all-you-need", source="dblp",
)  # fmt: skip
_QUERY, _BEST = "Attention Is All You Need", Candidate(_RECORD, 1.0)
_FOUND = lookup_object(Lookup(_QUERY, 0.9, (_BEST,), None, Method.INDEXED, "title_index", 1, True, 0.21))
"""Example of an answer."""
del _FOUND["total"]  # it matters only if further records are left out


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
    """Return a job without its verdicts as a JSON object, with the fields of :class:`JobAnswer`."""
    names = {"id": job.job_id, "address": f"/jobs/{job.job_id}"}
    return {name: names[name] if name in names else getattr(job, name) for name in JobAnswer.model_fields}


def job_with_run(store: JobStore, job: Job, first: int = 0, most: int = MOST_VERDICTS) -> dict[str, Any]:
    """Return a job with its run as a JSON object, with up to ``most`` verdicts from position ``first`` on."""
    return job_object(job) | {"run": run_object(run_of(job, store.verdicts(job.job_id, first, most)))}


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
