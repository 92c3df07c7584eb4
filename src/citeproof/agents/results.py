"""Results of the MCP tools as JSON, with the main fields of ``results.schema.json``."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, cast, get_type_hints

from pydantic import Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from citeproof.agents.answers import MAX_WORKS, cited
from citeproof.model.account import Unread
from citeproof.model.findings import NearestWork
from citeproof.model.record import Lookup
from citeproof.model.reference import Bibliography, Reference
from citeproof.model.run import Run
from citeproof.model.stored import JsonObject
from citeproof.model.verdict import Verdict
from citeproof.report.schema import (
    DESCRIBED,
    CandidateObject,
    InquiryObject,
    NearestObject,
    ReferenceObject,
    ResultObject,
    RunObject,
)
from citeproof.report.serialization import (
    inquiry_object,
    lookup_object,
    nearest_object,
    reference_object,
    result_object,
    run_object,
)

MAX_OTHERS = 5
"""Maximum number of records that a look-up lists after the best record.

The field ``total`` counts all records.
"""
BASIS = {
    "type": "array",
    "items": {"type": "string"},
    "description": (
        "The database that answered, with its date, and settings of a project that affected "
        "the answer."
    ),
}
"""JSON schema of the field ``basis``, which every answer has."""


def _part(name: str, whole: type, fields: Sequence[str], **others: Any) -> Any:
    """Return a new ``TypedDict`` class called ``name``, with those of the fields of the class
    ``whole`` that ``fields`` names, and with the further fields ``others``.
    """
    types = get_type_hints(whole, include_extras=True)
    part: Any = TypedDict(name, {field: types[field] for field in fields} | others)  # type: ignore[misc]
    part.__doc__ = whole.__doc__
    return with_config(DESCRIBED)(part)


def _shaped(shape: TypeAdapter[Any], whole: JsonObject) -> JsonObject:
    """Return the JSON object ``whole`` without the fields that the type ``shape`` does not define,
    also in nested objects.
    """
    return cast("JsonObject", shape.dump_python(shape.validate_python(whole), mode="json"))


_WORK_FIELDS = (
    "title",
    "authors",
    "year",
    "venue",
    "doi",
    "arxiv_id",
    "key",
    "source",
    "url",
    "retraction",
    "concern",
)

Work = _part("Work", CandidateObject, _WORK_FIELDS)
MeantWork = _part("MeantWork", NearestObject, ("relation", *_WORK_FIELDS))
Evidence = _part("Evidence", InquiryObject, ("source", "outcome", "detail", "records", "complete"))
Result = _part(
    "Result",
    ResultObject,
    ("key", "line", "status", "reason", "confidence", "issues", "flags"),
    cited=Annotated[
        str,
        Field(description="The cited title; if the entry has no title, the beginning of its text."),
    ],
    best_match=Work | None,
    meant=Annotated[
        list[MeantWork],  # type: ignore[valid-type]
        Field(
            description=(
                "The nearest real works if the status is not VALID: first best_match, then "
                "the others, the nearest first."
            )
        ),
    ],
    evidence=list[Evidence],  # type: ignore[valid-type]
)
Verification = _part(
    "Verification",
    RunObject,
    ("schema_version", "notes", "ending", "sent", "statistics", "unread"),
    results=Annotated[
        list[Result],  # type: ignore[valid-type]
        Field(description="One result for each entry, in the order of the entries."),
    ],
    report=Annotated[
        str,
        Field(
            description=(
                "URI of the resource with the whole report. The server keeps the last 20 reports."
            )
        ),
    ],
)


Entry = _part(
    "Entry",
    ReferenceObject,
    ("title", "authors", "year", "venue", "doi", "arxiv_id", "doubts"),
    key=str,
    line=int,
)


@with_config(DESCRIBED)
class Reading(TypedDict):
    """How a text was read."""

    entries: list[Entry]  # type: ignore[valid-type]
    """The references that were read, in the order of the text."""
    unreadable: list[str]
    """A message for each entry that could not be read."""
    unread: list[Unread]
    """The lines of the text that are in no entry."""
    notes: list[str]
    """Messages about the text."""


@with_config(DESCRIBED)
class Works(TypedDict):
    """The works that fit a description."""

    works: list[NearestObject]
    """The works that fit the description, the best first."""
    evidence: list[Evidence]  # type: ignore[valid-type]


_VERIFICATION = TypeAdapter(Verification)
_WORKS = TypeAdapter(Works)
_READING = TypeAdapter(Reading)


def account(bibliography: Bibliography) -> JsonObject:
    """Return a JSON object that says how a bibliography was read."""
    unreadable = [str(one) for one in bibliography.entries if not isinstance(one, Reference)]
    whole = {
        "entries": [
            {**reference_object(one), "key": one.key, "line": one.line}
            for one in bibliography.references
        ],
        "unreadable": unreadable,
        "unread": bibliography.account.unread if bibliography.account else (),
        "notes": list(bibliography.notes),
    }
    return _shaped(_READING, whole)


def verification(run: Run, report: str) -> JsonObject:
    """Return the most important fields of ``run`` as JSON.

    ``report`` is the URI of the report with all fields.
    """
    results = [
        {
            **result_object(replace(verdict, meant=verdict.meant[:MAX_WORKS])),
            "cited": cited(verdict),
        }
        for verdict in run.verdicts
    ]
    return _shaped(
        _VERIFICATION,
        {
            **run_object(replace(run, verdicts=())),
            "results": results,
            "report": report,
        },
    )


def works(found: Sequence[NearestWork], verdict: Verdict) -> JsonObject:
    """Return the works ``found`` as JSON. The queries to sources come from ``verdict``."""
    queries = list(map(inquiry_object, verdict.evidence))
    return _shaped(_WORKS, {"works": list(map(nearest_object, found)), "evidence": queries})


def lookup_result(lookup: Lookup) -> JsonObject:
    """Return ``lookup`` as JSON, as in the web service, but with at most :data:`MAX_OTHERS` records
    after the best.
    """
    whole = lookup_object(lookup)
    return whole | {
        name: whole[name][:MAX_OTHERS] for name in ("others", "related") if name in whole
    }
