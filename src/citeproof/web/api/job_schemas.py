"""The shapes of what is verified: bodies of requests, jobs and their events."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from citeproof import formats
from citeproof.json_object import member
from citeproof.results import Ending
from citeproof.runtime.jobs import JobDocument, JobState
from citeproof.serialization import ResultObject, RunObject, run_object
from citeproof.web.api.request_schemas import VISIBLE
from citeproof.web.jobs.limits import MAX_REFERENCES
from citeproof.web.jobs.verdicts import run_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.runtime.jobs import Job

MAX_NAME = 200
MAX_TEXT = 4_000_000
Text = Annotated[str, StringConstraints(strict=True, max_length=MAX_TEXT, min_length=1)]
Name = Annotated[str, StringConstraints(strict=True, max_length=MAX_NAME)]
Format = Annotated[str, StringConstraints(strict=True), Field(json_schema_extra={"enum": ["", *formats.names()]})]
_GIVEN = ("text", "bibtex", "references")
_SAYING = ("text", "title", "doi", "arxiv_id")
"""Fields of one reference of which one must say something."""


def _without_default(schema: dict[str, Any]) -> None:
    """Leave out the value that stands for a field that is not given: no client may send it."""
    schema.pop("default", None)


class OneReference(BaseModel):
    """A reference: its text alone, or its fields."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "title": "Deep Residual Learning for Speech Recognition",
                    "authors": ["Kaiming He", "Xiangyu Zhang"],
                    "year": 2016,
                }
            ],
            "anyOf": [{"required": [name], "properties": {name: {"pattern": VISIBLE}}} for name in _SAYING],
        }
    )

    text: Annotated[str, StringConstraints(strict=True, max_length=3_000)] = Field(
        "", description="As it stands in a paper, or a title, a DOI, an arXiv id, one BibTeX entry."
    )
    title: Annotated[str, StringConstraints(strict=True, max_length=2_000)] = ""
    authors: list[Annotated[str, StringConstraints(strict=True, max_length=300)]] = Field([], max_length=5_000)
    year: int | None = Field(None, strict=True, ge=0, le=9_999)
    venue: Annotated[str, StringConstraints(strict=True, max_length=2_000)] = ""
    doi: Annotated[str, StringConstraints(strict=True, max_length=500)] = ""
    arxiv_id: Annotated[str, StringConstraints(strict=True, max_length=100)] = ""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not any(re.search(VISIBLE, getattr(self, name)) for name in _SAYING):
            raise PydanticCustomError("nothing", "holds no reference: send text, or a title, doi or arxiv_id")
        return self

    def document(self) -> JobDocument:
        """Return the reference as a document."""
        if self.text.strip():
            return JobDocument(self.text.encode("utf-8", "replace"), pasted=True)
        fields = self.model_dump(exclude_defaults=True, exclude={"text"})
        return JobDocument(json.dumps([fields]).encode(), format="json-list")


class VerifyBody(BaseModel):
    """What is to be verified: one of `text`, `bibtex` and `references`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"text": "K. He, X. Zhang. Deep residual learning for speech recognition. CVPR 2016."}],
            "oneOf": [{"required": [name]} for name in _GIVEN],
        }
    )

    text: Text = Field(
        "",
        json_schema_extra=_without_default,
        description="Anything: a title, a DOI, an arXiv id, a reference, a list of references, a bibliography.",
    )
    bibtex: Text = Field("", json_schema_extra=_without_default, description="BibTeX entries.")
    references: list[dict[str, Any] | Annotated[str, Field(strict=True)]] = Field(
        [],
        json_schema_extra=_without_default,
        min_length=1,
        max_length=MAX_REFERENCES,
        description="Objects with `title`, `authors`, `year`, `venue`, `doi`, `arxiv_id` and `key`; a text is a title.",
    )
    name: Name = Field("", description="What the results call the document.")
    format: Format = Field("", description="The format of `text`; empty: to be found out.")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self.model_fields_set.intersection(_GIVEN)) != 1:
            raise PydanticCustomError("not_one", "must have exactly one of text, bibtex and references")
        if self.format and self.format not in formats.names():
            raise PydanticCustomError("format", f"has no format of that name: {', '.join(formats.names())}")
        return self

    def document(self) -> JobDocument:
        """Return it as a document."""
        name = plain_name(self.name)
        if self.references:
            return JobDocument(json.dumps(self.references).encode(), name, "json-list")
        if self.bibtex:
            return JobDocument(self.bibtex.encode("utf-8", "replace"), name, "bibtex")
        return JobDocument(self.text.encode("utf-8", "replace"), name, self.format, pasted=True)


def plain_name(name: str) -> str:
    """Return the last part of a file's name, without what could break a line or hide in one."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(sign for sign in last if sign.isprintable())[:MAX_NAME].strip()


class JobAnswer(BaseModel):
    """A job as it is now."""

    id: str
    state: JobState
    ended: bool = Field(description="Nobody works on it any more: it is finished or failed.")
    address: str = Field(description="Where a person sees it.")
    name: str = Field(description="Of the document, as it was sent.")
    taken_for: str = Field(
        description="What the document was taken for: `title`, `titles`, `doi`, `arxiv_id`, `reference`, or a format; "
        "empty until it is read."
    )
    created_at: str
    finished_at: str = Field(description="Empty until it has ended.")
    attempts: int = Field(description="How often a worker has taken it up; more than 1 after a crash.")
    total: int | None = Field(description="Entries of the document; null until it is read to its end.")
    done: int = Field(description="Verdicts so far.")
    by_status: dict[str, int] = Field(description="Verdicts so far, by status.")
    ending: Ending
    reason: str = Field(description="Why it failed; empty otherwise.")


class JobWithRun(JobAnswer):
    """A job, and what it has found so far."""

    run: RunObject = Field(description="As `citeproof verify --format json` prints it.")


class VerdictEvent(ResultObject):
    """One verdict of a job."""

    index: int = member(description="Its place in the document, from 0.")


def job_object(job: Job) -> dict[str, Any]:
    """Return a job without its results."""
    return {
        "id": job.job_id,
        "state": job.state.value,
        "ended": job.ended,
        "address": f"/jobs/{job.job_id}",
        "name": job.name,
        "taken_for": job.header.taken_for if job.header else "",
        "created_at": job.created_at,
        "finished_at": job.finished_at,
        "attempts": job.attempts,
        "total": job.header.total if job.header else None,
        "done": job.done,
        "by_status": dict(job.by_status),
        "ending": job.ending.value,
        "reason": job.reason,
    }


def job_with_run(job: Job, kept: Sequence[bytes]) -> dict[str, Any]:
    """Return a job with the verdicts ``kept`` of it."""
    return job_object(job) | {"run": run_object(run_of(job, kept))}
