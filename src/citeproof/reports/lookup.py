"""One look-up as the flat JSON object that the command line and the web service both answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citeproof.models import Candidate, Lookup


def lookup_object(lookup: Lookup) -> dict[str, Any]:
    """Return ``lookup`` as a flat object; ``docs/api.md`` describes each field."""
    answer: dict[str, Any] = {"found": lookup.found, "query_title": lookup.query}
    if lookup.found:
        answer |= candidate_object(lookup.candidates[0])
        answer["others"] = [candidate_object(candidate) for candidate in lookup.candidates[1:]]
    elif lookup.nearest:
        answer["nearest"] = candidate_object(lookup.nearest)
    return answer | {
        "method": lookup.method.value,
        "index": lookup.index,
        "candidates_examined": lookup.candidates_examined,
        "complete": lookup.complete,
        "duration_ms": round(lookup.milliseconds, 3),
    }


def candidate_object(candidate: Candidate) -> dict[str, Any]:
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
        "url": record.url,
        "source": record.source,
    }
