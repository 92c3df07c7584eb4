"""Convert results to dictionaries of JSON values. :mod:`citeproof.report.schema` declares the types
of the fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal

from citeproof.model.chance import SHOWN, Chance, PaperChance
from citeproof.model.findings import Inquiry, NearestWork
from citeproof.model.record import Candidate, Lookup
from citeproof.model.reference import Reference
from citeproof.model.run import Run, Statistics
from citeproof.model.stored import JsonObject
from citeproof.model.verdict import Verdict
from citeproof.readers.fields.bibtex import bibtex_entry
from citeproof.report.wording import record_link, relation
from citeproof.text.similarity import differ_in_words

if TYPE_CHECKING:
    from citeproof.report import schema

SCHEMA_VERSION: Literal[1] = 1
"""Version of the JSON schema. It increases when a field is removed or changes its meaning."""
MOST_SHOWN = 100
"""Maximum number of further records of a look-up.

The limit is needed because a title like "Editorial" may match thousands of works.
"""
_NOT_SHOWN = frozenset({"key", "string", "linked", "place", "oversized", "names_unread"})
_REFERENCE = tuple(one.name for one in fields(Reference) if one.name not in _NOT_SHOWN)
# types whose values need no conversion for JSON
_PLAIN = frozenset({str, int, float, bool, type(None)})


def _plain_fields(source: Any, *names: str) -> Any:
    """Return the attributes ``names`` of ``source``, by default all, as a dictionary of JSON
    values.
    """
    return {name: _plain(getattr(source, name)) for name in names or source.__slots__}


def _plain(value: Any) -> Any:
    """Convert ``value`` to JSON: a tuple to a list, the keys of a mapping to strings, an enum
    member to its value.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, tuple):
        return list(value)
    return (
        {str(name): count for name, count in value.items()}
        if isinstance(value, Mapping)
        else value.value
    )


def run_object(run: Run) -> schema.RunObject:
    """Return a run with all its verdicts as a JSON object."""
    return {
        "schema_version": SCHEMA_VERSION,
        "database": dict(run.database),
        "policy": run.policy,
        "settings": dict(run.settings),
        "notes": list(run.notes),
        "ending": run.ending.value,
        "sent": [_plain_fields(one) for one in run.sent],
        "statistics": statistics_object(run.statistics),
        "extractions": [_plain_fields(one) for one in run.extractions],
        "unread": [_plain_fields(line) for line in run.unread],
        "papers": [
            _plain_fields(one, "name", "entries", "by_status")
            | {"invented": invented_object(one.invented, one.carried_by)}
            for one in run.in_brief().papers
        ],
        "results": [result_object(verdict) for verdict in run.verdicts],
    }


def statistics_object(statistics: Statistics) -> schema.StatisticsObject:
    """Return the totals of a run as a JSON object."""
    names = (
        "entries",
        "by_status",
        "accepted",
        "by_strategy",
        "cache_hits",
        "lookups_by_method",
        "failures",
    )
    times = {
        "seconds": round(statistics.seconds, 3),
        "references_per_second": round(statistics.per_second, 1),
    }
    totals: schema.StatisticsObject = _plain_fields(statistics, *names) | times
    return totals


def invented_object(invented: PaperChance, carried_by: Sequence[str]) -> schema.InventedObject:
    """Return as a JSON object the estimated number of invented references in a paper, and
    ``carried_by``, the keys of the most suspicious references.
    """
    expected, one, three = (
        round(value, 6) for value in (invented.expected, invented.one, invented.three)
    )
    return {"expected": expected, "one": one, "three": three, "carried_by": list(carried_by)}


def result_object(verdict: Verdict) -> schema.ResultObject:
    """Return one verdict with its evidence as a JSON object."""
    reference = verdict.reference
    return {
        "key": reference.key,
        "paper": reference.paper,
        "file": reference.file,
        "line": reference.line,
        "page": reference.place.page,
        "status": verdict.status.value,
        "reason": verdict.reason,
        "confidence": verdict.confidence,
        "chance": _chance(verdict.chance) if verdict.chance else None,
        "issues": [_plain_fields(issue) for issue in verdict.issues],
        "notes": len(verdict.notes),
        "best_match": candidate_object(verdict.best_match) if verdict.best_match else None,
        "meant": [nearest_object(work) for work in verdict.meant],
        "flags": list(verdict.flags),
        "notices": [_plain_fields(one) for one in verdict.notices],
        "decided_by": verdict.decided_by,
        "searched": verdict.searched,
        "policy": verdict.policy,
        "acceptance": _plain_fields(verdict.acceptance) if verdict.acceptance else None,
        "evidence": [inquiry_object(inquiry) for inquiry in verdict.evidence],
        "reference": reference_object(reference),
    }


def inquiry_object(inquiry: Inquiry) -> schema.InquiryObject:
    """Return one query to one source as a JSON object."""
    return {**_plain_fields(inquiry), "milliseconds": round(inquiry.milliseconds, 3)}  # type: ignore[typeddict-item]


def reference_object(reference: Reference) -> schema.ReferenceObject:
    """Return a reference as a JSON object."""
    fields: schema.ReferenceObject = _plain_fields(reference, *_REFERENCE)
    return fields


def candidate_object(candidate: Candidate) -> schema.CandidateObject:
    """Return a candidate record as a JSON object, with the similarity of its title to the query."""
    record = candidate.record
    return {
        "title": record.title,
        "similarity": candidate.similarity,
        "match": candidate.match.value,
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


def nearest_object(work: NearestWork) -> schema.NearestObject:
    """Return a similar work as a JSON object, with the comparison of each field."""
    return {
        **candidate_object(work.candidate),
        "relation": relation(work),
        "found_by": [kind.value for kind in work.found_by],
        "fields": [_plain_fields(field) for field in work.fields],
        "bibtex": bibtex_entry(work.record),
    }


def lookup_object(lookup: Lookup) -> JsonObject:
    """Return the answer to one title as a ``LookupObject`` of the schema.

    Fields that do not apply are left out.
    """
    answer: JsonObject = {"found": lookup.found, "query_title": lookup.query}
    if lookup.found:
        best, *others = map(candidate_object, lookup.candidates[: MOST_SHOWN + 1])
        total = len(lookup.candidates) + lookup.more
        answer |= {**best, "others": others, "total": total, "all": lookup.every}
        if differ_in_words(lookup.query, best["title"]):
            answer["near"] = True
    elif lookup.nearest:
        answer["nearest"] = candidate_object(lookup.nearest)
    if lookup.related:
        answer["related"] = [candidate_object(one) for one in lookup.related[:MOST_SHOWN]]
    return answer | {
        "method": lookup.method.value,
        "index_used": lookup.index,
        "candidates_examined": lookup.candidates_examined,
        "complete": lookup.complete,
        "duration_ms": round(lookup.milliseconds, 3),
    }


def _chance(chance: Chance) -> schema.ChanceObject:
    facts = [_plain_fields(fact) for fact in chance.facts[:SHOWN]]
    return {"invented": round(chance.invented, 6), "base_rate": chance.base_rate, "facts": facts}
