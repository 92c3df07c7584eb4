"""The items of a JSON array, a single object or JSON lines, each with its place in the text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from citeproof.fields.limits import too_many, too_many_entries
from citeproof.fields.reading import Reading
from citeproof.models import Diagnostic, Place, Reference, Span
from citeproof.text.encodings import without_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.models import Bibliography

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
    """Read ``text`` with ``reference`` for each object or text; it answers None where that says nothing.

    A text without any item that is JSON is one malformed document.
    """
    return begin_items(text, file, name, reference).bibliography()


def begin_items(text: str, file: str, name: str, reference: Callable[[Any], Reference | None]) -> Reading:
    """Begin to read ``text``; as :func:`read_items`, but the first entry does not wait for the last."""
    return Reading(_entries(text, file, name, reference))


def _entries(
    text: str, file: str, name: str, reference: Callable[[Any], Reference | None]
) -> Iterator[Reference | Diagnostic]:
    """Yield the entries. Before the first reference it is open whether the text is one malformed document."""
    waiting: list[Reference | Diagnostic] | None = []
    malformed: Diagnostic | None = None
    for count, item in enumerate(items(text)):
        place = Place(file, item.line, span=Span(item.start, item.start + len(item.raw)))
        if ended := too_many(count, item.start):
            entry: Reference | Diagnostic = too_many_entries(place)
        else:
            entry = _entry(item, place, name, reference)
        if item.error and not malformed and not ended:
            malformed = Diagnostic(place, "document.malformed", f"not JSON: {item.error}")
        if isinstance(entry, Reference):
            yield from waiting or ()
            waiting = None
        if waiting is None:
            yield entry
        else:
            waiting.append(entry)
        if ended:
            break
    yield from ([malformed] if malformed and waiting is not None else waiting or ())


def _entry(item: Item, place: Place, name: str, reference: Callable[[Any], Reference | None]) -> Reference | Diagnostic:
    code = "malformed" if item.error else "" if isinstance(item.value, dict | str) else "not_a_reference"
    if not code and (read := reference(item.value)):
        return replace(read, raw=item.raw, place=place)
    code = code or "no_fields"
    message = f"this item {CODES[code]}{': ' if item.error else ''}{item.error}"
    return Diagnostic(place, f"{name}.{code}", message, item.raw)


def items(text: str) -> Iterator[Item]:
    """Yield the items of an array, or the values that stand one after another.

    Behind a malformed value nothing more can be read in an array. Elsewhere reading goes on at the next line, and
    from there on each line is read by itself: a value that never closes would be read to the end again and again.
    """
    decoder = json.JSONDecoder()
    position = _skip(text, 0, _BLANK + "\ufeff")
    is_array = text.startswith("[", position)
    if is_array:
        position = _skip(text, position + 1, _BLANK)
    line, counted = 1, 0
    segment, offset = text, 0
    while position < len(text):
        line, counted = line + text.count("\n", counted, position), position
        if position - offset >= len(segment):
            segment, offset = text[position : _line_end(text, position)], position
        if is_array and text[position] == "]":
            position = _skip(text, position + 1, _BLANK)
            if position < len(text):
                raw = text[position : position + _LONGEST_RAW]
                line += text.count("\n", counted, position)
                yield Item(None, raw, position, line, "more text behind the end of the array")
            return
        try:
            value, end = decoder.raw_decode(segment, position - offset)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply or too large"
            end = len(text) if is_array else _line_end(text, position)
            yield Item(None, text[position : min(end, position + _LONGEST_RAW)], position, line, reason)
            segment, offset = "", end
        else:
            end += offset
            yield Item(value, text[position:end], position, line)
        position = _skip(text, end, _BLANK + ",")


def _line_end(text: str, position: int) -> int:
    newline = text.find("\n", position)
    return len(text) if newline < 0 else newline


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
