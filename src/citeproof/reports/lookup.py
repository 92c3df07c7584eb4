"""One look-up as the flat JSON object that the command line and the web service both answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.serialization import candidate_object

if TYPE_CHECKING:
    from citeproof.models import Lookup


def lookup_object(lookup: Lookup) -> dict[str, Any]:
    """Return ``lookup`` as a flat object; ``docs/api.md`` describes each field."""
    answer: dict[str, Any] = {"found": lookup.found, "query_title": lookup.query}
    if lookup.found:
        answer |= candidate_object(lookup.candidates[0])
        answer["others"] = [candidate_object(candidate) for candidate in lookup.candidates[1:]]
    elif lookup.nearest:
        answer["nearest"] = candidate_object(lookup.nearest)
    if lookup.related:
        answer["related"] = [candidate_object(candidate) for candidate in lookup.related]
    return answer | {
        "method": lookup.method.value,
        "index_used": lookup.index,
        "candidates_examined": lookup.candidates_examined,
        "complete": lookup.complete,
        "duration_ms": round(lookup.milliseconds, 3),
    }
