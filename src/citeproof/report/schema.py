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
    "Probability that the status is right. It is 0.5 if it was not measured, for example "
    "under every policy except default."
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
        str, _about("Why the query failed or was skipped, or on what the answer is based.")
    ]
    records: Annotated[int, _about("Number of records that the source returned.")]
    milliseconds: float
    method: str
    index: str
    candidates_examined: int
    complete: Annotated[
        bool,
        _about("True if it is proved that the source has no record with a more similar title."),
    ]
    from_cache: bool
    searched: bool
    """True if the source was searched for the title, or has the work."""


class CandidateObject(TypedDict):
    """A record and how well its title agrees."""

    title: str
    similarity: Annotated[
        float,
        _about(
            ("Similarity of the two titles: normalised Indel similarity of the normalised titles."),
            ge=0,
            le=1,
        ),
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
    url: Annotated[str, _about("URL of a page on the work, for people.")]
    source: str
    retraction: Annotated[
        str, _about("URL of the notice that retracts the work; empty if no notice is known.")
    ]
    concern: Annotated[
        str, _about("URL of an expression of concern about the work; empty if none is known.")
    ]


@_described
class NearestObject(CandidateObject):
    """A candidate that is compared with the reference field by field."""

    relation: Annotated[
        str,
        _about(
            "Relation of this work to the reference, in words: meant, title of, authors "
            "of, 2 of 3 authors of, title and DOI of, similar title..."
        ),
    ]
    found_by: Annotated[
        list[Annotated[str, _value_of(MatchKind)]], _about("How the work was found.")
    ]
    fields: Annotated[
        list[FieldComparison],
        _about(
            "The comparison of each of the fields title, authors, year, venue, doi and arxiv_id."
        ),
    ]
    bibtex: Annotated[str, _about("The work as a BibTeX entry in ASCII, ready to paste.")]


class ReferenceObject(TypedDict):
    """The reference as the author wrote it. The result has its key and its position."""

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
            "True if the fields were read from running text, so that they may begin or end "
            "at a wrong position."
        ),
    ]
    doubts: Annotated[
        list[str], _about("Reasons why the fields may have been read wrongly, in words.")
    ]


@_described
class ChanceObject(TypedDict):
    """The chance that a reference is invented. A reference with a wrong detail is not invented."""

    invented: Annotated[
        float, _about("Probability that the reference is invented, at this base rate.", ge=0, le=1)
    ]
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
    line: Annotated[int, _about("First line of the entry, from 1; 0 if the document has no lines.")]
    page: int
    """Page on which the entry begins, from 1; 0 in a document without pages."""
    status: Annotated[str, _value_of(Status)]
    reason: Annotated[str, _about("Stable code of the reason; docs/verdicts.md lists all codes.")]
    confidence: Annotated[float, _about(_CONFIDENCE, ge=0, le=1)]
    chance: ChanceObject | None
    """The chance that the reference is invented.

    Null if the reference was not checked, and under every policy except default.
    """
    issues: list[Issue]
    notes: Annotated[
        int,
        _about(
            "Number of the issues that are notes, which do not count against the reference.", ge=0
        ),
    ]
    best_match: CandidateObject | None
    meant: list[NearestObject]
    """Works that may be the cited work: best_match first, then the most similar works. Empty if the
    verdict is VALID.
    """
    flags: list[str]
    notices: list[Notice]
    """The notices on which the flags retracted and expression_of_concern are based, if no record of
    the work was found. Otherwise best_match has the notices.
    """
    decided_by: str
    """Name of the strategy that decided the verdict; empty if no strategy was used."""
    searched: str
    """If the verdict is UNVERIFIED: what was searched, and what this means, in words; otherwise
    empty.
    """
    policy: str
    """Name of the policy under which the verdict was decided; empty if the reference was not
    checked.
    """
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
    """Expected number of invented references in the paper."""
    one: Annotated[
        float, _about("Probability that the paper has at least one invented reference.", ge=0, le=1)
    ]
    three: Annotated[
        float,
        _about("Probability that the paper has at least three invented references.", ge=0, le=1),
    ]
    carried_by: list[str]
    """Keys, or else DOIs or titles, of the at most five references that raise the expected number
    most.
    """


@_described
class PaperObject(TypedDict):
    """Totals of one paper."""

    name: str
    """Name of the paper, as in the field paper of its results."""
    entries: int
    """Number of entries: always the sum of by_status."""
    by_status: dict[str, int]
    invented: InventedObject


@_described
class StatisticsObject(TypedDict):
    """Totals of a run."""

    entries: int
    """Number of entries: always the sum of by_status."""
    by_status: dict[str, int]
    accepted: dict[str, int]
    """Number of accepted entries for each status; statuses without such entries are left out."""
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
    """The database that was queried; empty if no database was queried."""
    policy: str
    """Name of the policy, which gives each difference a weight: docs/policies.md."""
    settings: Annotated[
        dict[str, str],
        _about(
            "Settings of a project that affect what is found or flagged: a map from the "
            "name of the setting to the path of the settings file."
        ),
    ]
    notes: Annotated[list[str], _about("Messages about the whole run.")]
    ending: Annotated[
        str,
        _value_of(Ending),
        _about(
            "complete; interrupted or failed if the entries after the last result were not checked."
        ),
    ]
    sent: Annotated[
        list[OutgoingRequests],
        _about("The requests that were sent, for each host; empty for an offline run."),
    ]
    statistics: StatisticsObject
    extractions: list[Extraction]
    """How well each reference list in running text was read, one item for each document."""
    unread: Annotated[
        list[Unread], _about("The lines of running text that belong to no reference.")
    ]
    papers: list[PaperObject]
    """The papers in the order of the input; their entries add up to statistics.entries."""
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
    found: Annotated[
        bool, _about("True if the database has a title whose similarity reaches the threshold.")
    ]
    query_title: Annotated[
        str, _about("The title that was looked up: trimmed, with single spaces.")
    ]


class LookupObject(_Query, CandidateObject):
    """The result for one title. If a record was found, its fields are on the same level as
    `found`.
    """

    __pydantic_config__ = only_required(*ALWAYS)  # type: ignore[misc]

    near: Annotated[
        bool,
        _about(
            "True if the title of the best record differs from the given title by more "
            "than typing errors; otherwise absent."
        ),
    ]
    others: Annotated[
        list[CandidateObject],
        _about(
            "Further records whose title is as similar as that of the best record; with "
            "`all`, further records that reach the threshold, the most similar first. At "
            "most 100."
        ),
    ]
    total: Annotated[
        int,
        _about(
            "If `found` is true: number of records whose title is as similar as that of "
            "the best record, including this record; with `all`, number of records that "
            "reach the threshold."
        ),
    ]
    all: Annotated[
        bool,
        _about("If `found` is true: true if all records that reach the threshold were requested."),
    ]
    nearest: Annotated[
        CandidateObject | None,
        _about(
            "If `found` is false: the record with the most similar title below the threshold, "
            "if known."
        ),
    ]
    related: Annotated[
        list[CandidateObject],
        _about(
            "If `found` is false: at most 100 records that have the DOI or arXiv id that "
            "was given in place of a title, or a title that differs only in a subtitle or "
            "in the order of words."
        ),
    ]
    method: Annotated[str, _value_of(Method)]
    index_used: Annotated[str, _about("Name of the index that was used; empty for brute force.")]
    candidates_examined: Annotated[
        int, _about("Number of titles that were compared with the given title.", ge=0)
    ]
    complete: Annotated[
        bool,
        _about("True if it is proved that no other title in the database is more similar."),
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
