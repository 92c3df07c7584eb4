"""The shapes of the tools' answers: parts of the published JSON objects, short enough for a model to read.

Each field has the name, type and meaning that it has in ``results.schema.json``; the whole objects are in the report
that a resource gives.
"""

from __future__ import annotations

from types import GenericAlias
from typing import TYPE_CHECKING, Any

from citeproof.json_object import JsonObject, member
from citeproof.serialization import (
    CandidateObject,
    InquiryObject,
    NearestObject,
    ResultObject,
    RunObject,
    lookup_object,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Lookup, NearestWork, Verdict
    from citeproof.results import Run

MOST_WORKS = 3
"""Works that a short answer names of those that were perhaps meant."""
MOST_OTHERS = 5
"""Further records of a look-up that are shown; ``total`` counts them all."""


def _part(name: str, whole: type[JsonObject], fields: Sequence[str], values: Any = None, **others: Any) -> Any:
    """Return the shape that has only ``fields`` of ``whole``, and ``others`` beside them or in their place.

    ``values`` says what the fields are read from, where that is not what ``whole`` reads them from.
    """
    members = {field: whole.members()[field] for field in fields} | others
    declared = {field: said for field, (_, said) in members.items()}
    kinds = {field: kind for field, (kind, _) in members.items()}
    body = {"__doc__": whole.__doc__, "__module__": __name__, "__annotations__": kinds, **declared}
    return type(name, (JsonObject,), body | {"values": values or whole.values})


def _many(part: Any, whole: type[JsonObject], field: str) -> Any:
    """Return the declaration of a list of ``part`` with the meaning that ``field`` of ``whole`` has."""
    return GenericAlias(list, (part,)), whole.members()[field][1]


_OF_A_WORK = ("title", "authors", "year", "venue", "doi", "arxiv_id", "key", "source", "url", "retraction", "concern")

Work = _part("Work", CandidateObject, _OF_A_WORK)
MeantWork = _part("MeantWork", NearestObject, ("relation", *_OF_A_WORK))
Evidence = _part("Evidence", InquiryObject, ("source", "outcome", "detail", "records", "complete"))


def _short(verdict: Verdict) -> dict[str, Any]:
    values: dict[str, Any] = ResultObject.values(verdict)
    return values | {"cited": cited(verdict), "meant": verdict.meant[:MOST_WORKS]}


Result = _part(
    "Result",
    ResultObject,
    ("key", "line", "status", "reason", "confidence", "issues", "flags"),
    _short,
    cited=(str, member(description="The title as it is cited; without one, the beginning of the entry's text.")),
    best_match=(Work | None, None),
    meant=_many(MeantWork, ResultObject, "meant"),
    evidence=_many(Evidence, ResultObject, "evidence"),
)
Verification = _part(
    "Verification",
    RunObject,
    ("schema_version", "notes", "ending", "sent", "statistics"),
    JsonObject.values,
    results=(GenericAlias(list, (Result,)), member(description="One for each entry, in its order.")),
    report=(str, member(description="The resource that holds the whole report, while the server keeps it.")),
)
Works = _part(
    "Works",
    JsonObject,
    (),
    works=(list[NearestObject], member(description="The works that fit the description, the best first.")),
    evidence=_many(Evidence, ResultObject, "evidence"),
)


def verification(run: Run, report: str) -> dict[str, Any]:
    """Return ``run`` in short; ``report`` is the address of the resource that holds it whole."""
    answer: dict[str, Any] = Verification.of(RunObject.values(run) | {"results": run.verdicts, "report": report})
    return answer


def works(found: Sequence[NearestWork], verdict: Verdict) -> dict[str, Any]:
    """Return the works that ``verdict``'s reference describes."""
    answer: dict[str, Any] = Works.of({"works": found, "evidence": verdict.evidence})
    return answer


def lookup_answer(lookup: Lookup) -> dict[str, Any]:
    """Return the answer to one title as the web service gives it, with fewer further records."""
    whole = lookup_object(lookup)
    return whole | {name: whole[name][:MOST_OTHERS] for name in ("others", "related") if name in whole}


def cited(verdict: Verdict) -> str:
    """Return what names the reference to a person: its title, else the beginning of its text."""
    return verdict.reference.title or " ".join(verdict.reference.raw.split())[:80]
