"""Read CSL items in YAML of pandoc and Zotero: a list ``references:`` in a file or in the header of a paper.

Each item is parsed separately, so a malformed item affects no other. All values stay text, also ``no`` and
``2019-05-01``. Aliases are refused, because ten lines of them can expand to a billion values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.json_items import reference_of_item
from citeproof.readers.fields.reading import LONGEST_RAW, too_many, too_many_entries
from citeproof.readers.fields.sources import LineCounter

NAME = "csl-yaml"
SUFFIXES = (".yaml", ".yml")
CODES = {
    "csl-yaml.malformed": "the item is not YAML, has an alias, or is nested too deeply",
    "csl-yaml.not_a_reference": "the item is no mapping of names to values",
    "csl-yaml.no_fields": "the item has no field of a reference",
}
"""Every diagnostic of this format, and what it means."""

_KEY = re.compile(r"^references:[ \t]*(#.*)?", re.MULTILINE)
_START = re.compile(r"\ufeff?(?:[ \t]*(?:#.*)?\n)*(?:---[ \t]*(?=\n))?")
_END = re.compile(r"^(?:[^\s#-]|---|\.\.\.|-[^\s])", re.MULTILINE)
"""Regex of the line that ends an unindented list."""
_ITEM = re.compile(r"^([ \t]*)-(?=\s|$)", re.MULTILINE)
_HEADER_END = re.compile(r"\A\ufeff?---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_VARIABLE = re.compile(
    r"^[ \t-]*(?:issued|container-title|author|title|URL|DOI)\s*:|[{,]\s*(?:issued|title)\s*:", re.MULTILINE
)
_ID = re.compile(r"^[ \t-]*id:[ \t]*[\"']?([^\s\"']{1,200})", re.MULTILINE)
_CITATION_FILE = re.compile(r"^cff-version:", re.MULTILINE)
"""Regex of ``CITATION.cff``, whose references have other names than those of CSL."""
_LOOKED_AT = 100_000
_DEEPEST = 20
_EMPHASIS = re.compile(r"(?<![\\\w])([*_]{1,3})(?=\S)([^*_\n]+)(?<=\S)\1(?!\w)")
_SPAN = re.compile(r"\[([^\[\]]*)\]\{[.#][^{}]*\}")
"""Regex of pandoc's spans, which protect capitals: ``[DNA]{.nocase}``."""


def accepts(document: Document) -> int:
    """Return 2 for YAML with a list ``references`` of CSL items, 1 for a bare list of items, else 0."""
    beginning = document.text[:_LOOKED_AT]
    if not _VARIABLE.search(beginning) or _CITATION_FILE.search(beginning):
        return 0
    header = _HEADER_END.match(beginning)
    if header and beginning[header.end() :].strip():
        return 0
    if _KEY.search(beginning):
        return 2
    start = _START.match(beginning)
    return int(bool(start and beginning[start.end() :].lstrip()[:2] in {"- ", "-\n"}))


def read(document: Document) -> Bibliography:
    """Read the items of the list."""
    import yaml

    entries: list[Reference | Diagnostic] = []
    lines = LineCounter(document.text)
    for span in _items(document.text):
        place = Place(document.name, lines.of(span.start), span=span)
        raw = document.text[span.start : span.end]
        if too_many(len(entries), span.start):
            entries.append(too_many_entries(place))
            break
        try:
            values = _values(_indent(document.text, span.start) + raw)
        except (yaml.YAMLError, ValueError) as error:
            message = f"this item is not YAML: {_reason(error, place.line)}"
            key = _ID.search(raw)
            entries.append(
                Diagnostic(place, "csl-yaml.malformed", message, raw[:LONGEST_RAW], key=key[1] if key else "")
            )
            continue
        entries += (_entry(value, raw, place) for value in values)
    return Bibliography(tuple(entries))


def _items(text: str) -> Iterator[Span]:
    """Yield the spans of the items. A list in brackets is one span."""
    beginning = _KEY.search(text) or _START.match(text)
    begin = beginning.end() if beginning else 0
    after = _END.search(text, begin)
    end = after.start() if after else len(text)
    if _inline(text, begin):
        yield _trimmed(text, begin, end)
        return
    first = _ITEM.search(text, begin, end)
    indent = first[1] if first else ""
    starts = [match.end(1) for match in _ITEM.finditer(text, begin, end) if match[1] == indent]
    for start, following in pairwise([*starts, end] if starts else ()):
        yield _trimmed(text, start, following)


def _inline(text: str, position: int) -> bool:
    """Whether text follows in the same line."""
    newline = text.find("\n", position)
    return bool(text[position : newline if newline >= 0 else len(text)].strip())


def _trimmed(text: str, begin: int, end: int) -> Span:
    piece = text[begin:end]
    return Span(begin + len(piece) - len(piece.lstrip()), begin + len(piece.rstrip()))


def _indent(text: str, position: int) -> str:
    """Return the indentation before ``position``, or an empty text if other text precedes it in its line."""
    before = text[text.rfind("\n", 0, position) + 1 : position]
    return before if before.isspace() else ""


def _values(raw: str) -> list[Any]:
    """Return the items in ``raw``, with scalars as text, made of PyYAML's events.

    PyYAML's own loaders follow aliases and have no limit of depth.

    Raises:
        YAMLError: it is not YAML.
        ValueError: it has an alias or is nested too deeply.
    """
    import yaml

    opened: list[list[Any]] = [[]]
    for event in yaml.parse(raw, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
        if isinstance(event, yaml.ScalarEvent):
            says_nothing = event.implicit[0] and event.value in {"null", "~"}
            opened[-1].append("" if says_nothing else event.value)
        elif isinstance(event, yaml.CollectionStartEvent):
            opened.append([])
            if len(opened) > _DEEPEST:
                raise ValueError(f"it is nested more than {_DEEPEST} deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            said = opened.pop()
            is_mapping = isinstance(event, yaml.MappingEndEvent)
            opened[-1].append(_mapping(said) if is_mapping else said)
        elif isinstance(event, yaml.AliasEvent):
            raise ValueError(f"it has the alias *{event.anchor}; write the value out")
    (values,) = opened[0] or [[]]
    return values if isinstance(values, list) else [values]


def _mapping(said: list[Any]) -> dict[str, Any]:
    """Return a mapping of ``said``, where names and values alternate. Names that are not text are left out."""
    return {name: value for name, value in zip(said[::2], said[1::2], strict=True) if isinstance(name, str)}


def _entry(value: Any, raw: str, place: Place) -> Reference | Diagnostic:
    if not isinstance(value, dict):
        message = f"this item {CODES['csl-yaml.not_a_reference'].removeprefix('the item ')}"
        return Diagnostic(place, "csl-yaml.not_a_reference", message, raw[:LONGEST_RAW])
    said = {name: _plain(one) if name.endswith(("title", "title-short")) else one for name, one in value.items()}
    reference = reference_of_item(said)
    if not reference:
        message = f"this item {CODES['csl-yaml.no_fields'].removeprefix('the item ')}"
        return Diagnostic(place, "csl-yaml.no_fields", message, raw[:LONGEST_RAW])
    return replace(reference, raw=raw, place=place)


def _plain(value: Any) -> Any:
    """Return a title without the emphasis and spans of Markdown that pandoc allows."""
    return _SPAN.sub(r"\1", _EMPHASIS.sub(r"\2", value)) if isinstance(value, str) else value


def _reason(error: Exception, first: int) -> str:
    """Return the reason and the line of an error. ``first`` is the first line of the item."""
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or " ".join(str(error).split())
    if "mapping values are not allowed" in problem:
        problem += "; put a value with a colon in quotation marks"
    return f"{problem} (line {first + mark.line})" if mark else problem
