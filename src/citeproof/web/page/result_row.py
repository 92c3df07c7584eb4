"""One answer as the page shows it without JavaScript; ``static/results.js`` follows the same rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.serialization import candidate_object
from citeproof.text.differences import differing_words

if TYPE_CHECKING:
    from citeproof.models import Lookup

NEAR = 0.7
"""Below this similarity a nearest title explains nothing, and is not shown."""

_INDEXES = {"title_index": "Title index", "word_index": "Word index", "": "Every title"}


def result_row(lookup: Lookup) -> dict[str, Any]:
    """Return what ``result.html`` shows of ``lookup``.

    A title that reaches the threshold with other words is near, not found: one word may make it another work.
    """
    best = lookup.candidates[0] if lookup.found else lookup.nearest
    if not best or (not lookup.found and best.similarity < NEAR):
        words = [(word, False) for word in lookup.query.split()]
        kind, label, match, recorded = "missing", "Not found", None, list[tuple[str, bool]]()
    else:
        words, recorded = differing_words(lookup.query, best.record.title)
        same = lookup.found and not any(differs for _, differs in (*words, *recorded))
        kind, label = ("found", "Found") if same else ("near", "Near")
        match = candidate_object(best)
    return {
        "kind": kind,
        "label": label,
        "query": words,
        "match": match,
        "recorded": recorded,
        "proof": _proof(lookup),
    }


def _proof(lookup: Lookup) -> str:
    index = _INDEXES.get(lookup.index, lookup.index)
    how = f"{index}, {lookup.candidates_examined:,} compared, {lookup.milliseconds:.1f} ms."
    if lookup.found:
        return how
    if lookup.complete:
        return f"Proved: no title in the database is close enough. {how}"
    return f"Not proved: the search was cut short or the index cannot tell. {how}"
