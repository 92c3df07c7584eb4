"""Read CSL items in YAML, as pandoc and Zotero write them: a list ``references:`` in a file or a
Markdown header.

Each item is parsed separately, so a malformed item affects no other item. All values stay text,
even ``no`` and ``2019-05-01``. YAML aliases are refused, because ten lines of them can expand to a
billion values.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.json_items import reference_of_item
from citeproof.readers.fields.reading import LONGEST_RAW, references_of
from citeproof.readers.fields.sources import LineCounter

NAME = "csl-yaml"
SUFFIXES = (".yaml", ".yml")
CODES = {
    "csl-yaml.malformed": "the item is not YAML, has an alias, or is nested too deeply",
    "csl-yaml.not_a_reference": "the item is no mapping of names to values",
    "csl-yaml.no_fields": "the item has no field of a reference",
}

_KEY = re.compile(r"^references:[ \t]*(#.*)?", re.MULTILINE)
_START = re.compile(r"\ufeff?(?:[ \t]*(?:#.*)?\n)*(?:---[ \t]*(?=\n))?")
# regex of the first line after the list
_END = re.compile(r"^(?:[^\s#-]|---|\.\.\.|-[^\s])", re.MULTILINE)
_ITEM = re.compile(r"^([ \t]*)-(?=\s|$)", re.MULTILINE)
_HEADER_END = re.compile(r"\A\ufeff?---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_VARIABLE = re.compile(
    r"^[ \t-]*(?:issued|container-title|author|title|URL|DOI)\s*:|[{,]\s*(?:issued|title)\s*:",
    re.MULTILINE,
)
_DEEPEST = 20
_EMPHASIS = re.compile(r"(?<![\\\w])([*_]{1,3})(?=\S)([^*_\n]+)(?<=\S)\1(?!\w)")
"""Regex of emphasis in Markdown, which pandoc allows in titles: ``*E. coli*``."""
# regex of pandoc's markup to protect capitals: [DNA]{.nocase}
_SPAN = re.compile(r"\[([^\[\]]*)\]\{[.#][^{}]*\}")


def accepts(document: Document) -> int:
    """Return how likely the document is CSL in YAML: 2 if certainly, 1 if possibly, 0 if not."""
    beginning = document.text[:100_000]
    header = _HEADER_END.match(beginning)
    is_citation_file = re.search(r"(?m)^cff-version:", beginning)  # CITATION.cff, which is not CSL
    if (
        not _VARIABLE.search(beginning)
        or is_citation_file
        or (header and beginning[header.end() :].strip())
    ):
        return 0
    if _KEY.search(beginning):
        return 2
    start = _START.match(beginning)
    return int(bool(start and beginning[start.end() :].lstrip()[:2] in {"- ", "-\n"}))


def read(document: Document) -> Bibliography:
    """Read each item of the list as a reference."""
    message = "this item has no field of a reference"
    entries = references_of(
        document.text, _values(document), _reference, "csl-yaml.no_fields", message
    )
    return Bibliography(tuple(entries))


def _values(document: Document) -> Iterator[tuple[Place, Any]]:
    """Yield the place and the parsed value of each item.

    For a malformed item, the value is an exception.
    """
    import yaml

    lines = LineCounter(document.text)
    for start, end in _items(document.text):
        place = Place(document.name, lines.of(start), span=Span(start, end))
        before = document.text[document.text.rfind("\n", 0, start) + 1 : start]
        indent = before if before.isspace() else ""
        try:
            values = _parsed(indent + document.text[start:end])
        except (yaml.YAMLError, ValueError) as error:
            values = [error]
        for value in values:
            yield place, value


def _reference(value: Any, raw: str, place: Place) -> Reference | Diagnostic | None:
    if isinstance(value, Exception):
        key = re.search(r"(?m)^[ \t-]*id:[ \t]*[\"']?([^\s\"']{1,200})", raw)
        message = f"this item is not YAML: {_reason(value, place.line)}"
        return Diagnostic(
            place, "csl-yaml.malformed", message, raw[:LONGEST_RAW], key=key[1] if key else ""
        )
    if not isinstance(value, dict):
        message = "this item is no mapping of names to values"
        return Diagnostic(place, "csl-yaml.not_a_reference", message, raw[:LONGEST_RAW])
    for name, title in value.items():
        if name.endswith(("title", "title-short")) and isinstance(title, str):
            value[name] = _SPAN.sub(r"\1", _EMPHASIS.sub(r"\2", title))
    reference = reference_of_item(value)
    return replace(reference, raw=raw, place=place) if reference else None


def _reason(error: Exception, first: int) -> str:
    """Return the cause of a YAML ``error`` and the line number.

    The item begins in line ``first``.
    """
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or " ".join(str(error).split())
    if "mapping values are not allowed" in problem:
        problem += "; put a value with a colon in quotation marks"
    return f"{problem} (line {first + mark.line})" if mark else problem


def _items(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end offset of each item.

    A list in brackets, ``references: [...]``, is one item.
    """
    beginning = _KEY.search(text) or _START.match(text)
    begin = beginning.end() if beginning else 0
    after = _END.search(text, begin)
    end = after.start() if after else len(text)
    starts = [begin]
    if not text[begin:].partition("\n")[0].strip():
        found = list(_ITEM.finditer(text, begin, end))
        starts = [match.end(1) for match in found if match[1] == found[0][1]]
    for start, following in pairwise([*starts, end]):
        piece = text[start:following]
        yield following - len(piece.lstrip()), start + len(piece.rstrip())


def _parsed(raw: str) -> list[Any]:
    """Return the items in the YAML text ``raw``.

    Raises :class:`ValueError` for aliases and for deep nesting.
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
            value: Any = opened.pop()
            if isinstance(event, yaml.MappingEndEvent):  # names and values alternate
                pairs = zip(value[::2], value[1::2], strict=True)
                value = {name: said for name, said in pairs if isinstance(name, str)}
            opened[-1].append(value)
        elif isinstance(event, yaml.AliasEvent):
            raise ValueError(f"it has the alias *{event.anchor}; write the value out")
    (values,) = opened[0] or [[]]
    return values if isinstance(values, list) else [values]
