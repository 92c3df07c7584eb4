"""The JSON objects that every surface shows: a record, a candidate, a verdict, the statistics.

``docs/api.md`` describes the look-up's fields, ``src/citeproof/data/results.schema.json`` those of a verdict.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from citeproof.models import Agreement

if TYPE_CHECKING:
    from citeproof.models import Candidate, FieldComparison, Inquiry, Issue, NearestWork, Record, Reference, Verdict
    from citeproof.results import Run, Statistics

SCHEMA_VERSION = 1
"""Raised whenever a field of a result changes its meaning or goes; new fields leave it as it is."""

_NAMING = {"title": "title", "authors": "authors", "doi": "DOI", "arxiv_id": "arXiv id"}
"""Fields that name a work, with their names for people; a year or a venue is shared by many."""


def run_object(run: Run) -> dict[str, Any]:
    """Return the whole run as one object."""
    return {
        "schema_version": SCHEMA_VERSION,
        "database": dict(run.database),
        "notes": list(run.notes),
        "sent": [asdict(requests) | {"fields": list(requests.fields)} for requests in run.sent],
        "statistics": statistics_object(run.statistics),
        "results": [result_object(verdict) for verdict in run.verdicts],
    }


def statistics_object(statistics: Statistics) -> dict[str, Any]:
    """Return the sum of a run."""
    return {
        "entries": statistics.entries,
        "by_status": dict(statistics.by_status),
        "by_strategy": dict(statistics.by_strategy),
        "cache_hits": statistics.cache_hits,
        "lookups_by_method": dict(statistics.lookups_by_method),
        "failures": dict(statistics.failures),
        "seconds": round(statistics.seconds, 3),
        "references_per_second": round(statistics.per_second, 1),
    }


def result_object(verdict: Verdict) -> dict[str, Any]:
    """Return one verdict with its evidence."""
    reference = verdict.reference
    return {
        "key": reference.key,
        "file": reference.file,
        "line": reference.line,
        "status": verdict.status.value,
        "reason": verdict.reason,
        "confidence": verdict.confidence,
        "issues": [issue_object(issue) for issue in verdict.issues],
        "best_match": candidate_object(verdict.best_match) if verdict.best_match else None,
        "meant": [nearest_object(work) for work in verdict.meant],
        "flags": list(verdict.flags),
        "decided_by": verdict.decided_by,
        "evidence": [inquiry_object(inquiry) for inquiry in verdict.evidence],
        "reference": reference_object(reference),
    }


def reference_object(reference: Reference) -> dict[str, Any]:
    """Return what was cited, without the place that stands beside it."""
    said = {field.name: getattr(reference, field.name) for field in fields(reference)}
    for place in ("key", "place"):
        del said[place]
    return said | {"authors": list(reference.authors)}


def issue_object(issue: Issue) -> dict[str, Any]:
    """Return one difference."""
    return asdict(issue) | {"severity": issue.severity.value}


def inquiry_object(inquiry: Inquiry) -> dict[str, Any]:
    """Return one question to one source."""
    return asdict(inquiry) | {
        "outcome": inquiry.outcome.value,
        "milliseconds": round(inquiry.milliseconds, 3),
    }


def candidate_object(candidate: Candidate) -> dict[str, Any]:
    """Return a candidate's record with how well its title agrees."""
    head = {"title": candidate.record.title, "similarity": candidate.similarity, "match": candidate.match.value}
    return head | record_object(candidate.record)


def nearest_object(work: NearestWork) -> dict[str, Any]:
    """Return a nearest work: its candidate, what it is to the reference, and every field compared."""
    return candidate_object(work.candidate) | {
        "relation": relation(work),
        "found_by": [route.value for route in work.found_by],
        "fields": [field_object(field) for field in work.fields],
    }


def field_object(field: FieldComparison) -> dict[str, Any]:
    """Return one field as it is cited and as it is recorded."""
    return asdict(field) | {
        "agreement": field.agreement.value,
        "only_cited": list(field.only_cited),
        "only_recorded": list(field.only_recorded),
    }


def relation(work: NearestWork) -> str:
    """Say in a few words what a work is to a reference: ``meant``, ``title of``, ``2 of 3 authors of``..."""
    known = work.fields_that(Agreement.SAME)
    partly = work.fields_that(Agreement.PARTLY)
    if {"title", "authors"} <= {*known, *partly}:
        return "meant"
    people = next((field for field in work.fields if field.field == "authors"), None)
    if people and "authors" in partly and not people.only_cited:  # the work has more authors, and none are cited amiss
        known = (*known, "authors")
    named = [name for field, name in _NAMING.items() if field in known]
    if named:
        return f"{' and '.join(named)} of"
    if "title" in partly:
        return "similar title"
    if not people or "authors" not in partly:
        return "nearest"
    cited = people.cited.count("; ") + 1
    return f"{cited - len(people.only_cited)} of {cited} authors of"


def record_object(record: Record) -> dict[str, Any]:
    """Return the fields of a record that a reader compares."""
    return {
        "year": record.year,
        "venue": record.venue,
        "pub_type": record.pub_type,
        "authors": list(record.authors),
        "key": record.key,
        "doi": record.doi,
        "arxiv_id": record.arxiv_id,
        "url": record_link(record),
        "source": record.source,
        "retraction": record.retraction,
        "concern": record.concern,
    }


def record_link(record: Record) -> str:
    """Return the address at which a person can see the work: its DOI, its arXiv page, else the record's own."""
    if record.doi:
        return f"https://doi.org/{record.doi}"
    if record.arxiv_id:
        return f"https://arxiv.org/abs/{record.arxiv_id}"
    return record.url


def notice_link(verdict: Verdict, flag: str) -> str:
    """Return the address at which a person can read why the work has ``flag``; empty where there is none."""
    if not verdict.best_match:
        return ""
    record = verdict.best_match.record
    return {"retracted": record.retraction, "expression_of_concern": record.concern}.get(flag, "")
