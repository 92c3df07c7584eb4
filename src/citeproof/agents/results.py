"""Results of the MCP tools: text for a language model, and JSON with the main fields of
``results.schema.json``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, cast, get_type_hints

from pydantic import Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from citeproof.model.account import Account, LineKind, Unread
from citeproof.model.findings import Agreement, NearestWork, Outcome
from citeproof.model.quantity import quantity
from citeproof.model.record import Lookup, Record
from citeproof.model.reference import Bibliography, Reference
from citeproof.model.run import Run
from citeproof.model.stored import JsonObject
from citeproof.model.verdict import Status, Verdict
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
from citeproof.report.wording import (
    IDENTIFIERS,
    RELATED,
    record_link,
    relation,
    sent_line,
    status_name,
)
from citeproof.text.similarity import differ_in_words

MEANINGS = {
    Status.VALID: "VALID: a record agrees.",
    Status.SUSPICIOUS: (
        "SUSPICIOUS: the record describes the work differently, or a complete volume lacks it; "
        "correct it, or do not give it."
    ),
    Status.INVALID: (
        "INVALID: this cannot be: two recorded facts exclude it, or it is impossible; do not"
        " give it."
    ),
    Status.UNVERIFIED: (
        "UNVERIFIED: could not find it here, which does not mean that it does not exist; "
        "say that you could not verify it."
    ),
    Status.ERROR: "ERROR: could not be checked, which says nothing about the work.",
}
"""Map from the status of a verdict to an explanation for the language model."""
MAX_WORKS = 3
"""Maximum number of similar works listed for one reference."""
MAX_LINE = 300
"""Maximum number of characters that are shown of a line that belongs to no entry."""
MAX_OTHERS = 5
"""Maximum number of records that a look-up lists after the best record.

The field ``total`` counts all records.
"""
BASIS = {
    "type": "array",
    "items": {"type": "string"},
    "description": "The database that answered, with its date, and what else decided.",
}
"""JSON schema of the field ``basis``, which every answer has."""


def with_account(text: str, bibliography: Bibliography) -> Bibliography:
    """Return ``bibliography``, which was read from ``text``, with an account of all lines: what
    each line was read as.

    The account is added here, because readers of formats with fields, such as BibTeX, do not
    provide one.
    """
    if bibliography.account:
        return bibliography
    every = "\n".join(_letters(entry.raw) for entry in bibliography.entries)
    lines = [
        (number, line.strip(), _letters(line)) for number, line in enumerate(text.splitlines(), 1)
    ]
    unread = tuple(
        Unread("", number, LineKind.TEXT, line[:MAX_LINE])
        for number, line, letters in lines
        if letters and letters not in every
    )
    read = sum(bool(line) for _, line, _ in lines) - len(unread)
    account = Account("", len(bibliography.references), read, unread)
    return replace(bibliography, account=account)


def account_text(bibliography: Bibliography) -> str:
    """Return a text that says how a bibliography was read: the entries with their fields, and the
    lines that belong to no entry.
    """
    lines = [quantity(len(bibliography.entries), "entry", "entries")]
    for number, entry in enumerate(bibliography.entries, 1):
        if not isinstance(entry, Reference):
            lines.append(f"{number}. could not be read: {entry}")
            continue
        people = "; ".join(entry.authors) + (" and others" if entry.and_others else "")
        fields = {
            "authors": people,
            "title": entry.title,
            "venue": entry.venue,
            "year": entry.year,
            "DOI": entry.doi,
            "arXiv id": entry.arxiv_id,
        }
        said = ", ".join(f"{name}: {value}" for name, value in fields.items() if value)
        lines.append(f"{number}. line {entry.line}: {said or 'no field was recognised'}")
        lines += (f"   may have been read wrongly: {doubt}" for doubt in entry.doubts)
    lines += (f"Note: {note}" for note in bibliography.notes)
    return "\n".join(lines)


def run_text(run: Run, report: str) -> str:
    """Return the verdicts of ``run`` as text, with the meanings of the statuses. ``report`` is the
    URI of the full report.
    """
    occurring = {verdict.status for verdict in run.verdicts} - {Status.VALID}
    lines = [str(run.statistics)]
    lines += (
        line
        for number, verdict in enumerate(run.verdicts, 1)
        for line in _verdict_lines(number, verdict)
    )
    lines += (text for status, text in MEANINGS.items() if status in occurring)
    lines += (f"Note: {note}" for note in run.notes)
    lines += (f"Sent {sent_line(requests)}." for requests in run.sent)
    return "\n".join([*lines, f"Whole report: {report}"])


def verdict_text(verdict: Verdict) -> str:
    """Return a verdict as text, with the sources that were queried and the meaning of the
    status.
    """
    return "\n".join(
        (*_verdict_lines(1, verdict), *_evidence_lines(verdict), MEANINGS[verdict.status])
    )


def works_text(works: Sequence[NearestWork], verdict: Verdict) -> str:
    """Return ``works`` as text, one work per line.

    If there are no works, list the sources that were queried.
    """
    lines = [line for number, work in enumerate(works, 1) for line in _found_lines(number, work)]
    return "\n".join(
        lines or ["No work was found that fits the description.", *_evidence_lines(verdict)]
    )


def lookup_text(lookup: Lookup) -> str:
    """Return the result of a look-up of a title or identifier as text."""
    if found := lookup.candidates:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        near = differ_in_words(lookup.query, found[0].record.title)
        how = "Near, with other words in the title" if near else "Found"
        return f"{how}{more}: {work_line(found[0].record)}"
    if named := [
        candidate.record for candidate in lookup.related if candidate.match in IDENTIFIERS
    ]:
        return "\n".join(
            f"Has this identifier: {work_line(record)}" for record in named[:MAX_WORKS]
        )
    related = lookup.related[:MAX_WORKS]
    lines = [f"{RELATED[one.match].capitalize()}: {work_line(one.record)}" for one in related]
    if lookup.nearest:
        alike = f"{lookup.nearest.similarity:.0%} alike"
        lines.append(f"Nearest title ({alike}): {work_line(lookup.nearest.record)}")
    proof = (
        "no title in this database is like it"
        if lookup.complete
        else "the search was cut: this proves nothing"
    )
    return "\n".join([f"Not found: {proof}.", *lines])


def work_line(record: Record) -> str:
    """Return one line about a work: authors, year, title, venue, link, and source and key of the
    record.
    """
    names = ", ".join(record.authors[:4]) + (" and others" if len(record.authors) > 4 else "")
    facts = (names, str(record.year or ""), f'"{record.title}"', record.venue, record_link(record))
    return f"{', '.join(filter(None, facts))} [{record.source} {record.key}]"


def _verdict_lines(number: int, verdict: Verdict) -> Iterator[str]:
    key = f" ({verdict.reference.key})" if verdict.reference.key else ""
    yield f"{number}. {status_name(verdict)}{key} {cited(verdict)} - {verdict.reason}"
    for issue in verdict.issues:
        label = issue.code if issue.counts else f"note {issue.code}"
        yield f"   {label}: {issue.explanation}"
    for doubt in verdict.reference.doubts:
        yield f"   may have been read wrongly: {doubt}"
    for flag in verdict.flags:
        yield f"   flag: {flag}"
    if remembered := verdict.remembered:
        yield f"   {remembered}"
    if verdict.meant:
        yield from (
            f"   {relation(work)}: {work_line(work.record)}" for work in verdict.meant[:MAX_WORKS]
        )
    elif verdict.best_match:
        yield f"   agrees with {work_line(verdict.best_match.record)}"
    yield from (f"   no answer from {one.source}: {one.detail}" for one in verdict.failures)


def _found_lines(number: int, work: NearestWork) -> Iterator[str]:
    """Yield a line about a work, and then a line for each field in which the work differs from the
    query.
    """
    yield f"{number}. {work_line(work.record)}"
    for field in work.fields:
        differs = field.agreement in {Agreement.DIFFERENT, Agreement.PARTLY}
        if differs and field.field != "title" and field.cited:
            yield f"   {field.field}: recorded {field.recorded or 'nothing'}, asked {field.cited}"


def _evidence_lines(verdict: Verdict) -> Iterator[str]:
    for inquiry in verdict.evidence:
        if inquiry.answered:
            records = quantity(inquiry.records, "record")
            proof = "; it holds nothing better" if inquiry.complete else ""
            yield f"   asked {inquiry.source}: {inquiry.detail or records}{proof}"
        elif inquiry.outcome is Outcome.SKIPPED:
            yield f"   not asked {inquiry.source}: {inquiry.detail}"


def _part(name: str, whole: type, fields: Sequence[str], **others: Any) -> Any:
    """Return a new ``TypedDict`` class with the ``fields`` of the class ``whole``, and with further
    fields ``others``.
    """
    types = get_type_hints(whole, include_extras=True)
    part: Any = TypedDict(name, {field: types[field] for field in fields} | others)  # type: ignore[misc]
    part.__doc__ = whole.__doc__
    return with_config(DESCRIBED)(part)


def _shaped(shape: TypeAdapter[Any], whole: JsonObject) -> JsonObject:
    """Return the JSON object ``whole`` without fields that ``shape`` does not define. Nested
    objects are treated in the same way.
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
        Field(
            description="The title as it is cited; if there is none, the start of the entry's text."
        ),
    ],
    best_match=Work | None,
    meant=Annotated[
        list[MeantWork],  # type: ignore[valid-type]
        Field(
            description=(
                "For anything not VALID: the nearest real works, nearest first, best_match before"
                " all."
            )
        ),
    ],
    evidence=list[Evidence],  # type: ignore[valid-type]
)
Verification = _part(
    "Verification",
    RunObject,
    ("schema_version", "notes", "ending", "sent", "statistics", "unread"),
    results=Annotated[list[Result], Field(description="One for each entry, in its order.")],  # type: ignore[valid-type]
    report=Annotated[
        str,
        Field(description="The resource that holds the whole report, while the server keeps it."),
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


def _letters(text: str) -> str:
    """Return only the letters and digits of a text. They are used to find a line in an entry whose
    lines were joined.
    """
    return "".join(filter(str.isalnum, text))


def cited(verdict: Verdict) -> str:
    """Return the title of the reference.

    If the title is missing, return the first 80 characters of the reference.
    """
    return verdict.reference.title or " ".join(verdict.reference.raw.split())[:80]
