"""Pydantic models of request and response bodies, and functions that convert jobs to JSON
objects.
"""

import json
import re
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
    model_validator,
)
from pydantic.types import StringConstraints
from pydantic_core import PydanticCustomError

from citeproof.model.record import Candidate, Lookup, Method, Record
from citeproof.model.run import Ending
from citeproof.model.stored import JsonObject
from citeproof.readers import formats
from citeproof.report.schema import ALWAYS, LookupObject, RunObject, only_required
from citeproof.report.serialization import lookup_object, run_object
from citeproof.store.runtime.jobs import MOST_VERDICTS, Job, JobDocument, JobState, JobStore
from citeproof.text.normalize import LONGEST_TITLE
from citeproof.web.jobs.verdicts import run_of
from citeproof.web.options import MAX_NAME, MAX_REFERENCES

_MAX_CANDIDATES = 500_000  # maximum value of the request field max_candidates
DEFAULT_CANDIDATES = 100_000
"""Default of the request field ``max_candidates``: the maximum number of titles that an index
compares with the query.
"""
MAX_BATCH_TITLES = 200
_EXAMPLES: list[Any] = ["Attention Is All You Need", "Deep Residual Learning for Image Recognition"]
VISIBLE = r"[^\s\x1c-\x1f\x85\ufeff]"
"""Regex for a character that is not white space in Python, JavaScript or Rust."""


def collapse(title: str) -> str:
    """Replace each sequence of white space in ``title`` by one space, and remove white space at
    both ends.
    """
    return " ".join(title.split())


def _not_blank(title: str) -> str:
    if not re.search(VISIBLE, title):
        raise PydanticCustomError("string_too_short", "must not be empty")
    return title


Text = Annotated[
    str,
    StringConstraints(strict=True, max_length=LONGEST_TITLE),
    # The length is measured without surplus white space. Values that are not strings are refused by
    # the type check.
    BeforeValidator(lambda value: collapse(value) if isinstance(value, str) else value),
]
Candidates = Annotated[
    StrictInt,
    Field(
        ge=1,
        le=_MAX_CANDIDATES,
        description=(
            "Maximum number of titles that an index compares with the given title. Without "
            "an index, all titles of the database are compared."
        ),
    ),
    # JSON Schema treats 5.0 as an integer.
    BeforeValidator(
        lambda value: int(value) if isinstance(value, float) and value.is_integer() else value
    ),
]

Every = Annotated[
    bool,
    Field(
        strict=True,
        description=(
            "True to get all records that reach the threshold, and not only those with the "
            "most similar title."
        ),
    ),
]


class TitleSearch(BaseModel):
    """One title to look up; other fields are ignored."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"title": "Attention Is All You Need"}]}
    )

    title: Annotated[Text, AfterValidator(_not_blank)] = Field(
        description="At least one character that is not white space.",
        json_schema_extra={"pattern": VISIBLE},
    )
    max_candidates: Candidates = DEFAULT_CANDIDATES
    all: Every = False


class TitleBatch(BaseModel):
    """Titles to look up one after another; other fields are ignored."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"titles": _EXAMPLES}]})

    titles: list[Text] = Field(
        description=(
            f"At most {MAX_BATCH_TITLES} different titles. Blank titles and repeated titles "
            "(ignoring case) are dropped."
        ),
        json_schema_extra={"contains": {"type": "string", "pattern": VISIBLE}},
    )
    max_candidates: Candidates = DEFAULT_CANDIDATES
    all: Every = False


def distinct(titles: list[str]) -> list[tuple[int, str]]:
    """Return pairs of position and title, without blank and repeated titles: ``["A", "a", "B"]``
    becomes ``[(0, "A"), (2, "B")]``.
    """
    first: dict[str, tuple[int, str]] = {}
    for place, title in enumerate(map(collapse, titles)):
        if re.search(VISIBLE, title):
            first.setdefault(title.casefold(), (place, title))
    return list(first.values())


_MAX_TEXT = 4_000_000  # maximum number of characters of the request fields text and bibtex
Pasted = Annotated[str, Field(strict=True, max_length=_MAX_TEXT, min_length=1)]
# fields of a request to /api/verify: exactly one must be present
_EXACTLY_ONE_OF = ("text", "bibtex", "references")
# fields of a reference: at least one must have a value
_AT_LEAST_ONE_OF = ("text", "title", "doi", "arxiv_id")
_KINDS = (
    "The reference as text, as it is printed in a paper; or a title, a DOI, an arXiv id, or "
    "one BibTeX entry."
)
_CITED = "Deep Residual Learning for Speech Recognition"


class OneReference(BaseModel):
    """A reference, as text or as fields."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"title": _CITED, "authors": ["Kaiming He", "Xiangyu Zhang"], "year": 2016}
            ],
            "anyOf": [
                {"required": [name], "properties": {name: {"pattern": VISIBLE}}}
                for name in _AT_LEAST_ONE_OF
            ],
        }
    )

    text: str = Field("", strict=True, max_length=3_000, description=_KINDS)
    title: str = Field("", strict=True, max_length=2_000)
    authors: list[Annotated[str, Field(strict=True, max_length=300)]] = Field([], max_length=5_000)
    year: int | None = Field(None, strict=True, ge=0, le=9_999)
    venue: str = Field("", strict=True, max_length=2_000)
    doi: str = Field("", strict=True, max_length=500)
    arxiv_id: str = Field("", strict=True, max_length=100)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not any(re.search(VISIBLE, getattr(self, name)) for name in _AT_LEAST_ONE_OF):
            raise PydanticCustomError(
                "nothing", "has no reference: send text, or a title, doi or arxiv_id"
            )
        return self

    def document(self) -> JobDocument:
        """Return the reference as a :class:`JobDocument`, which can be verified."""
        if self.text.strip():
            return JobDocument(self.text.encode("utf-8", "replace"), pasted=True)
        fields = self.model_dump(exclude_defaults=True, exclude={"text"})
        return JobDocument(json.dumps([fields]).encode(), format="json-list")


def _describe_document(schema: JsonObject) -> None:
    """Change ``schema`` so that exactly one of ``text``, ``bibtex`` and ``references`` must be
    sent.
    """
    schema["examples"] = [
        {"text": "K. He, X. Zhang. Deep residual learning for speech recognition. CVPR 2016."}
    ]
    schema["oneOf"] = [{"required": [name]} for name in _EXACTLY_ONE_OF]
    for name in _EXACTLY_ONE_OF:
        del schema["properties"][name]["default"]


class VerifyBody(BaseModel):
    """A document to verify: one of `text`, `bibtex` and `references`."""

    model_config = ConfigDict(json_schema_extra=_describe_document)

    text: Pasted = Field(
        "",
        description=(
            "Text of any kind: a title, a DOI, an arXiv id, a reference, a list of references, a"
            " bibliography."
        ),
    )
    bibtex: Pasted = Field("", description="BibTeX entries.")
    references: list[JsonObject | Annotated[str, Field(strict=True)]] = Field(
        [],
        min_length=1,
        max_length=MAX_REFERENCES,
        description=(
            "Objects with `title`, `authors`, `year`, `venue`, `doi`, `arxiv_id` and `key`; a text"
            " is a title."
        ),
    )
    name: str = Field(
        "", strict=True, max_length=MAX_NAME, description="Name of the document in the results."
    )
    format: Annotated[
        str, Field(strict=True, json_schema_extra={"enum": ["", *formats.names()]})
    ] = Field("", description="Format of `text`; empty to detect it.")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self.model_fields_set.intersection(_EXACTLY_ONE_OF)) != 1:
            raise PydanticCustomError(
                "not_one", "must have exactly one of text, bibtex and references"
            )
        if self.format and self.format not in formats.names():
            raise PydanticCustomError(
                "format", f"has no format of that name: {', '.join(formats.names())}"
            )
        return self

    def document(self) -> JobDocument:
        """Return the text, BibTeX or references of the request as a :class:`JobDocument`, which can
        be verified.
        """
        if self.references:
            return JobDocument(json.dumps(self.references).encode(), self.name, "json-list")
        if self.bibtex:
            return JobDocument(self.bibtex.encode("utf-8", "replace"), self.name, "bibtex")
        return JobDocument(
            self.text.encode("utf-8", "replace"), self.name, self.format, pasted=True
        )


_RECORD = Record(
    "conf/nips/VaswaniSPUJGKP17",
    "Attention is All you Need",
    ("Ashish Vaswani", "Noam Shazeer"),
    2017,
    "NIPS",
    "inproceedings",
    url="https://papers.nips.cc/paper/7181-attention-is-all-you-need",
    source="dblp",
)
_QUERY, _BEST = "Attention Is All You Need", Candidate(_RECORD, 1.0)
_FOUND = lookup_object(
    Lookup(_QUERY, 0.9, (_BEST,), None, Method.INDEXED, "title_index", 1, True, 0.21)
)


class LookupAnswer(LookupObject):
    """The answer to one title. If a record matches, its fields are at the same level as `found`."""

    __pydantic_config__ = only_required(*ALWAYS, examples=[_FOUND])  # type: ignore[misc]


class BatchItem(LookupObject):
    """One title of a batch. With an `error`, the only other fields are `index`, `found` and
    `query_title`.
    """

    __pydantic_config__ = only_required(  # type: ignore[misc]
        "index", "found", "query_title", "error", examples=[{"index": 0, **_FOUND, "error": None}]
    )

    index: Annotated[
        int, Field(ge=0, description="Position of the title in the list that was sent, from 0.")
    ]
    error: str | None


class BatchSummary(BaseModel):
    """The counts of a batch."""

    run_id: str
    limit: int = Field(description="Maximum titles of one batch.")
    total_input: int = Field(
        description="Number of titles that were sent, including blank and repeated titles."
    )
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
    error: str = Field(
        "", description="Why the database is not available; empty if it is available."
    )


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
    ended: bool = Field(description="True if the job has finished or failed.")
    address: str = Field(description="URL of the job's page.")
    name: str = Field(description="Name of the document that was sent.")
    taken_for: str = Field(
        description=(
            "Detected kind of the document: `title`, `titles`, `doi`, `arxiv_id`, `reference`, or a"
            " format; empty until it is read."
        )
    )
    created_at: str
    finished_at: str = Field(description="Empty until the job has ended.")
    attempts: int = Field(
        description=(
            "Number of workers that have taken the job since its last verdict; more than 1 "
            "after a crash."
        )
    )
    total: int | None = Field(
        description="Number of entries of the document; null until the whole document was read."
    )
    done: int = Field(description="Number of verdicts so far.")
    by_status: dict[str, int] = Field(description="Number of verdicts so far, for each status.")
    ending: Ending
    reason: str = Field(description="Cause of a failure; empty if the job has not failed.")


class JobWithRun(JobAnswer):
    """A job with the run: the verdicts so far."""

    run: RunObject = Field(description="The object that `citeproof verify --format json` prints.")


def job_object(job: Job) -> JsonObject:
    """Return the state of ``job`` as a JSON object with the fields of :class:`JobAnswer`.

    Verdicts are left out.
    """
    names = {"id": job.job_id, "address": f"/jobs/{job.job_id}"}
    return {
        name: names[name] if name in names else getattr(job, name)
        for name in JobAnswer.model_fields
    }


def job_with_run(
    store: JobStore, job: Job, first: int = 0, most: int = MOST_VERDICTS
) -> JsonObject:
    """Return ``job`` as a JSON object with up to ``most`` verdicts.

    Verdicts before position ``first`` are left out.
    """
    return job_object(job) | {
        "run": run_object(run_of(job, store.verdicts(job.job_id, first, most)))
    }
