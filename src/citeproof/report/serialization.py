"""Results as the plain dictionaries that the JSON report, the web service and the tools for agents show.

:mod:`citeproof.report.schema` declares their shapes, in the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from citeproof.model.chance import SHOWN
from citeproof.readers.fields.bibtex_entry import bibtex_entry
from citeproof.report.wording import record_link, relation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citeproof.model.chance import Chance
    from citeproof.model.findings import FieldComparison, Inquiry, NearestWork
    from citeproof.model.record import Candidate, Lookup
    from citeproof.model.reference import Reference
    from citeproof.model.run import Run, Statistics
    from citeproof.model.verdict import Acceptance, Issue, Verdict
    from citeproof.report.schema import (
        AcceptanceObject,
        CandidateObject,
        ChanceObject,
        FieldObject,
        InquiryObject,
        IssueObject,
        NearestObject,
        ReferenceObject,
        ResultObject,
        RunObject,
        StatisticsObject,
    )

SCHEMA_VERSION: Literal[1] = 1
"""Raised when a field of a result is removed or changes its meaning; a new field does not raise it."""
MOST_SHOWN = 100
"""Maximum further records of one look-up: thousands have a title like "Editorial"."""


def run_object(run: Run) -> RunObject:
    """Return the whole run."""
    return {
        "schema_version": SCHEMA_VERSION,
        "database": dict(run.database),
        "policy": run.policy,
        "notes": list(run.notes),
        "ending": run.ending.value,
        "sent": [{"host": one.host, "requests": one.requests, "fields": list(one.fields)} for one in run.sent],
        "statistics": statistics_object(run.statistics),
        "extractions": [
            {
                "file": one.file,
                "found": one.found,
                "expected": one.expected,
                "doubtful": one.doubtful,
                "uncited": one.uncited,
                "fault": one.fault,
            }
            for one in run.extractions
        ],
        "papers": [
            {
                "name": one.name,
                "entries": one.entries,
                "by_status": _counts(one.by_status),
                "invented": {
                    "expected": round(one.invented.expected, 6),
                    "one": round(one.invented.one, 6),
                    "three": round(one.invented.three, 6),
                },
            }
            for one in run.in_brief().papers
        ],
        "results": [result_object(verdict) for verdict in run.verdicts],
    }


def statistics_object(statistics: Statistics) -> StatisticsObject:
    """Return the sum of a run."""
    return {
        "entries": statistics.entries,
        "by_status": _counts(statistics.by_status),
        "accepted": _counts(statistics.accepted),
        "by_strategy": _counts(statistics.by_strategy),
        "cache_hits": statistics.cache_hits,
        "lookups_by_method": _counts(statistics.lookups_by_method),
        "failures": _counts(statistics.failures),
        "seconds": round(statistics.seconds, 3),
        "references_per_second": round(statistics.per_second, 1),
    }


def result_object(verdict: Verdict) -> ResultObject:
    """Return one verdict with its evidence."""
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
        "issues": [issue_object(issue) for issue in verdict.issues],
        "best_match": candidate_object(verdict.best_match) if verdict.best_match else None,
        "meant": [nearest_object(work) for work in verdict.meant],
        "flags": list(verdict.flags),
        "notices": [{"kind": one.kind, "url": one.url, "source": one.source} for one in verdict.notices],
        "decided_by": verdict.decided_by,
        "searched": verdict.searched,
        "policy": verdict.policy,
        "acceptance": _acceptance(verdict.acceptance) if verdict.acceptance else None,
        "evidence": [inquiry_object(inquiry) for inquiry in verdict.evidence],
        "reference": _reference(reference),
    }


def issue_object(issue: Issue) -> IssueObject:
    """Return one difference."""
    return {
        "code": issue.code,
        "severity": issue.severity.value,
        "cited": issue.cited,
        "recorded": issue.recorded,
        "explanation": issue.explanation,
    }


def inquiry_object(inquiry: Inquiry) -> InquiryObject:
    """Return one query to one source."""
    return {
        "source": inquiry.source,
        "outcome": inquiry.outcome.value,
        "detail": inquiry.detail,
        "records": inquiry.records,
        "milliseconds": round(inquiry.milliseconds, 3),
        "method": inquiry.method,
        "index": inquiry.index,
        "candidates_examined": inquiry.candidates_examined,
        "complete": inquiry.complete,
        "from_cache": inquiry.from_cache,
        "searched": inquiry.searched,
    }


def candidate_object(candidate: Candidate) -> CandidateObject:
    """Return a candidate's record with how well its title agrees."""
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


def nearest_object(work: NearestWork) -> NearestObject:
    """Return a work that is compared with a reference field by field."""
    return {
        **candidate_object(work.candidate),
        "relation": relation(work),
        "found_by": [kind.value for kind in work.found_by],
        "fields": [_field(field) for field in work.fields],
        "bibtex": bibtex_entry(work.record),
    }


def lookup_object(lookup: Lookup) -> dict[str, Any]:
    """Return the answer to one title as a ``LookupObject`` of the schema, without the fields that do not apply."""
    answer: dict[str, Any] = {"found": lookup.found, "query_title": lookup.query}
    if lookup.found:
        best, *others = map(candidate_object, lookup.candidates[: MOST_SHOWN + 1])
        answer |= {**best, "others": others, "total": len(lookup.candidates) + lookup.more}
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


def _field(field: FieldComparison) -> FieldObject:
    return {
        "field": field.field,
        "agreement": field.agreement.value,
        "cited": field.cited,
        "recorded": field.recorded,
        "only_cited": list(field.only_cited),
        "only_recorded": list(field.only_recorded),
    }


def _chance(chance: Chance) -> ChanceObject:
    return {
        "invented": round(chance.invented, 6),
        "base_rate": chance.base_rate,
        "facts": [{"code": fact.code, "said": fact.said, "ratio": fact.ratio} for fact in chance.facts[:SHOWN]],
    }


def _acceptance(acceptance: Acceptance) -> AcceptanceObject:
    return {
        "because": acceptance.because,
        "on": acceptance.on,
        "until": acceptance.until,
        "lapsed": acceptance.lapsed.value if acceptance.lapsed else None,
    }


def _reference(reference: Reference) -> ReferenceObject:
    return {
        "title": reference.title,
        "authors": list(reference.authors),
        "and_others": reference.and_others,
        "year": reference.year,
        "venue": reference.venue,
        "entry_type": reference.entry_type,
        "doi": reference.doi,
        "arxiv_id": reference.arxiv_id,
        "pages": reference.pages,
        "volume": reference.volume,
        "number": reference.number,
        "url": reference.url,
        "publisher": reference.publisher,
        "note": reference.note,
        "raw": reference.raw,
        "from_text": reference.from_text,
        "doubts": list(reference.doubts),
    }


def _counts(counts: Mapping[str, int]) -> dict[str, int]:
    """Return ``counts`` with plain texts as names, where they are members of an enum."""
    return {str(name): count for name, count in counts.items()}
