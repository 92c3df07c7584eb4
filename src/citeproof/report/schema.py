"""The shapes of the JSON results, each declared once as a typed dictionary.

:mod:`citeproof.report.serialization` makes the values; mypy compares them with these declarations. pydantic derives
the published schema ``results.schema.json`` (``make schema``) and FastAPI the shapes in the OpenAPI document. Importing
this module loads pydantic, so a run that only writes results imports it for type checking alone.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, GetPydanticSchema, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import TypedDict

from citeproof.model.findings import Agreement, Outcome
from citeproof.model.record import MatchKind, Method
from citeproof.model.reference import Severity
from citeproof.model.run import Ending
from citeproof.model.verdict import Lapse, Status


def _value_of(enum: Any) -> GetPydanticSchema:
    """Declare a text that is the value of a member of ``enum``: ``Annotated[str, _value_of(Status)]``."""
    return GetPydanticSchema(lambda _, handler: handler(enum))


def _about(description: str, **constraints: Any) -> Any:
    return Field(description=description, **constraints)


class IssueObject(TypedDict):
    """One difference."""

    code: Annotated[str, _about("Stable; docs/verdicts.md lists them.")]
    severity: Annotated[str, _value_of(Severity)]
    cited: str
    recorded: str
    explanation: Annotated[str, _about("One line that a person can act on.")]


class InquiryObject(TypedDict):
    """One query to one source."""

    source: str
    outcome: Annotated[str, _value_of(Outcome)]
    detail: Annotated[str, _about("Why it failed or was skipped, or what the answer rests on.")]
    records: Annotated[int, _about("Records it brought.")]
    milliseconds: float
    method: str
    index: str
    candidates_examined: int
    complete: Annotated[bool, _about("The source proved that it holds nothing better.")]
    from_cache: bool
    searched: Annotated[
        bool,
        _about("The source was searched by title or has the work, so that its answer is about the work."),
    ]


class FieldObject(TypedDict):
    """One field as it is cited and as it is recorded."""

    field: Annotated[str, GetPydanticSchema(lambda _, handler: handler(FieldName))]
    agreement: Annotated[
        str,
        _value_of(Agreement),
        _about("unclear: both state something that cannot be compared; absent: one of the two states nothing."),
    ]
    cited: str
    recorded: str
    only_cited: Annotated[list[str], _about("Of a title the words, of authors the names that the record lacks.")]
    only_recorded: Annotated[list[str], _about("The record's own words and names that are not cited.")]


FieldName = Literal["title", "authors", "year", "venue", "doi", "arxiv_id"]


class CandidateObject(TypedDict):
    """A record and how well its title agrees."""

    title: str
    similarity: Annotated[float, _about("Normalised Indel similarity of the normalised titles.", ge=0, le=1)]
    match: Annotated[str, _value_of(MatchKind), _about("What the record has in common with what was asked for.")]
    year: int | None
    venue: str
    pub_type: str
    authors: list[str]
    key: str
    doi: str
    arxiv_id: str
    url: Annotated[str, _about("Where a person can see the work.")]
    source: str
    retraction: Annotated[str, _about("Address of the notice that retracts the work; empty when none is known.")]
    concern: Annotated[str, _about("Address of an expression of concern; empty when none is known.")]


class NearestObject(CandidateObject):
    """A candidate that is compared with the reference field by field."""

    relation: Annotated[
        str, _about("For people: meant, title of, authors of, 2 of 3 authors of, title and DOI of, similar title...")
    ]
    found_by: Annotated[list[Annotated[str, _value_of(MatchKind)]], _about("By what the work was found.")]
    fields: Annotated[list[FieldObject], _about("Always title, authors, year, venue, doi, arxiv_id, in this order.")]
    bibtex: Annotated[str, _about("The work as a BibTeX entry in ASCII, ready to paste.")]


class NoticeObject(TypedDict):
    """A notice about the cited work."""

    kind: Annotated[str, _about("retraction or concern.")]
    url: Annotated[str, _about("Where a person can read it.")]
    source: str


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
    from_text: Annotated[bool, _about("Its fields were read from running text, and may be parted wrongly.")]
    doubts: Annotated[list[str], _about("Why they may have been read wrongly, in words.")]


class AcceptanceObject(TypedDict):
    """A person has checked a reference and accepts it as it is."""

    because: str
    on: Annotated[str, _about("The day, YYYY-MM-DD.")]
    until: Annotated[str, _about("Its last day, YYYY-MM-DD; empty where it has no end.")]
    lapsed: Annotated[
        Annotated[str, _value_of(Lapse)] | None,
        _about("Why it no longer holds: the entry was changed, or its last day is over. Null while it does."),
    ]


class FactObject(TypedDict):
    """A fact that bears on the chance that a reference is invented."""

    code: Annotated[str, _about("Group and name, such as work.absent; docs/verdicts.md lists them.")]
    said: Annotated[str, _about("The fact in words.")]
    ratio: Annotated[float, _about("Its share among invented references, divided by its share among all others.")]


class ChanceObject(TypedDict):
    """The chance that a reference is invented. A wrong detail is no invention."""

    invented: Annotated[float, _about("The probability under the base rate.", ge=0, le=1)]
    base_rate: Annotated[float, _about("Share of invented references that was assumed: the setting base_rate.")]
    facts: Annotated[list[FactObject], _about("The three facts with the largest effect, the largest first.")]


class ResultObject(TypedDict):
    """The verdict on one reference, with its evidence."""

    key: str
    paper: Annotated[str, _about("Name of the paper that cites it; the file itself where that is no LaTeX project.")]
    file: str
    line: Annotated[int, _about("First line of the entry, from 1; 0 where there is no file.")]
    page: Annotated[int, _about("Page on which the entry begins, from 1; 0 where the document has no pages.")]
    status: Annotated[str, _value_of(Status)]
    reason: Annotated[str, _about("Stable; docs/verdicts.md lists them.")]
    confidence: Annotated[
        float,
        _about(
            "Probability that the status is right; 0.5 where it was not measured, as under every policy but default.",
            ge=0,
            le=1,
        ),
    ]
    chance: Annotated[
        ChanceObject | None,
        _about("Null where nothing was decided, and under every policy but default."),
    ]
    issues: list[IssueObject]
    best_match: CandidateObject | None
    meant: Annotated[
        list[NearestObject],
        _about("For anything not VALID: the nearest real works, nearest first, best_match before all."),
    ]
    flags: list[str]
    notices: Annotated[
        list[NoticeObject],
        _about("The notices behind such flags if no record of the work was found; otherwise best_match has them."),
    ]
    decided_by: Annotated[str, _about("The first strategy after which the decision stood; empty when none was asked.")]
    searched: Annotated[str, _about("Of UNVERIFIED, what was searched and what that is worth, in words; else empty.")]
    policy: Annotated[str, _about("The policy under which it was decided; empty where nothing could be decided on.")]
    acceptance: Annotated[
        AcceptanceObject | None,
        _about(
            "Null where nobody has accepted the reference. While one holds, the result does not count for "
            "the exit code."
        ),
    ]
    evidence: list[InquiryObject]
    reference: ReferenceObject


class InventedObject(TypedDict):
    """Number of invented references in a paper, estimated from the chances of its references."""

    expected: Annotated[float, _about("Expected number.")]
    one: Annotated[float, _about("Probability of at least one.", ge=0, le=1)]
    three: Annotated[float, _about("Probability of at least three.", ge=0, le=1)]
    carried_by: Annotated[list[str], _about("Keys of at most five references that speak for it, the strongest first.")]


class PaperObject(TypedDict):
    """Totals of one paper."""

    name: Annotated[str, _about("As in the field paper of its results.")]
    entries: Annotated[int, _about("Always the sum of by_status.")]
    by_status: dict[str, int]
    invented: InventedObject


class StatisticsObject(TypedDict):
    """Totals of a run."""

    entries: Annotated[int, _about("Always the sum of by_status.")]
    by_status: dict[str, int]
    accepted: Annotated[
        dict[str, int],
        _about("How many of by_status are accepted by a person; a status without any is left out."),
    ]
    by_strategy: dict[str, int]
    cache_hits: int
    lookups_by_method: dict[str, int]
    failures: dict[str, int]
    seconds: float
    references_per_second: float


class SentObject(TypedDict):
    """The requests to one host."""

    host: str
    requests: Annotated[int, _about("Retries and redirects among them.")]
    fields: Annotated[list[str], _about("Fields of the references whose content was sent.")]


class ExtractionObject(TypedDict):
    """How well the reference list of one paper could be read, by what the paper itself says."""

    file: str
    found: Annotated[int, _about("Entries that were read.")]
    expected: Annotated[int, _about("Entries that there should be, by the list's numbers and what the text cites.")]
    doubtful: Annotated[int, _about("Entries found that may have been read wrongly.")]
    uncited: Annotated[int | None, _about("Entries that the text does not cite; null where that cannot be told.")]
    fault: Annotated[str, _about("What is wrong with the list as a whole; empty where it looks right.")]


class RunObject(TypedDict):
    """The whole run. A line of --format jsonl is one object of results."""

    schema_version: Literal[1]
    database: Annotated[dict[str, Any], _about("What the answers rest on; empty when no database was asked.")]
    policy: Annotated[str, _about("What differences weigh: docs/policies.md.")]
    notes: Annotated[list[str], _about("What concerns the whole run.")]
    ending: Annotated[
        str,
        _value_of(Ending),
        _about("complete, or why entries after the last result were not checked: interrupted, failed."),
    ]
    sent: Annotated[list[SentObject], _about("What left the machine: empty for an offline run.")]
    statistics: StatisticsObject
    extractions: Annotated[list[ExtractionObject], _about("One for each document whose list is running text.")]
    papers: Annotated[list[PaperObject], _about("The papers in their order; their entries add up to statistics.")]
    results: list[ResultObject]


ALWAYS = ("found", "query_title", "method", "index_used", "candidates_examined", "complete", "duration_ms")
"""The fields of a look-up that do not depend on whether the title was found."""


def only_required(*names: str, **extra: Any) -> ConfigDict:
    """Return the configuration of a shape whose fields are optional, except ``names``."""
    return ConfigDict(json_schema_extra={"required": list(names), **extra})


class _Query(TypedDict):
    found: Annotated[bool, _about("A title at or above the threshold is in the database.")]
    query_title: Annotated[str, _about("The title as it was looked up: trimmed, with single spaces.")]


class LookupObject(_Query, CandidateObject):
    """The answer to one title, flat: with a match, the match's fields are at the same level as `found`."""

    __pydantic_config__ = only_required(*ALWAYS)  # type: ignore[misc]

    others: Annotated[
        list[CandidateObject],
        _about("Further records that reach the threshold, best first; at most 100 of them."),
    ]
    total: Annotated[int, _about("With `found` true: how many records reach the threshold, the best among them.")]
    nearest: Annotated[
        CandidateObject | None, _about("With `found` false: the best title below the threshold, if known.")
    ]
    related: Annotated[
        list[CandidateObject],
        _about(
            "With `found` false: records with the DOI or arXiv id that was given in place of a title, and "
            "titles that agree but for a subtitle or the order of words; at most 100."
        ),
    ]
    method: Annotated[str, _value_of(Method)]
    index_used: Annotated[str, _about("Which index answered; empty for brute force.")]
    candidates_examined: Annotated[int, _about("Titles that were compared with the one looked up.", ge=0)]
    complete: Annotated[bool, _about("Nothing better is in the database. A miss that is not complete is not proved.")]
    duration_ms: Annotated[float, Field(ge=0)]


def schema_of(shape: Any) -> dict[str, Any]:
    """Return the JSON schema of the objects of ``shape``."""
    return TypeAdapter(shape).json_schema(mode="serialization", schema_generator=_PlainSchema)


class _PlainSchema(GenerateJsonSchema):
    """JSON schemas without titles that repeat a field's name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return whether to add a title to fields that declare none: never."""
        return False


def results_schema() -> dict[str, Any]:
    """Return the JSON schema of a run."""
    dialect = GenerateJsonSchema.schema_dialect
    return {"$schema": dialect, **schema_of(RunObject), "title": "Results of citeproof verify --format json"}


if __name__ == "__main__":
    print(json.dumps(results_schema(), indent=2))
