"""The JSON objects that every surface shows, each declared once.

From a declaration follow the values (``run_object`` and its siblings), the published schema
(:mod:`citeproof.schema`) and the shapes in the web's OpenAPI document. A field has the value of the attribute of the
same name of the noun in ``models.py`` or ``results.py``; where the two differ, the declaration's ``values`` says how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from citeproof.fields.bibtex_entry import bibtex_entry
from citeproof.json_object import JsonObject, Rounded, member
from citeproof.models import Agreement, Lapse, MatchKind, Method, Outcome, Severity, Status
from citeproof.results import Ending
from citeproof.wording import record_link, relation

if TYPE_CHECKING:
    from citeproof.models import Candidate, Lookup, Verdict
    from citeproof.results import Run, Statistics

SCHEMA_VERSION: Literal[1] = 1
"""Raised whenever a field of a result changes its meaning or goes; new fields leave it as it is."""

Thousandths = Annotated[float, Rounded(3)]
Tenths = Annotated[float, Rounded(1)]


class IssueObject(JsonObject):
    """One difference."""

    code: str = member(description="Stable; docs/verdicts.md lists them.")
    severity: Severity
    cited: str
    recorded: str
    explanation: str = member(description="One line that a person can act on.")


class InquiryObject(JsonObject):
    """One question to one source."""

    source: str
    outcome: Outcome
    detail: str = member(description="Why it failed or was skipped, or what the answer rests on.")
    records: int = member(description="Records it brought.")
    milliseconds: Thousandths
    method: str
    index: str
    candidates_examined: int
    complete: bool = member(description="The source proved that it holds nothing better.")
    from_cache: bool
    searched: bool = member(
        description="An online source's silence is about the work: it was asked by title, or it has the work."
    )


class FieldObject(JsonObject):
    """One field as it is cited and as it is recorded."""

    field: Literal["title", "authors", "year", "venue", "doi", "arxiv_id"]
    agreement: Agreement = member(
        description="unclear: both state something that cannot be compared; absent: one of the two states nothing."
    )
    cited: str
    recorded: str
    only_cited: list[str] = member(description="Of a title the words, of authors the names that the record lacks.")
    only_recorded: list[str] = member(description="The record's own words and names that are not cited.")


class CandidateObject(JsonObject):
    """A record and how well its title agrees. The defaults are for a look-up without a match, which leaves them out."""

    title: str = ""
    similarity: float = member(
        0.0, least=0, most=1, description="Normalised Indel similarity of the normalised titles."
    )
    match: MatchKind = member(MatchKind.NEARBY, description="What the record has in common with what was asked for.")
    year: int | None = None
    venue: str = ""
    pub_type: str = ""
    authors: list[str] = member([])
    key: str = ""
    doi: str = ""
    arxiv_id: str = ""
    url: str = member("", description="Where a person can see the work.")
    source: str = ""
    retraction: str = member("", description="Address of the notice that retracts the work; empty when none is known.")
    concern: str = member("", description="Address of an expression of concern; empty when none is known.")

    @classmethod
    def values(cls, noun: Any) -> dict[str, Any]:
        """Return the fields of the record beside the candidate's own."""
        return _attributes(noun.record) | _attributes(noun) | {"url": record_link(noun.record)}


class NearestObject(CandidateObject):
    """A candidate that is compared with the reference field by field."""

    relation: str = member(
        description="For people: meant, title of, authors of, 2 of 3 authors of, title and DOI of, similar title..."
    )
    found_by: list[MatchKind] = member(description="By what the work was found.")
    fields: list[FieldObject] = member(description="Always title, authors, year, venue, doi, arxiv_id, in this order.")
    bibtex: str = member(description="The work as a BibTeX entry in ASCII, ready to paste.")

    @classmethod
    def values(cls, noun: Any) -> dict[str, Any]:
        """Return the candidate's fields, what the work is to the reference, and how it is cited."""
        added = {"relation": relation(noun), "bibtex": bibtex_entry(noun.record)}
        return CandidateObject.values(noun.candidate) | _attributes(noun) | added


class NoticeObject(JsonObject):
    """A notice about the cited work."""

    kind: str = member(description="retraction or concern.")
    url: str = member(description="Where a person can read it.")
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
    from_text: bool = member(description="Its fields were read from running text, and may be parted wrongly.")
    doubts: list[str] = member(description="Why they may have been read wrongly, in words.")


class AcceptanceObject(JsonObject):
    """A person has checked a reference and accepts it as it is."""

    because: str
    on: str = member(description="The day, YYYY-MM-DD.")
    until: str = member(description="Its last day, YYYY-MM-DD; empty where it has no end.")
    lapsed: Lapse | None = member(
        description="Why it no longer holds: the entry was changed, or its last day is over. Null while it does."
    )


class ResultObject(JsonObject):
    """The verdict on one reference, with its evidence."""

    key: str
    paper: str = member(description="Name of the paper that cites it; the file itself where that is no LaTeX project.")
    file: str
    line: int = member(description="First line of the entry, from 1; 0 where there is no file.")
    page: int = member(description="Page on which the entry begins, from 1; 0 where the document has no pages.")
    status: Status
    reason: str = member(description="Stable; docs/verdicts.md lists them.")
    confidence: float = member(
        least=0,
        most=1,
        description="Probability that the status is right; 0.5 where it was not measured, as under every policy "
        "but default.",
    )
    issues: list[IssueObject]
    best_match: CandidateObject | None
    meant: list[NearestObject] = member(
        description="For anything not VALID: the nearest real works, nearest first, best_match before all."
    )
    flags: list[str]
    notices: list[NoticeObject] = member(
        description="The notices behind such flags where no record of the work was found; else best_match has them."
    )
    decided_by: str = member(
        description="The first strategy after which the decision stood; empty when none was asked."
    )
    searched: str = member(description="Of UNVERIFIED, what was searched and what that is worth, in words; else empty.")
    policy: str = member(description="The policy under which it was decided; empty where nothing could be decided on.")
    acceptance: AcceptanceObject | None = member(
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

    name: str = member(description="As in the field paper of its results.")
    entries: int = member(description="Always the sum of by_status.")
    by_status: dict[str, int]


class StatisticsObject(JsonObject):
    """The sum of a run."""

    entries: int = member(description="Always the sum of by_status.")
    by_status: dict[str, int]
    accepted: dict[str, int] = member(
        description="How many of by_status are accepted by a person; a status without any is left out."
    )
    by_strategy: dict[str, int]
    cache_hits: int
    lookups_by_method: dict[str, int]
    failures: dict[str, int]
    seconds: Thousandths
    references_per_second: Tenths = member(attribute="per_second")


class SentObject(JsonObject):
    """What one host was sent."""

    host: str
    requests: int = member(description="Retries and redirects among them.")
    fields: list[str] = member(description="Fields of the references whose content was sent.")


class ExtractionObject(JsonObject):
    """How well the reference list of one paper could be read, by what the paper itself says."""

    file: str
    found: int = member(description="Entries that were read.")
    expected: int = member(description="Entries that there should be, by the list's numbers and what the text cites.")
    doubtful: int = member(description="Entries found that may have been read wrongly.")
    uncited: int | None = member(description="Entries that the text does not cite; null where that cannot be told.")
    fault: str = member(description="What is wrong with the list as a whole; empty where it looks right.")


class RunObject(JsonObject):
    """The whole run. A line of --format jsonl is one object of results."""

    schema_version: Literal[1] = SCHEMA_VERSION
    database: dict[str, Any] = member(description="What the answers rest on; empty when no database was asked.")
    policy: str = member(description="What differences weigh: docs/policies.md.")
    notes: list[str] = member(description="What concerns the whole run.")
    ending: Ending = member(
        description="complete, or why entries after the last result were not checked: interrupted, failed."
    )
    sent: list[SentObject] = member(description="What left the machine: empty for an offline run.")
    statistics: StatisticsObject
    extractions: list[ExtractionObject] = member(description="One for each document whose list is running text.")
    papers: list[PaperObject] = member(description="The papers in their order; their entries add up to statistics.")
    results: list[ResultObject] = member(attribute="verdicts")

    @classmethod
    def values(cls, noun: Any) -> dict[str, Any]:
        """Return the run's fields with the version of their meaning, and its papers."""
        papers = noun.brief.papers if noun.brief else noun.papers
        return _attributes(noun) | {"schema_version": SCHEMA_VERSION, "papers": papers}


MOST_SHOWN = 100
"""Further records of one look-up that are shown: thousands have a title like "Editorial"."""


class _Question(JsonObject):
    """What a look-up says first."""

    found: bool = member(description="A title at or above the threshold is in the database.")
    query_title: str = member(description="The title as it was looked up: trimmed, with single spaces.")


class LookupObject(CandidateObject, _Question):
    """The answer to one title, flat: with a match, the match's fields stand beside `found`."""

    always_whole = False

    others: list[CandidateObject] = member(
        [], description="Further records that reach the threshold, best first; at most 100 of them."
    )
    total: int = member(0, description="With `found` true: how many records reach the threshold, the best among them.")
    nearest: CandidateObject | None = member(
        None, description="With `found` false: the best title below the threshold, if known."
    )
    related: list[CandidateObject] = member(
        [],
        description="With `found` false: records with the DOI or arXiv id that was given in place of a title, and "
        "titles that agree but for a subtitle or the order of words; at most 100.",
    )
    method: Method
    index_used: str = member(description="Which index answered; empty for brute force.")
    candidates_examined: int = member(least=0, description="Titles that were compared with the one looked up.")
    complete: bool = member(description="Nothing better is in the database. A miss that is not complete is not proved.")
    duration_ms: Thousandths = member(least=0)

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


def _attributes(noun: Any) -> dict[str, Any]:
    return {name: getattr(noun, name) for name in noun.__dataclass_fields__}
