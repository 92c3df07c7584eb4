"""Values that the page shows of a look-up: works with their similarity, facts and links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.model.record import MatchKind
from citeproof.report.serialization import candidate_object
from citeproof.text.similarity import differing_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citeproof.model.record import Candidate

NEAR = 0.6
"""Minimum similarity of a nearest title that is shown."""
LABELS = {"found": "✓ Found", "near": "≈ Near", "missing": "? Not found", "failed": "⚠ Failed"}
"""Badges of answers."""
NOTES = {
    MatchKind.DOI.value: "has this DOI",
    MatchKind.ARXIV_ID.value: "has this arXiv id",
    MatchKind.MAIN_TITLE.value: "the same but for a subtitle",
    MatchKind.SAME_WORDS.value: "the same words in another order",
}
"""Notes on kinds of matches. Other matches show their similarity and marked words."""
KINDS = {
    "article": "article in a journal or report series",
    "inproceedings": "conference or workshop paper",
    "incollection": "chapter of a book",
    "proceedings": "proceedings",
    "book": "book",
    "phdthesis": "doctoral thesis",
    "mastersthesis": "master's thesis",
    "data": "dataset or software",
    "rfc": "RFC",
}
"""Names of publication types; another type is shown as it is."""
IDENTIFIERS = (MatchKind.DOI.value, MatchKind.ARXIV_ID.value)
"""Matches by an identifier, not by the title."""

_INDEXES = {"title_index": "Title index", "word_index": "Word index", "": "Every title"}


def answer_row(item: Mapping[str, Any], nearest: Iterable[Candidate] = (), asked: str = "") -> dict[str, Any]:
    """Return the values of ``answer.html`` for one title.

    ``item`` is the answer of the JSON interface, ``nearest`` are further works with titles similar to one that was not
    found, and ``asked`` names the sources. A title above the threshold with different words is near, not found, because
    one word may make it another work.
    """
    query = str(item["query_title"])
    if item.get("error"):
        return _row("failed", query, note=item["error"])
    works = _works(item, nearest)
    identified = [work for work in works if work["match"] in IDENTIFIERS]
    if identified:
        kind, shown = "found", identified
    elif item["found"]:
        shown = [work for work in works if work["similarity"] == works[0]["similarity"]]
        kind = "near" if _differs(query, works[0]) else "found"
    else:
        kind, shown = "missing", works
    further = [work for work in works if work not in shown]
    return _row(
        kind,
        query,
        words=differing_words(query, shown[0]["title"])[0] if kind == "near" else [(query, False)],
        note=_summary(kind, shown, item),
        works=[_shown(query, work) for work in shown],
        further=[_shown(query, work) for work in further],
        proof=_proof(item, kind, asked),
    )


def _row(kind: str, title: str, **facts: Any) -> dict[str, Any]:
    nothing = {"words": [(title, False)], "works": [], "further": [], "proof": ""}
    return {"kind": kind, "label": LABELS[kind], "title": title} | nothing | facts


def _works(item: Mapping[str, Any], nearest: Iterable[Candidate]) -> list[dict[str, Any]]:
    """Return the records to show, best first, each once."""
    if item["found"]:
        return [dict(item), *item["others"]]
    near = [item["nearest"]] if item.get("nearest") else []
    alike = sorted((*near, *map(candidate_object, nearest)), key=lambda work: -work["similarity"])
    works = {work["key"]: work for work in (*item.get("related", ()), *alike) if work["match"] in NOTES or _near(work)}
    return list(works.values())


def _near(work: Mapping[str, Any]) -> bool:
    return bool(work["similarity"] >= NEAR)


def _differs(query: str, work: Mapping[str, Any]) -> bool:
    return any(differs for words in differing_words(query, work["title"]) for _, differs in words)


def _summary(kind: str, shown: Sequence[Mapping[str, Any]], item: Mapping[str, Any]) -> str:
    """Return a sentence on the number of works and their relation to the title."""
    if kind == "missing":
        return "The nearest works, best first:" if shown else "No title in the database is like it."
    if len(shown) == 1:
        return ""
    if not item["found"]:
        return f"{len(shown)} records have this identifier."
    title = "this title" if kind == "found" else "a title that is nearly this one"
    listed = 1 + len(item["others"])
    more = f" Of {item['total']:,} records {listed} are shown." if item["total"] > listed == len(shown) else ""
    return f"{len(shown)} records have {title}; the title alone does not say which is meant.{more}"


def _shown(query: str, work: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts and links of one record."""
    identified = work["match"] in IDENTIFIERS
    words = (
        [(word, False) for word in work["title"].split()] if identified else differing_words(query, work["title"])[1]
    )
    notice = "This work was retracted." if work["retraction"] else ""
    if work["concern"] and not notice:
        notice = "An expression of concern was published about this work."
    return {
        "similarity": "" if identified else f"{100 * work['similarity']:.1f} %",
        "note": NOTES.get(work["match"], ""),
        "title": words,
        "authors": ", ".join(work["authors"]),
        "facts": [
            fact for fact in (work["venue"], work["year"], KINDS.get(work["pub_type"], work["pub_type"])) if fact
        ],
        "links": _links(work),
        "notice": notice,
    }


def _links(work: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the identifiers of a record, each with its address."""
    links = []
    if work["doi"]:
        links.append((f"doi:{work['doi']}", f"https://doi.org/{work['doi']}"))
    if work["arxiv_id"]:
        links.append((f"arXiv:{work['arxiv_id']}", f"https://arxiv.org/abs/{work['arxiv_id']}"))
    if work["source"] == "dblp":
        links.append((f"dblp:{work['key']}", f"https://dblp.org/rec/{work['key']}"))
    elif work["key"]:
        links.append((f"{work['source']}:{work['key']}".strip(":"), ""))
    known = {address for _, address in links}
    if work["url"].startswith(("https://", "http://")) and work["url"] not in known:
        links.append((work["url"], work["url"]))
    return links


def _proof(item: Mapping[str, Any], kind: str, asked: str) -> str:
    index = _INDEXES.get(item["index_used"], item["index_used"])
    how = f"{index}, {item['candidates_examined']:,} compared, {item['duration_ms']:.1f} ms."
    if kind != "missing":
        return how
    how = f"Asked: {asked}. {how}" if asked else how
    if item["complete"]:
        return f"Proved: no title in the database is close enough. {how}"
    return f"Not proved: the search was cut short or the index cannot tell. {how}"
