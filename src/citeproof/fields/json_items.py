"""The items of a JSON array, a single object or JSON lines, each with its place in the text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from citeproof.models import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.text.encodings import without_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CODES = {
    "malformed": "is not JSON",
    "not_a_reference": "is neither an object nor a text",
    "no_fields": "says nothing that a reference is made of",
}
"""What can be wrong with an item; a format's codes have its own name before the dot."""

_BLANK = " \t\n\r"
_LONGEST_RAW = 2000
_BEGINNING = re.compile(r'[\ufeff\s]*+(?:\{\s*+["}]|\[\s*+(?:["{\]]|$))')


@dataclass(frozen=True, slots=True)
class Item:
    """One value with its text; ``error`` says why there is none."""

    value: Any
    raw: str
    start: int
    line: int
    error: str = ""


def read_items(text: str, file: str, name: str, reference: Callable[[Any], Reference | None]) -> Bibliography:
    """Read ``text`` with ``reference`` for each object or text; it answers None where that says nothing."""
    entries: list[Reference | Diagnostic] = []
    for item in items(text):
        place = Place(file, item.line, span=Span(item.start, item.start + len(item.raw)))
        code = "malformed" if item.error else "" if isinstance(item.value, dict | str) else "not_a_reference"
        if item.error and not entries:
            return Bibliography((Diagnostic(place, "document.malformed", f"not JSON: {item.error}"),))
        read = None if code else reference(item.value)
        if read:
            entries.append(replace(read, raw=item.raw, place=place))
        else:
            code = code or "no_fields"
            message = f"this item {CODES[code]}{': ' if item.error else ''}{item.error}"
            entries.append(Diagnostic(place, f"{name}.{code}", message, item.raw[:_LONGEST_RAW]))
    return Bibliography(tuple(entries))


def items(text: str) -> Iterator[Item]:
    """Yield the items of an array, or the values that stand one after another.

    Behind a malformed value reading goes on at the next line of JSON lines, and ends in an array.
    """
    decoder = json.JSONDecoder()
    position = _skip(text, 0, _BLANK + "\ufeff")
    is_array = text.startswith("[", position)
    if is_array:
        position = _skip(text, position + 1, _BLANK)
    line, counted = 1, 0
    while position < len(text) and not (is_array and text[position] == "]"):
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply or too large"
            newline = text.find("\n", position)
            end = len(text) if is_array or newline < 0 else newline + 1
            yield Item(None, text[position : min(end, position + _LONGEST_RAW)], position, line, reason)
        else:
            yield Item(value, text[position:end], position, line)
        position = _skip(text, end, _BLANK + ",")


def begins_json(text: str) -> bool:
    """Whether ``text`` begins as an object, or as an array of objects or texts; a list numbered ``[1]`` does not."""
    return _BEGINNING.match(text) is not None


def text_of(value: object) -> str:
    """Return a JSON text or number as text, and anything else as empty."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    # An escape may stand for half of a character, which no encoding can write.
    return without_controls(str(value).encode("utf-8", "replace").decode("utf-8")).strip()


def first_text(said: dict[str, Any], names: tuple[str, ...]) -> str:
    """Return the first text that ``said`` has under one of ``names``, or an empty one."""
    return next((text for name in names if (text := text_of(said.get(name)))), "")


def _skip(text: str, position: int, signs: str) -> int:
    while position < len(text) and text[position] in signs:
        position += 1
    return position
