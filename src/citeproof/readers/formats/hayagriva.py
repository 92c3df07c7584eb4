"""Read Hayagriva, the YAML format of bibliographies for Typst.

The fields are those of Hayagriva 0.9 (https://github.com/typst/hayagriva, ``docs/file-format.md``).
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from citeproof.model.reference import Bibliography, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import name_of_parts, split_authors
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.yaml import CODES as ITEM_CODES
from citeproof.readers.fields.yaml import read_items

NAME = "hayagriva"
SUFFIXES = (".yml", ".yaml")
CODES = {f"{NAME}.{code}": meaning for code, meaning in ITEM_CODES.items()}

_TYPES = (
    "article|chapter|entry|anthos|report|thesis|web|proceedings|conference|book|newspaper|"
    "periodical|misc"
    "|repository|video|audio|blog|manuscript|original|patent|legislation|case|reference|thread|post"
    "|scene|artwork|exhibition|performance"
)
_ENTRY = re.compile(
    r"^([^\s#:'\"-][^:\n]*|'[^'\n]+'|\"[^\"\n]+\"):[ \t]*(?:\{.*|#.*)?$", re.MULTILINE
)
_TYPE = re.compile(
    rf"(?:^[ \t]+|[{{,]\s*)type:[ \t]*[\"']?(?:{_TYPES})\b", re.MULTILINE | re.IGNORECASE
)
_OTHER = re.compile(r"^(?:cff-version|references):", re.MULTILINE)  # keys of other formats
_DEEPEST = 5  # maximum number of nested works: three for a chapter in a book in a series


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly Hayagriva, else 0."""
    beginning = document.text[:20_000]
    first = _ENTRY.search(beginning)
    return 2 if first and _TYPE.search(beginning) and not _OTHER.search(beginning) else 0


def read(document: Document) -> Bibliography:
    """Read each entry as a reference."""
    return read_items(document, NAME, _spans(document.text), _reference)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    starts = [match.start() for match in _ENTRY.finditer(text)]
    for start, end in pairwise([*starts, len(text)]):
        yield start, start + len(text[start:end].rstrip())


def _reference(entry: dict[str, Any]) -> Reference | None:
    key, said = next(iter(entry.items()), ("", ""))
    if len(entry) != 1 or not isinstance(said, dict):
        return None
    within: list[dict[str, Any]] = [said]
    while len(within) < _DEEPEST and (parent := _first(within[-1].get("parent"))):
        within.append(parent)
    numbers = said.get("serial-number")
    serial = numbers if isinstance(numbers, dict) else {"serial": numbers}
    fields = {
        "title": _text(said.get("title")),
        "journal": next(filter(None, (_text(one.get("title")) for one in within[1:])), ""),
        "year": _inherited(within, "date"),
        "pages": _inherited(within[:1], "page-range"),
        "volume": _inherited(within, "volume"),
        "number": _inherited(within, "issue"),
        "publisher": _inherited(within, "publisher") or _inherited(within, "organization"),
        "doi": _text(serial.get("doi")),
        "arxivid": _text(serial.get("arxiv")),
        "url": _text(said.get("url")),
        "note": _text(said.get("note")),
    }
    people = said.get("author") or said.get("editor") or []
    names = " and ".join(map(_name, people if isinstance(people, list) else [people]))
    authors = split_authors(names)
    return reference_of(key, _text(said.get("type")), fields, authors=authors)


def _first(value: Any) -> dict[str, Any] | None:
    """Return ``value`` if it is a mapping. If it is a list, return its first item if that is a
    mapping. Otherwise return None.
    """
    first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, dict) else None


def _inherited(within: list[dict[str, Any]], name: str) -> str:
    """Return the text of the field ``name`` from the first work in ``within`` that has this field.
    ``within`` is a work and the works that contain it.
    """
    return next(filter(None, (_text(one.get(name)) for one in within)), "")


def _text(value: Any) -> str:
    """Return ``value`` if it is a text. If it is a mapping such as ``{value: A, verbatim: true}``,
    return the text of ``value`` or ``name`` in it.
    """
    if isinstance(value, dict):
        value = value.get("value") or value.get("name")
    return value.replace("{", "").replace("}", "") if isinstance(value, str) else ""


def _name(person: Any) -> str:
    if not isinstance(person, dict):
        return _text(person)
    parts = {name: _text(person.get(name)) for name in ("prefix", "suffix")}
    return name_of_parts(
        parts | {"family": _text(person.get("name")), "given": _text(person.get("given-name"))}
    )
