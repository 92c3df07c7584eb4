"""What an entry takes over from others: ``crossref`` (BibTeX, biblatex) and ``xdata`` (biblatex).

Sources: *BibTeXing*, section 2.1 point 5; biblatex manual, sections 2.4.1 and 3.13.6 and its appendix B. An
entry's own identifiers and notes are never passed on: the DOI of a volume is not that of a paper in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_OWN = frozenset({
    "title", "subtitle", "titleaddon", "shorttitle", "sorttitle", "maintitle", "mainsubtitle", "booktitle",
    "booksubtitle", "doi", "url", "ee", "urldate", "eprint", "eprinttype", "archiveprefix", "primaryclass", "arxivid",
    "note", "annote", "howpublished", "abstract", "keywords", "pages", "key", "ids", "crossref", "xref", "xdata",
    "related", "entryset", "options", "file",
})  # fmt: skip
"""Fields that say something about one entry alone, and titles, which change their role on the way."""

_NO_AUTHOR_FROM_PARENT = frozenset({"inproceedings", "conference", "incollection", "article", "inreference"})
"""Kinds whose container is the work of editors."""

_DEPTH = 5
"""Longest chain of parents that is followed."""


def inherited(kind: str, fields: Mapping[str, str], entries: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return ``fields`` with what ``xdata`` and ``crossref`` add; ``entries`` is by key in lower case."""
    complete = {name: value for name, value in fields.items() if value}
    _add_data(complete, entries)
    parent_key, seen = _key(complete), set[str]()
    while parent_key and parent_key not in seen and len(seen) < _DEPTH:
        seen.add(parent_key)
        parent = dict(entries.get(parent_key, {}))
        _add_data(parent, entries)
        for name, value in _passed_on(kind, parent).items():
            complete.setdefault(name, value)
        parent_key = _key(parent)
    return complete


def _key(fields: Mapping[str, str]) -> str:
    return fields.get("crossref", "").strip().lower()


def _add_data(fields: dict[str, str], entries: Mapping[str, Mapping[str, str]]) -> None:
    """Add the fields of the ``xdata`` containers, which count as the entry's own."""
    waiting, seen = fields.get("xdata", "").lower().split(","), set[str]()
    while waiting and len(seen) < _DEPTH:
        key = waiting.pop(0).strip()
        if key in seen or key not in entries:
            continue
        seen.add(key)
        for name, value in entries[key].items():
            if name == "xdata":
                waiting += value.lower().split(",")
            elif value:
                fields.setdefault(name, value)


def _passed_on(kind: str, parent: Mapping[str, str]) -> dict[str, str]:
    """Return what ``parent`` passes on to an entry of ``kind``; its title becomes the title of the container."""
    passed = {name: value for name, value in parent.items() if value and name not in _OWN}
    if kind in _NO_AUTHOR_FROM_PARENT:
        passed.pop("author", None)
    if kind == "article":
        container, subtitle = "journaltitle", "journalsubtitle"
    else:
        container, subtitle = "booktitle", "booksubtitle"
    if container == "booktitle" and parent.get("booktitle"):
        passed["booktitle"] = parent["booktitle"]
        return passed
    if parent.get("title") and not (container == "journaltitle" and parent.get("journal")):
        passed[container] = parent["title"]
        if parent.get("subtitle"):
            passed[subtitle] = parent["subtitle"]
    return passed
