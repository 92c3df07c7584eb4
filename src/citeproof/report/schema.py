"""Types of the JSON results: typed dictionaries, or classes of the model if these have the same
fields.

:mod:`citeproof.report.serialization` makes the objects, and mypy checks their types. From the types
and their docstrings, pydantic makes the published schema ``results.schema.json`` (``make schema``),
and FastAPI the OpenAPI document. Modules that only write results import this module only for type
checking, because it loads pydantic.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, GetPydanticSchema, TypeAdapter, with_config
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import TypedDict

from citeproof.model.account import Unread
from citeproof.model.chance import Fact
from citeproof.model.findings import FieldComparison, Outcome
from citeproof.model.record import MatchKind, Method, Notice
from citeproof.model.reference import Extraction
from citeproof.model.run import Ending
from citeproof.model.stored import JsonObject
from citeproof.model.verdict import Acceptance, Issue, OutgoingRequests, Status

DESCRIBED = ConfigDict(
    use_attribute_docstrings=True, json_schema_serialization_defaults_required=True
)
"""Pydantic configuration by which docstrings of fields become descriptions in the JSON schema."""
_described = with_config(DESCRIBED)
_CONFIDENCE = (
    "Probability that the status is right; 0.5 where it was not measured, as under every policy but"
    " default."
)


def _value_of(enum: Any) -> GetPydanticSchema:
    """Return an annotation that gives a string the JSON schema of ``enum``: ``Annotated[str,
    _value_of(Status)]``.
    """
    return GetPydanticSchema(lambda _, handler: handler(enum))


def _about(description: str, **constraints: Any) -> Any:
    return Field(description=description, **constraints)


@_described
class InquiryObject(TypedDict):
    """One query to one source."""

    source: str
    outcome: Annotated[str, _value_of(Outcome)]
    detail: Annotated[
        str, _about("Why the query failed or was skipped, or what the answer is based on.")
    ]
    records: Annotated[int, _about("Number of records that the source returned.")]
    milliseconds: float
    method: str
    index: str
    candidates_examined: int
    complete: Annotated[bool, _about("Whether it is proved that the source has no better record.")]
    from_cache: bool
    searched: bool
    """Whether the source was searched by title, or has the work."""


class CandidateObject(TypedDict):
    """A record and how well its title agrees."""

    title: str
    similarity: Annotated[
        float, _about("Normalised Indel similarity of the normalised titles.", ge=0, le=1)
    ]
    match: Annotated[
        str, _value_of(MatchKind), _about("What agrees between the record and the query.")
    ]
    year: int | None
    venue: str
    pub_type: str
    authors: list[str]
    key: str
    doi: str
    arxiv_id: str
    url: Annotated[str, _about("Where a person can see the work.")]
    source: str
    retraction: Annotated[
        str, _about("Address of the notice that retracts the work; empty if none is known.")
    ]
    concern: Annotated[str, _about("Address of an expression of concern; empty if none is known.")]


@_described
class NearestObject(CandidateObject):
    """A candidate that is compared with the reference field by field."""

    relation: Annotated[
        str,
        _about(
            "How it is related to the cited work, in words: meant, title of, authors of, 2 of 3"
            " authors of, title and DOI of, similar title..."
        ),
    ]
    found_by: Annotated[
        list[Annotated[str, _value_of(MatchKind)]], _about("What the work was found by.")
    ]
    fields: Annotated[
        list[FieldComparison], _about("One each for title, authors, year, venue, doi and arxiv_id.")
    ]
    bibtex: Annotated[str, _about("The work as a BibTeX entry in ASCII, ready to paste.")]


class ReferenceObject(TypedDict):
    """The reference as cited. Its key and its place are in the result."""

    title: str
    authors: list[str]
    and_others: bool
    year: int | None
    venue: str
    entry_type: str
    doi: str
    arxiv_id: str
    pages: str
    volume: str
    number: str
    url: str
    publisher: str
    note: str
    raw: str
    from_text: Annotated[
        bool,
        _about(
            "Its fields were read from running text, so they may begin or end in a wrong place."
        ),
    ]
    doubts: Annotated[list[str], _about("Reasons why its fields may be wrong, in words.")]


@_described
class ChanceObject(TypedDict):
    """The chance that a reference is invented. A wrong detail is no invention."""

    invented: Annotated[float, _about("The probability under the base rate.", ge=0, le=1)]
    base_rate: float
    """Assumed share of invented references: the setting base_rate."""
    facts: list[Fact]
    """The three facts with the largest effect, the largest first."""


@_described
class ResultObject(TypedDict):
    """The verdict on one reference, with its evidence."""

    key: str
    paper: str
    """Name of the citing paper: the LaTeX project, otherwise the file."""
    file: str
    line: Annotated[int, _about("First line of the entry, from 1; 0 without a file.")]
    page: int
    """Page on which the entry begins, from 1; 0 in a document without pages."""
    status: Annotated[str, _value_of(Status)]
    reason: Annotated[str, _about("Stable code of the reason; docs/verdicts.md lists all.")]
    confidence: Annotated[float, _about(_CONFIDENCE, ge=0, le=1)]
    chance: ChanceObject | None
    """How likely the reference is invented.

    Null if nothing was decided, and under every policy but default.
    """
    issues: list[Issue]
    notes: Annotated[
        int, _about("How many of the issues are notes, which do not count against it.", ge=0)
    ]
    best_match: CandidateObject | None
    meant: list[NearestObject]
    """Empty if VALID; otherwise works that may be the cited work: best_match, then the most similar
    works.
    """
    flags: list[str]
    notices: list[Notice]
    """The notices behind the flags retracted and expression_of_concern if no record of the work was
    found. Otherwise best_match has them.
    """
    decided_by: str
    """Strategy after which the verdict did not change; empty if none was asked."""
    searched: str
    """If UNVERIFIED: what was searched, and what the miss means, in words; else empty."""
    policy: str
    """The policy under which it was decided; empty if nothing was decided."""
    acceptance: Acceptance | None
    """Null if nobody has accepted the reference.

    While an acceptance holds, the result does not count for the exit code.
    """
    evidence: list[InquiryObject]
    reference: ReferenceObject


@_described
class InventedObject(TypedDict):
    """Number of invented references in a paper, estimated from the chances of its references."""

    expected: float
    """Expected number."""
    one: Annotated[float, _about("Probability of at least one.", ge=0, le=1)]
    three: Annotated[float, _about("Probability of at least three.", ge=0, le=1)]
    carried_by: list[str]
    """Keys, else DOIs or titles, of the references that raise it most, at most five."""


@_described
class PaperObject(TypedDict):
    """Totals of one paper."""

    name: str
    """As in the field paper of its results."""
    entries: int
    """Always the sum of by_status."""
    by_status: dict[str, int]
    invented: InventedObject


@_described
class StatisticsObject(TypedDict):
    """Totals of a run."""

    entries: int
    """Always the sum of by_status."""
    by_status: dict[str, int]
    accepted: dict[str, int]
    """How many of by_status a person has accepted; statuses without any are left out."""
    by_strategy: dict[str, int]
    cache_hits: int
    lookups_by_method: dict[str, int]
    failures: dict[str, int]
    seconds: float
    references_per_second: float


@_described
class RunObject(TypedDict):
    """The whole run. A line of --format jsonl is one object of results."""

    schema_version: Literal[1]
    database: JsonObject
    """The database that was asked; empty if none was."""
    policy: str
    """Name of the policy, which weighs differences: docs/policies.md."""
    settings: Annotated[
        dict[str, str],
        _about(
            "Each setting that a project's file set and that decides what is found or flagged, with"
            " the path of the file."
        ),
    ]
    notes: Annotated[list[str], _about("What concerns the whole run.")]
    ending: Annotated[
        str,
        _value_of(Ending),
        _about(
            "complete; or interrupted or failed, if entries after the last result were not checked."
        ),
    ]
    sent: Annotated[
        list[OutgoingRequests], _about("What was sent to which host; empty for an offline run.")
    ]
    statistics: StatisticsObject
    extractions: list[Extraction]
    """One for each document whose references are running text."""
    unread: Annotated[
        list[Unread], _about("The lines of running text that belong to no reference.")
    ]
    papers: list[PaperObject]
    """The papers in their order; their entries add up to statistics."""
    results: list[ResultObject]


ALWAYS = (
    "found",
    "query_title",
    "method",
    "index_used",
    "candidates_examined",
    "complete",
    "duration_ms",
)
"""Fields that each answer to a look-up has, even if the title was not found."""


def only_required(*names: str, **extra: Any) -> ConfigDict:
    """Return a pydantic configuration by which only the fields ``names`` are required in the JSON
    schema.
    """
    return ConfigDict(json_schema_extra={"required": list(names), **extra})


class _Query(TypedDict):
    found: Annotated[bool, _about("A title at or above the threshold is in the database.")]
    query_title: Annotated[
        str, _about("The title as it was looked up: trimmed, with single spaces.")
    ]


class LookupObject(_Query, CandidateObject):
    """The answer to one title, flat: with a match, the match's fields are at the same level as
    `found`.
    """

    __pydantic_config__ = only_required(*ALWAYS)  # type: ignore[misc]

    near: Annotated[
        bool,
        _about(
            "True if the title of the best record differs by more than typing errors; else absent."
        ),
    ]
    others: Annotated[
        list[CandidateObject],
        _about(
            "Records with a title as similar as the best, or with `all` further records that reach"
            " the threshold, best first; at most 100 of them."
        ),
    ]
    total: Annotated[
        int,
        _about(
            "With `found` true: how many records have a title as similar as the best, the best"
            " among them; with `all` how many reach the threshold."
        ),
    ]
    all: Annotated[
        bool,
        _about("With `found` true: whether all records that reach the threshold were asked for."),
    ]
    nearest: Annotated[
        CandidateObject | None,
        _about("With `found` false: the best title below the threshold, if known."),
    ]
    related: Annotated[
        list[CandidateObject],
        _about(
            "With `found` false: records with the DOI or arXiv id that was given in place of a"
            " title, and titles that agree but for a subtitle or the order of words; at most 100."
        ),
    ]
    method: Annotated[str, _value_of(Method)]
    index_used: Annotated[str, _about("Which index was used; empty for brute force.")]
    candidates_examined: Annotated[
        int, _about("Titles that were compared with the one looked up.", ge=0)
    ]
    complete: Annotated[
        bool,
        _about("Whether it is proved that the database has no better title."),
    ]
    duration_ms: Annotated[float, Field(ge=0)]


def schema_of(shape: Any) -> JsonObject:
    """Return the JSON schema of ``shape``, a type of this module."""
    return TypeAdapter(shape).json_schema(mode="serialization", schema_generator=_PlainSchema)


class _PlainSchema(GenerateJsonSchema):
    """Generates JSON schemas without titles that only repeat the name of a field."""

    def field_title_should_be_set(self, _: Any) -> bool:
        return False


def results_schema() -> JsonObject:
    """Return the JSON schema of a run."""
    title = "Results of citeproof verify --format json"
    return {"$schema": GenerateJsonSchema.schema_dialect, **schema_of(RunObject), "title": title}


if __name__ == "__main__":
    print(json.dumps(results_schema(), indent=2))
