"""Read JSON arrays, objects and JSON lines item by item, and convert items of the Citation Style
Language (CSL).
"""

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from citeproof.model.reference import Diagnostic, Place, Reference, Span
from citeproof.readers.fields.authors import arrange_authors, name_of_parts
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import (
    LONGEST_RAW,
    described,
    first_of,
    references_of,
)
from citeproof.text.encodings import resolve_entities, without_controls
from citeproof.text.lines import LineCounter

_VARIABLES = {
    "title": ("title", "title-short"),
    "journal": (
        "container-title",
        "event-title",
        "event",
        "container-title-short",
        "collection-title",
    ),
    "doi": ("DOI", "doi"),
    "url": ("URL", "url"),
    "pages": ("page",),
    "number": ("issue", "number"),
    **{name: (name,) for name in ("volume", "publisher", "note")},
}
"""Map from a BibTeX field to variables of CSL-JSON 1.0.2. The first of these variables with a value
fills the field.
"""
CODES = {
    "malformed": "is not JSON",
    "not_a_reference": "is neither an object nor a text",
    "no_fields": "has no field of a reference",
}
"""Map from the end of the code of a diagnostic, such as ``no_fields``, to a phrase that says what
is wrong with a JSON item.
"""
# names of the date of publication in CSL and Crossref
_DATES = ("issued", "published", "published-print", "published-online")
MENDELEY = "MENDELEY_CITATION_v3_"
"""Beginning of the code of a field that Mendeley Cite writes into a document. The rest of the code
is JSON in Base64.
"""
_BLANK = " \t\n\r"
_TAG = re.compile(r"</?(?:(?:mml|jats):)?[a-z]+(?:\s[^<>]{0,200})?/?>")
"""Regex for a tag in a CSL field, such as ``<span class="nocase">`` and Crossref's ``<mml:mi>``."""
_BEGINNING = re.compile(r'[\ufeff\s]*+(?:\{\s*+["}]|\[\s*+(?:["{\]]|$))')
# converts a JSON value; returns None if the value does not describe a work
_Convert: TypeAlias = "Callable[[Any], Reference | None]"


def reference_of_item(said: Any) -> Reference | None:
    """Return the reference that ``said``, an item in CSL-JSON, describes. None if the item does not
    describe a work.
    """
    if not isinstance(said, dict):
        return None
    texts = _texts(said)
    fields = {name: first_of(texts, variables) for name, variables in _VARIABLES.items()}
    if texts.get("archive", "").lower() == "arxiv":
        fields["eprint"] = first_of(texts, ("archive_location", "number"))
        fields["eprinttype"] = "arxiv"
    authors = arrange_authors(_names(said.get("author")) or _names(said.get("editor")))
    fields = {name: _unmarked(value) for name, value in fields.items()}
    fields["year"] = next(filter(None, map(_year, map(said.get, _DATES))), "")
    key = first_of(texts, ("id", "citation-key", "DOI"))
    return described(reference_of(key, texts.get("type", ""), fields, authors=authors))


def _unmarked(value: str) -> str:
    """Return ``value`` without the tags of CSL and Crossref."""
    return (
        " ".join(_TAG.sub("", resolve_entities(value)).split())
        if "<" in value or "&" in value
        else value
    )


def _texts(said: dict[str, Any]) -> dict[str, str]:
    return {name: _value_text(value) for name, value in said.items()}


def _value_text(value: object) -> str:
    """Return ``value`` as text. For a list, such as Crossref's list of titles, return its first
    item as text.
    """
    return text_of(value[0] if isinstance(value, list) and value else value)


def _names(people: object) -> list[str]:
    if isinstance(people, dict | str):
        people = [people]
    return [_name(person) for person in people] if isinstance(people, list) else []


def _name(person: object) -> str:
    if not isinstance(person, dict):
        return _value_text(person)
    texts = _texts(person)
    prefix = " ".join(filter(None, map(texts.get, ("dropping-particle", "non-dropping-particle"))))
    return first_of(texts, ("literal", "name")) or name_of_parts({**texts, "prefix": prefix})


def _year(issued: object) -> str:
    """Return the year of the CSL date ``issued`` as text: ``2017`` for
    ``{"date-parts": [[2017, 6]]}``. Free text is returned unchanged.
    """
    if isinstance(issued, list):  # written by older versions of pandoc
        issued = issued[0] if issued else ""
    if isinstance(issued, dict):
        parts = issued.get("date-parts")
        while isinstance(parts, list) and parts:
            parts = parts[0]
        return _value_text(parts) or first_of(_texts(issued), ("raw", "literal", "year"))
    return _value_text(issued)


def references_in(
    text: str, file: str, name: str, reference: _Convert
) -> Iterator[Reference | Diagnostic]:
    """Yield a reference or a diagnostic for each item of the JSON text ``text``. A text that is not
    JSON gives one diagnostic.

    ``file`` is the name of the document, ``name`` that of the format, and ``reference`` converts an
    item.
    """
    entries = references_of(text, _items(text, file), partial(_entry, name, reference))
    waiting: list[Diagnostic] = []
    for entry in entries:
        if isinstance(entry, Reference):
            yield from waiting
            yield entry
            yield from entries
            return
        waiting.append(entry)
    if malformed := next((entry for entry in waiting if entry.code == f"{name}.malformed"), None):
        message = malformed.message.removeprefix("this item is ")
        waiting = [replace(malformed, code="document.malformed", message=message, raw="")]
    yield from waiting


def _entry(
    name: str, reference: _Convert, item: tuple[Any, str], raw: str, place: Place
) -> Reference | Diagnostic:
    value, error = item
    code = "malformed" if error else "" if isinstance(value, dict | str) else "not_a_reference"
    if not code and (read := reference(value)):
        return replace(read, raw=raw, place=place)
    code = code or "no_fields"
    return Diagnostic(
        place, f"{name}.{code}", f"this item {CODES[code]}{': ' if error else ''}{error}", raw
    )


def _items(text: str, file: str) -> Iterator[tuple[Place, tuple[Any, str]]]:
    """Yield for each JSON value in an array or in JSON lines its place, and a pair of the value and
    an error message. The message is empty if there is no error.

    In an array, nothing is read after a malformed value. In JSON lines, a value may extend over
    several lines. After a malformed value, each line is parsed as one value.
    """
    # '[{"a": 1}, {"b": }, {"c": 3}]' gives {"a": 1} and an error. '{"a": 1}\n{"b": \n{"c": 3}'
    # gives {"a": 1}, an error, and {"c": 3}. After an error, ``segment`` is one line: otherwise, if
    # a value is never closed, the text would be read to its end once per line.
    decoder = json.JSONDecoder()
    position = _skip(text, 0, _BLANK + "\ufeff")
    is_array = text.startswith("[", position)
    if is_array:
        position = _skip(text, position + 1, _BLANK)
    lines = LineCounter(text)
    segment, offset = text, 0

    def place(start: int, end: int) -> Place:
        return Place(file, lines.of(start), span=Span(start, min(end, len(text))))

    while position < len(text):
        if position - offset >= len(segment):
            segment, offset = text[position : _line_end(text, position)], position
        if is_array and text[position] == "]":
            position = _skip(text, position + 1, _BLANK)
            if position < len(text):
                yield (
                    place(position, position + LONGEST_RAW),
                    (None, "more text after the end of the array"),
                )
            return
        try:
            value, end = decoder.raw_decode(segment, position - offset)
        except (ValueError, RecursionError) as error:
            reason = (
                error.msg
                if isinstance(error, json.JSONDecodeError)
                else "nested too deeply or too large"
            )
            end = len(text) if is_array else _line_end(text, position)
            yield place(position, min(end, position + LONGEST_RAW)), (None, reason)
            segment, offset = "", end
        else:
            end += offset
            yield place(position, end), (value, "")
        position = _skip(text, end, _BLANK + ",")
    if is_array and segment:
        yield place(len(text), len(text)), (None, "the file ends inside the array")


def _line_end(text: str, position: int) -> int:
    newline = text.find("\n", position)
    return len(text) if newline < 0 else newline


def begins_json(text: str) -> bool:
    """Whether ``text`` begins with a JSON object, or with an array of objects or texts. False for
    ``[1] A. Lee``.
    """
    return _BEGINNING.match(text) is not None


def text_of(value: object) -> str:
    """Return a JSON text or number as text. For other values, return an empty text."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    # ``\ud800`` in JSON gives a lone surrogate, which cannot be encoded.
    return without_controls(str(value).encode("utf-8", "replace").decode("utf-8")).strip()


def _skip(text: str, position: int, signs: str) -> int:
    while position < len(text) and text[position] in signs:
        position += 1
    return position


def cited_works(
    file: str, name: str, codes: Iterable[tuple[str, int]]
) -> list[Reference | Diagnostic]:
    """Return a reference to each work that is cited in the fields of a word processor's document.
    Each work is returned once.

    ``file`` is the name of the document, ``name`` that of the format. ``codes`` has a pair for each
    field: its code, and the number of its paragraph.
    """
    items: dict[str, tuple[Any, int]] = {}
    broken: list[Diagnostic] = []
    for code, paragraph in codes:
        cited = _cited_items(code)
        if cited is None:
            message = "this field of a reference manager cannot be read; let the program refresh it"
            place = Place(file, paragraph)
            broken.append(Diagnostic(place, f"{name}.broken_field", message, code[:LONGEST_RAW]))
        for one in cited or ():
            if isinstance(one, dict) and "itemData" in one:
                items.setdefault(_identity(one), (one["itemData"], paragraph))
    works = (
        _entry("csl-json", reference_of_item, (item, ""), json.dumps(item), Place(file, paragraph))
        for item, paragraph in items.values()
    )
    return [*works, *broken]


def _cited_items(code: str) -> list[Any] | None:
    """Return the items that ``code``, the code of a field, cites. None if it is malformed."""
    text = (
        base64_text(code.removeprefix(MENDELEY))
        if code.startswith(MENDELEY)
        else code[max(code.find("{"), 0) :]
    )
    try:
        said, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    cited = said.get("citationItems") if isinstance(said, dict) else None
    return cited if isinstance(cited, list) else None


def _identity(cited: dict[str, Any]) -> str:
    """Return a text that identifies the work of the citation item ``cited``: its URI, or its data
    as JSON if it has no URI.
    """
    for addresses in (cited.get("uris"), cited.get("uri")):
        if isinstance(addresses, list) and addresses and isinstance(addresses[0], str):
            return addresses[0]
    return json.dumps(cited["itemData"], sort_keys=True)


def base64_text(data: str) -> str:
    """Decode ``data`` from Base64 to text. The result is empty if ``data`` is not valid Base64."""
    with suppress(ValueError):
        return b64decode("".join(data.split())).decode("utf-8", "replace")
    return ""
