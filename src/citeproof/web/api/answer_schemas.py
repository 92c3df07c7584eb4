"""The shapes of the service's answers, for the OpenAPI document and for the tests that compare answers with it.

Those of a look-up are declared in ``serialization.py``, which also makes their values.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from citeproof.json_object import member
from citeproof.models import Method
from citeproof.serialization import LookupObject
from citeproof.web.problems import MEDIA_TYPE

_PAPER: dict[str, Any] = {
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
}
_METHOD: dict[str, Any] = {
    "method": "indexed",
    "index_used": "title_index",
    "candidates_examined": 1,
    "complete": True,
    "duration_ms": 0.21,
}
_FOUND: dict[str, Any] = {"found": True, "query_title": "Attention Is All You Need", **_PAPER, "others": [], **_METHOD}


class LookupAnswer(LookupObject):
    """The answer to one title, flat: with a match, the match's fields stand beside `found`."""

    examples = [_FOUND]  # noqa: RUF012


class BatchItem(LookupAnswer):
    """One title of a batch; with an `error`, only `index`, `found` and `query_title` stand beside it."""

    examples = [{"index": 0, **_FOUND, "error": None}]  # noqa: RUF012

    index: int = member(least=0, description="The title's place in the list that was sent, from 0.")
    method: Method = Method.BRUTEFORCE
    index_used: str = ""
    candidates_examined: int = 0
    complete: bool = False
    duration_ms: float = 0
    error: str | None


class BatchSummary(BaseModel):
    """What became of a batch."""

    run_id: str
    limit: int = Field(description="The most titles of one batch.")
    total_input: int = Field(description="Titles as they were sent, before blank and repeated ones were dropped.")
    total_processed: int
    found_count: int
    not_found_count: int
    error_count: int
    max_candidates: int
    duration_ms: float


class BatchAnswer(BaseModel):
    """The answers to a batch, in the order in which the titles were sent."""

    summary: BatchSummary
    items: list[BatchItem]


class DatabaseState(BaseModel):
    """The database that answers; further fields describe what it holds."""

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
    version: str = Field(description="Of citeproof.")
    database: DatabaseState


class Ready(BaseModel):
    """Titles can be looked up."""

    status: Literal["ok"]


class Hour(BaseModel):
    """What was done within one hour, as far as the rows that say so are still kept."""

    hour: str = Field(description="Its beginning, in UTC.", examples=["2026-11-20T20:00Z"])
    searches: int = Field(description="Titles that were searched.")
    found: int = Field(description="Of these, found.")
    documents: int = Field(description="Verification jobs that ended.")
    failed: int = Field(description="Of these, failed.")


class RuntimeStatistics(BaseModel):
    """What the service has counted since its runtime store was made."""

    counters: dict[str, int]
    tables: dict[str, int] = Field(description="Records of each table of the runtime store.")
    jobs: dict[str, int] = Field(description="Verification jobs that are `waiting`, and those that are `running`.")
    hours: list[Hour] = Field(description="The last 24 hours, oldest first.")


class Problem(BaseModel):
    """An error, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What is wrong and what to do, for a person.")
    errors: list[dict[str, str]] = Field([], description="With 422: each field that is at fault, and why.")


ERRORS = {
    400: "The body cannot be decoded, or the batch is empty or too long.",
    401: "The bearer token is missing or wrong.",
    404: "The database file does not exist; or there is no such job or report.",
    408: "The body did not arrive in time.",
    409: "The job has not ended yet.",
    413: "The body is larger than 1 MiB, a document larger than 32 MiB.",
    422: "A field is missing, of the wrong type or out of range.",
    429: "Too many requests from this client; `Retry-After` says when to try again.",
    500: "The look-up failed, or the runtime store stayed locked or cannot be written.",
    503: "Nothing can be looked up; or as many jobs wait as may.",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the documentation of a route's error answers."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": ERRORS[status], "content": content} for status in statuses}
