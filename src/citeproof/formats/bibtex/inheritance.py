"""What an entry takes over from others: ``crossref`` (BibTeX, biblatex) and ``xdata`` (biblatex).

Sources: *BibTeXing*, section 2.1 point 5; biblatex manual, sections 2.4.1 and 3.13.6 and its appendix B. An
entry's own identifiers and notes are never passed on: the DOI of a volume is not that of a paper in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.fields.bibtex import READ

if TYPE_CHECKING:
    from collections.abc import Mapping

    Fields = Mapping[str, str]

_OWN = frozenset({
    "title", "subtitle", "maintitle", "mainsubtitle", "booksubtitle", "doi", "url", "ee", "link", "biburl", "eprint",
    "eprinttype", "archiveprefix", "arxivid", "arxiv", "arxiv_id", "note", "howpublished", "annotation", "pages",
})  # fmt: skip
"""Fields that say something about one entry alone, and titles, which change their role on the way."""
_PASSED_ON = READ - _OWN

_EDITED = frozenset({"inproceedings", "conference", "incollection", "article", "inreference"})
"""Kinds whose container is the work of editors: its author is not theirs."""

_MOST = 20
"""Most containers and parents that one entry takes from; a longer chain is a loop or an accident."""
_LONGEST = 2000
"""Longest value in characters that is passed on: what many inherit must not fill the memory."""


def inherited(kind: str, fields: Fields, entries: Mapping[str, Fields]) -> dict[str, str]:
    """Return ``fields`` with what ``xdata`` and ``crossref`` add; ``entries`` is by key in lower case."""
    complete = {name: value for name, value in fields.items() if value}
    _add_data(complete, fields, entries)
    child, seen = fields, set[str]()
    while (key := child.get("crossref", "").strip().lower()) and key not in seen and len(seen) < _MOST:
        seen.add(key)
        child = entries.get(key, {})
        parent: dict[str, str] = {}
        _add(parent, child, READ)
        _add_data(parent, child, entries)
        _pass_on(kind, parent, complete)
    return complete


def is_circular(key: str, entries: Mapping[str, Fields]) -> bool:
    """Whether the chain of ``crossref`` that begins at the entry ``key`` leads back to it: a to b, b to a."""
    first = current = key.lower()
    for _ in range(_MOST):
        current = entries.get(current, {}).get("crossref", "").strip().lower()
        if not current or current == first:
            return bool(current)
    return False


def _add(fields: dict[str, str], source: Fields, names: frozenset[str]) -> None:
    for name in names:
        if (value := source.get(name)) and len(value) <= _LONGEST:
            fields.setdefault(name, value)


def _add_data(fields: dict[str, str], entry: Fields, entries: Mapping[str, Fields]) -> None:
    """Add to ``fields`` those of the containers that ``entry`` names; they count as its own."""
    waiting, seen = _keys(entry), set[str]()
    while waiting and len(seen) < _MOST:
        key, *waiting = waiting
        if key in seen:
            continue
        seen.add(key)
        container = entries.get(key, {})
        _add(fields, container, READ)
        waiting += _keys(container)


def _keys(entry: Fields) -> list[str]:
    value = entry.get("xdata", "")
    return [key.strip().lower() for key in value[:_LONGEST].split(",")[:_MOST]] if value else []


def _pass_on(kind: str, parent: dict[str, str], child: dict[str, str]) -> None:
    """Add to ``child`` what ``parent`` passes on; its title becomes that of the container."""
    names = _PASSED_ON - {"author", "authors"} if kind in _EDITED else _PASSED_ON
    _add(child, parent, names)
    container = ("journaltitle", "journalsubtitle") if kind == "article" else ("booktitle", "booksubtitle")
    named = {"journal", "journaltitle"} if kind == "article" else {"booktitle"}
    if named.isdisjoint(child) and (title := parent.get("title")):
        child[container[0]] = title
        if subtitle := parent.get("subtitle"):
            child[container[1]] = subtitle
