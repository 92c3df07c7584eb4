"""The JSON objects that every surface shows, each declared once.

From a declaration follow the values (``run_object`` and its siblings), the published schema
(``src/citeproof/data/results.schema.json``, written by ``make schema``) and the shapes in the web's OpenAPI document.
A field has the value of the attribute of the same name of the noun in ``models.py`` or ``results.py``; where the two
differ, the declaration's ``values`` says how.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field
from pydantic.json_schema import GenerateJsonSchema

from citeproof.fields.bibtex_entry import bibtex_entry
from citeproof.json_object import JsonObject
from citeproof.models import Agreement, Lapse, MatchKind, Method, Outcome, Severity, Status
from citeproof.results import Ending
from citeproof.wording import record_link, relation

if TYPE_CHECKING:
    from citeproof.models import Candidate, Lookup, Verdict
    from citeproof.results import Run, Statistics

SCHEMA_VERSION: Literal[1] = 1
"""Raised whenever a field of a result changes its meaning or goes; new fields leave it as it is."""

Thousandths = Annotated[float, AfterValidator(lambda number: round(number, 3))]
Tenths = Annotated[float, AfterValidator(lambda number: round(number, 1))]


class IssueObject(JsonObject):
    """One difference."""

    code: str = Field(description="Stable; docs/verdicts.md lists them.")
    severity: Severity
    cited: str
    recorded: str
    explanation: str = Field(description="One line that a person can act on.")


class InquiryObject(JsonObject):
    """One question to one source."""

    source: str
    outcome: Outcome
    detail: str = Field(description="Why it failed or was skipped, or what the answer rests on.")
    records: int = Field(description="Records it brought.")
    milliseconds: Thousandths
    method: str
    index: str
    candidates_examined: int
    complete: bool = Field(description="The source proved that it holds nothing better.")
    from_cache: bool
    searched: bool = Field(
        description="An online source's silence is about the work: it was asked by title, or it has the work."
    )


class FieldObject(JsonObject):
    """One field as it is cited and as it is recorded."""

    field: Literal["title", "authors", "year", "venue", "doi", "arxiv_id"]
    agreement: Agreement = Field(
        description="unclear: both state something that cannot be compared; absent: one of the two states nothing."
    )
    cited: str
    recorded: str
    only_cited: list[str] = Field(description="Of a title the words, of authors the names that the record lacks.")
    only_recorded: list[str] = Field(description="The record's own words and names that are not cited.")


class CandidateObject(JsonObject):
    """A record and how well its title agrees. The defaults are for a look-up without a match, which leaves them out."""

    title: str = ""
    similarity: float = Field(0.0, ge=0, le=1, description="Normalised Indel similarity of the normalised titles.")
    match: MatchKind = Field(MatchKind.NEARBY, description="What the record has in common with what was asked for.")
    year: int | None = None
    venue: str = ""
    pub_type: str = ""
    authors: list[str] = Field([])
    key: str = ""
    doi: str = ""
    arxiv_id: str = ""
    url: str = Field("", description="Where a person can see the work.")
    source: str = ""
    retraction: str = Field("", description="Address of the notice that retracts the work; empty when none is known.")
    concern: str = Field("", description="Address of an expression of concern; empty when none is known.")

    @classmethod
    def values(cls, noun: Any) -> dict[str, Any]:
        """Return the fields of the record beside the candidate's own."""
        return _attributes(noun.record) | _attributes(noun) | {"url": record_link(noun.record)}


class NearestObject(CandidateObject):
    """A candidate that is compared with the reference field by field."""

    relation: str = Field(
        description="For people: meant, title of, authors of, 2 of 3 authors of, title and DOI of, similar title..."
    )
    found_by: list[MatchKind] = Field(description="By what the work was found.")
    fields: list[FieldObject] = Field(description="Always title, authors, year, venue, doi, arxiv_id, in this order.")
    bibtex: str = Field(description="The work as a BibTeX entry in ASCII, ready to paste.")

    @classmethod
    def values(cls, noun: Any) -> dict[str, Any]:
        """Return the candidate's fields, what the work is to the reference, and how it is cited."""
        added = {"relation": relation(noun), "bibtex": bibtex_entry(noun.record)}
        return CandidateObject.values(noun.candidate) | _attributes(noun) | added


class NoticeObject(JsonObject):
    """A notice about the cited work."""

    kind: str = Field(description="retraction or concern.")
    url: str = Field(description="Where a person can read it.")
    source: str


class ReferenceObject(JsonObject):
    """What was cited. Its key and its place stand in the result."""

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
    from_text: bool = Field(description="Its fields were read from running text, and may be parted wrongly.")
    doubts: list[str] = Field(description="Why they may have been read wrongly, in words.")


class AcceptanceObject(JsonObject):
    """A person has checked a reference and accepts it as it is."""

    because: str
    on: str = Field(description="The day, YYYY-MM-DD.")
    until: str = Field(description="Its last day, YYYY-MM-DD; empty where it has no end.")
    lapsed: Lapse | None = Field(
        description="Why it no longer holds: the entry was changed, or its last day is over. Null while it does."
    )


class ResultObject(JsonObject):
    """The verdict on one reference, with its evidence."""

    key: str
    paper: str = Field(description="Name of the paper that cites it; the file itself where that is no LaTeX project.")
    file: str
    line: int = Field(description="First line of the entry, from 1; 0 where there is no file.")
    page: int = Field(description="Page on which the entry begins, from 1; 0 where the document has no pages.")
    status: Status
    reason: str = Field(description="Stable; docs/verdicts.md lists them.")
    confidence: float = Field(
        ge=0,
        le=1,
        description="Probability that the status is right; 0.5 where it was not measured, as under every policy "
        "but default.",
    )
    issues: list[IssueObject]
    best_match: CandidateObject | None
    meant: list[NearestObject] = Field(
        description="For anything not VALID: the nearest real works, nearest first, best_match before all."
    )
    flags: list[str]
    notices: list[NoticeObject] = Field(
        description="The notices behind such flags where no record of the work was found; else best_match has them."
    )
    decided_by: str = Field(description="The first strategy after which the decision stood; empty when none was asked.")
    searched: str = Field(description="Of UNVERIFIED, what was searched and what that is worth, in words; else empty.")
    policy: str = Field(description="The policy under which it was decided; empty where nothing could be decided on.")
    acceptance: AcceptanceObject | None = Field(
        description="Null where nobody has accepted the reference. While one holds, the result does not count for "
        "the exit code."
    )
    evidence: list[InquiryObject]
    reference: ReferenceObject

    @classmethod
    def values(cls, noun: Any) -> dict[str, Any]:
        """Return the verdict's fields with the key and the place of its reference."""
        reference = noun.reference
        return _attributes(noun) | {
            "key": reference.key,
            "paper": reference.paper,
            "file": reference.file,
            "line": reference.line,
            "page": reference.place.page,
        }


class PaperObject(JsonObject):
    """The sum of one paper."""

    name: str = Field(description="As in the field paper of its results.")
    entries: int = Field(description="Always the sum of by_status.")
    by_status: dict[str, int]


class StatisticsObject(JsonObject):
    """The sum of a run."""

    entries: int = Field(description="Always the sum of by_status.")
    by_status: dict[str, int]
    accepted: dict[str, int] = Field(
        description="How many of by_status are accepted by a person; a status without any is left out."
    )
    by_strategy: dict[str, int]
    cache_hits: int
    lookups_by_method: dict[str, int]
    failures: dict[str, int]
    seconds: Thousandths
    references_per_second: Tenths = Field(validation_alias="per_second")


class SentObject(JsonObject):
    """What one host was sent."""

    host: str
    requests: int = Field(description="Retries and redirects among them.")
    fields: list[str] = Field(description="Fields of the references whose content was sent.")


class ExtractionObject(JsonObject):
    """How well the reference list of one paper could be read, by what the paper itself says."""

    file: str
    found: int = Field(description="Entries that were read.")
    expected: int = Field(description="Entries that there should be, by the list's numbers and what the text cites.")
    doubtful: int = Field(description="Entries found that may have been read wrongly.")
    uncited: int | None = Field(description="Entries that the text does not cite; null where that cannot be told.")
    fault: str = Field(description="What is wrong with the list as a whole; empty where it looks right.")


class RunObject(JsonObject):
    """The whole run. A line of --format jsonl is one object of results."""

    schema_version: Literal[1] = SCHEMA_VERSION
    database: dict[str, Any] = Field(description="What the answers rest on; empty when no database was asked.")
    policy: str = Field(description="What differences weigh: docs/policies.md.")
    notes: list[str] = Field(description="What concerns the whole run.")
    ending: Ending = Field(
        description="complete, or why entries after the last result were not checked: interrupted, failed."
    )
    sent: list[SentObject] = Field(description="What left the machine: empty for an offline run.")
    statistics: StatisticsObject
    extractions: list[ExtractionObject] = Field(description="One for each document whose list is running text.")
    papers: list[PaperObject] = Field(description="The papers in their order; their entries add up to statistics.")
    results: list[ResultObject] = Field(validation_alias="verdicts")

    @classmethod
    def values(cls, noun: Any) -> dict[str, Any]:
        """Return the run's fields with the version of their meaning, and its papers."""
        papers = noun.brief.papers if noun.brief else noun.papers
        return _attributes(noun) | {"schema_version": SCHEMA_VERSION, "papers": papers}


MOST_SHOWN = 100
"""Further records of one look-up that are shown: thousands have a title like "Editorial"."""


class _Question(JsonObject):
    """What a look-up says first."""

    found: bool = Field(description="A title at or above the threshold is in the database.")
    query_title: str = Field(description="The title as it was looked up: trimmed, with single spaces.")


class LookupObject(CandidateObject, _Question):
    """The answer to one title, flat: with a match, the match's fields stand beside `found`."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    others: list[CandidateObject] = Field(
        [], description="Further records that reach the threshold, best first; at most 100 of them."
    )
    total: int = Field(0, description="With `found` true: how many records reach the threshold, the best among them.")
    nearest: CandidateObject | None = Field(
        None, description="With `found` false: the best title below the threshold, if known."
    )
    related: list[CandidateObject] = Field(
        [],
        description="With `found` false: records with the DOI or arXiv id that was given in place of a title, and "
        "titles that agree but for a subtitle or the order of words; at most 100.",
    )
    method: Method
    index_used: str = Field(description="Which index answered; empty for brute force.")
    candidates_examined: int = Field(ge=0, description="Titles that were compared with the one looked up.")
    complete: bool = Field(description="Nothing better is in the database. A miss that is not complete is not proved.")
    duration_ms: Thousandths = Field(ge=0)

    @classmethod
    def values(cls, noun: Any) -> dict[str, Any]:
        """Return the best match's fields beside the look-up's own; what does not apply is left out."""
        others = {"others": noun.candidates[1 : MOST_SHOWN + 1], "total": len(noun.candidates)}
        best = CandidateObject.values(noun.candidates[0]) | others if noun.found else {}
        nearest = {"nearest": noun.nearest} if noun.nearest and not noun.found else {}
        related = {"related": noun.related[:MOST_SHOWN]} if noun.related else {}
        searched = {
            "found": noun.found,
            "query_title": noun.query,
            "method": noun.method,
            "index_used": noun.index,
            "candidates_examined": noun.candidates_examined,
            "complete": noun.complete,
            "duration_ms": noun.milliseconds,
        }
        return best | nearest | related | searched


def run_object(run: Run) -> dict[str, Any]:
    """Return the whole run as one object."""
    return RunObject.of(run)


def statistics_object(statistics: Statistics) -> dict[str, Any]:
    """Return the sum of a run."""
    return StatisticsObject.of(statistics)


def result_object(verdict: Verdict) -> dict[str, Any]:
    """Return one verdict with its evidence."""
    return ResultObject.of(verdict)


def candidate_object(candidate: Candidate) -> dict[str, Any]:
    """Return a candidate's record with how well its title agrees."""
    return CandidateObject.of(candidate)


def lookup_object(lookup: Lookup) -> dict[str, Any]:
    """Return the answer to one title, as the command line and the web service give it."""
    return LookupObject.of(lookup)


def results_schema() -> dict[str, Any]:
    """Return the JSON schema of a run."""
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        **schema_of(RunObject),
        "title": "Results of citeproof verify --format json",
    }


def schema_of(shape: type[JsonObject]) -> dict[str, Any]:
    """Return the JSON schema of the objects of ``shape``, as they are written."""
    return shape.model_json_schema(mode="serialization", schema_generator=_PlainSchema)


class _PlainSchema(GenerateJsonSchema):
    """JSON schemas without titles that repeat a field's name, and without defaults: every field is always there."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Whether a field without a title of its own gets one."""
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """Return the schema of a field that has a default."""
        return self.generate_inner(schema["schema"])


def _attributes(noun: Any) -> dict[str, Any]:
    return {name: getattr(noun, name) for name in noun.__dataclass_fields__}


if __name__ == "__main__":
    print(json.dumps(results_schema(), indent=2))
