"""Parse untrusted YAML entry by entry. All values are read as text, and aliases are refused,
because ten lines of aliases can expand to a billion values.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import LONGEST_RAW, references_of
from citeproof.text.lines import LineCounter

CODES = {
    "malformed": "the item is not YAML, has an alias, or is nested too deeply",
    "not_a_reference": "the item is not a mapping of names to values",
    "no_fields": "the item has no field of a reference",
}
"""Map from the end of the code of a diagnostic to a phrase that says what is wrong with the
item.
"""
# regex for the first line after the list
_END = re.compile(r"^(?:[^\s#-]|---|\.\.\.|-[^\s])", re.MULTILINE)
_ITEM = re.compile(r"^([ \t]*)-(?=\s|$)", re.MULTILINE)
_DEEPEST = 20  # maximum depth of an item


def read_items(
    document: Document,
    name: str,
    spans: Iterable[tuple[int, int]],
    convert: Callable[[dict[str, Any]], Reference | None],
) -> Bibliography:
    """Read the items at ``spans`` of the document as references. A malformed item does not affect
    other items.

    ``spans`` has the start and end offset of each item. ``name`` is the name of the format, and
    ``convert`` makes a reference from a parsed item.
    """
    entries = references_of(
        document.text,
        _values(document, spans),
        partial(_reference, name, convert),
        f"{name}.no_fields",
        "this item has no field of a reference",
    )
    return Bibliography(tuple(entries))


def _values(document: Document, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[Place, Any]]:
    """Yield the place and the parsed value of each item at ``spans``. For a malformed item, the
    value is an exception.
    """
    import yaml

    lines = LineCounter(document.text)
    for start, end in spans:
        place = Place(document.name, lines.of(start), span=Span(start, end))
        before = document.text[document.text.rfind("\n", 0, start) + 1 : start]
        indent = before if before.isspace() else ""
        try:
            values = parsed(indent + document.text[start:end])
        except (yaml.YAMLError, ValueError) as error:
            values = [error]
        for value in values:
            yield place, value


def _reference(
    name: str,
    convert: Callable[[dict[str, Any]], Reference | None],
    value: Any,
    raw: str,
    place: Place,
) -> Reference | Diagnostic | None:
    if isinstance(value, Exception):
        key = re.search(r"(?m)^[ \t-]*id:[ \t]*[\"']?([^\s\"']{1,200})", raw)
        message = f"this item is not YAML: {_reason(value, place.line)}"
        return Diagnostic(
            place, f"{name}.malformed", message, raw[:LONGEST_RAW], key=key[1] if key else ""
        )
    if not isinstance(value, dict):
        message = "this item is not a mapping of names to values"
        return Diagnostic(place, f"{name}.not_a_reference", message, raw[:LONGEST_RAW])
    reference = convert(value)
    return replace(reference, raw=raw, place=place) if reference else None


def _reason(error: Exception, first: int) -> str:
    """Return the cause of a YAML ``error``, with its line number in the document. ``first`` is the
    number of the first line of the item.
    """
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or " ".join(str(error).split())
    if "mapping values are not allowed" in problem:
        problem += "; put a value with a colon in quotation marks"
    return f"{problem} (line {first + mark.line})" if mark else problem


def parsed(raw: str) -> list[Any]:
    """Return the items in the YAML text ``raw``.

    Raises :class:`ValueError` if the text has aliases or is nested too deeply.
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
            if isinstance(event, yaml.MappingEndEvent):  # in a mapping, names and values alternate
                pairs = zip(value[::2], value[1::2], strict=True)
                value = {name: said for name, said in pairs if isinstance(name, str)}
            opened[-1].append(value)
        elif isinstance(event, yaml.AliasEvent):
            raise ValueError(f"it has the alias *{event.anchor}; write the value out")
    (values,) = opened[0] or [[]]
    return values if isinstance(values, list) else [values]


def list_items(
    text: str, key: re.Pattern[str], start: re.Pattern[str]
) -> Iterator[tuple[int, int]]:
    """Yield the start and end offset of each item of a YAML list. The list is below the line that
    matches ``key``. Without such a line, it begins at the match of ``start``.

    A list in brackets, ``references: [...]``, is yielded as one item.
    """
    beginning = key.search(text) or start.match(text)
    begin = beginning.end() if beginning else 0
    after = _END.search(text, begin)
    end = after.start() if after else len(text)
    starts = [begin]
    if not text[begin:].partition("\n")[0].strip():
        found = list(_ITEM.finditer(text, begin, end))
        starts = [match.end(1) for match in found if match[1] == found[0][1]]
    for first, following in pairwise([*starts, end]):
        piece = text[first:following]
        yield following - len(piece.lstrip()), first + len(piece.rstrip())
