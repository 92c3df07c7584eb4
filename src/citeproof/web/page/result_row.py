"""The answer to ``/?title=`` as the page shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.serialization import lookup_object
from citeproof.text.differences import differing_words

if TYPE_CHECKING:
    from citeproof.models import Lookup

NEAR = 0.7
"""Below this similarity a nearest title explains nothing, and is not shown."""
LABELS = {"found": "Found", "near": "Near", "missing": "Not found"}
NOTES = {
    "doi": "The work with this DOI.",
    "arxiv_id": "The work with this arXiv id.",
    "main_title": "The same title but for a subtitle.",
    "same_words": "The same words in another order.",
}
"""What is said of a match by what agrees; of other titles the marked words say enough."""
IDENTIFIERS = ("doi", "arxiv_id")

_INDEXES = {"title_index": "Title index", "word_index": "Word index", "": "Every title"}


def result_row(lookup: Lookup, asked: str = "") -> dict[str, Any]:
    """Return what ``result.html`` shows of ``lookup``; ``asked`` names the sources at hand, to be said of a miss.

    A title that reaches the threshold with other words is near, not found: one word may make it another work.
    """
    item = lookup_object(lookup)
    match = _match(item)
    words = [(word, False) for word in lookup.query.split()]
    recorded: list[tuple[str, bool]] = []
    kind = "missing"
    if match and match["match"] in IDENTIFIERS:
        kind, recorded = "found", [(word, False) for word in match["title"].split()]
    elif match:
        words, recorded = differing_words(lookup.query, match["title"])
        same = lookup.found and not any(differs for _, differs in (*words, *recorded))
        kind = "found" if same else "near"
    return {
        "kind": kind,
        "label": LABELS[kind],
        "query": words,
        "match": match,
        "recorded": recorded,
        "note": NOTES.get(match["match"], "") if match else "",
        "further": _further(item),
        "proof": _proof(item, match, asked),
    }


def _match(item: dict[str, Any]) -> dict[str, Any] | None:
    """Return the record to show: the best, else the first that is related, else the nearest title."""
    if item["found"]:
        return item
    if item.get("related"):
        return dict(item["related"][0])
    nearest: dict[str, Any] | None = item.get("nearest")
    return nearest if nearest and nearest["similarity"] >= NEAR else None


def _further(item: dict[str, Any]) -> dict[str, Any]:
    """Return the records beside the one that is shown, and how many there are."""
    shown = item["others"] if item["found"] else item.get("related", [])[1:]
    return {"count": item["total"] - 1 if item["found"] else len(shown), "shown": shown}


def _proof(item: dict[str, Any], match: dict[str, Any] | None, asked: str) -> str:
    index = _INDEXES.get(item["index_used"], item["index_used"])
    how = f"{index}, {item['candidates_examined']:,} compared, {item['duration_ms']:.1f} ms."
    if item["found"] or (match and match["match"] in IDENTIFIERS):
        return how
    how = f"Asked: {asked}. {how}" if asked else how
    if item["complete"]:
        return f"Proved: no title in the database is close enough. {how}"
    return f"Not proved: the search was cut short or the index cannot tell. {how}"
