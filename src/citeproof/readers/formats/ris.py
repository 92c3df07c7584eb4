"""Read RIS of Zotero, EndNote, Scopus, PubMed and publishers, and the tagged format of Web of Science.

Tags follow the RIS specification (Reference Manager, 2001), with variants that programs write. A record ends at ``ER``
or where the next one begins. rispy is not used: it raises at a record without ``ER`` and does not know lines.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity, Span
from citeproof.readers.fields.authors import arrange_authors
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.reading import TaggedRecord, first_of, references_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.readers.document import Document

NAME = "ris"
SUFFIXES = (".ris",)
CODES = {
    "ris.no_fields": "nothing in the record that a reference is made of",
    "ris.no_end": "a note, not a fault: the record has no `ER`; it ends where the next one begins",
}
"""Every diagnostic of this format, and what it means."""

_RIS = re.compile(r"\ufeff?([A-Z][A-Z0-9])(?:  - ?| -[^\S\n]| -$)(.*)\n?|.*\n?", re.MULTILINE)
"""Regex of a line, with its tag. ``AU  -Lee`` has one. ``IV -based``, with one space before the dash, needs another."""
_WEB_OF_SCIENCE = re.compile(r"\ufeff?([A-Z][A-Z0-9])(?: (.*)|$)\n?|.*\n?", re.MULTILINE)
_SURE = re.compile(r"^\ufeff?TY(?:  - *| - +)\w", re.MULTILINE)
_SURE_WEB_OF_SCIENCE = re.compile(r"\A\ufeff?\s*(?:FN .*\n(?:VR .*\n)?)?PT [A-Z]\n")
_BEGUN = re.compile(r"^\ufeff?TY(?:  -| -(?=\s|$))", re.MULTILINE)
"""Regex of the start of a record, with or without a type."""
_FIRST = {_RIS: frozenset({"TY"}), _WEB_OF_SCIENCE: frozenset({"TY", "PT"})}
"""Tags that begin a record. In RIS ``PT`` is a type of publication that Ovid and PubMed write."""
_FIELDS = {
    "title": ("TI", "T1", "CT", "BT"),
    "journal": ("T2", "JF", "JO", "JA", "J2", "JP", "SO", "BT", "C3", "T3"),
    "year": ("PY", "Y1", "DA", "YR"),
    "doi": ("DO", "DI"),
    "url": ("UR", "L2", "LK"),
    "volume": ("VL",),
    "number": ("IS",),
    "publisher": ("PB", "PU"),
    "note": ("N1",),
}
"""Fields of a reference, and the tags that they are read from. The first with a value counts."""
_MOST_NOTES = 1000
_PEOPLE = (("AF", "AU"), ("A1", "AU"), ("A2", "ED", "A3"))
"""Tags of authors, the fuller form first, and of editors, who replace missing authors."""


def accepts(document: Document) -> int:
    """Return 2 if a line has ``TY  -`` and a type, or if the text begins like Web of Science's format, else 0."""
    return 2 if _SURE.search(document.text) or _SURE_WEB_OF_SCIENCE.match(document.text) else 0


def read(document: Document) -> Bibliography:
    """Read the records."""
    notes: list[Diagnostic] = []
    message = f"this record has {CODES['ris.no_fields']}; give it at least a title (TI)"
    records = _placed(document, notes)
    entries = tuple(references_of(document.text, records, _reference, "ris.no_fields", message))
    return Bibliography(entries, tuple(notes))


def _placed(document: Document, notes: list[Diagnostic]) -> Iterator[tuple[Place, TaggedRecord]]:
    """Yield the records with their places, and add a note for each that has no end."""
    for record in _records(document.text):
        place = record.place(document.name)
        yield place, record
        if not record.closed and len(notes) < _MOST_NOTES:
            message = "this record has no ER; it was read up to the next one"
            notes.append(Diagnostic(place, "ris.no_end", message, severity=Severity.NOTE))


def _records(text: str) -> Iterator[TaggedRecord]:
    tagged = _SURE.search(text) or (_BEGUN.search(text) and not _SURE_WEB_OF_SCIENCE.match(text))
    pattern = _RIS if tagged else _WEB_OF_SCIENCE
    first = _FIRST[pattern]
    record: TaggedRecord | None = None
    last = ""
    for number, match in enumerate(pattern.finditer(text), start=1):
        tag, value = match.groups()
        if tag in first:
            if record:
                yield record
            record = TaggedRecord(match.start(1), number)
        if not record:
            continue
        if tag:
            last = tag
            record.end = match.start() + len(match[0].rstrip())
            if tag == "ER":
                record.closed = True
                yield record
                record = None
            elif value and (value := value.strip()):
                record.values.setdefault(tag, []).append(value)
                record.spans.append((tag.lower(), Span(match.start(2), record.end)))
        elif last in record.values and (written := match[0].rstrip()):
            # A long value continues in the next lines. Web of Science has one more author in each.
            if pattern is _WEB_OF_SCIENCE and any(last in tags for tags in _PEOPLE):
                record.values[last].append(written.strip())
            else:
                record.values[last].append(f"\n{written.strip()}")
                record.continued = True
            record.end = match.start() + len(written)
    if record:
        yield record


def _reference(record: TaggedRecord, raw: str, place: Place) -> Reference | None:
    said = record.joined()
    fields = {name: first_of(said, tags) for name, tags in _FIELDS.items()}
    people = next((found for tags in _PEOPLE if (found := _people(said, tags))), [])
    first, last = first_of(said, ("SP", "BP")), first_of(said, ("EP",))
    fields["pages"] = f"{first}--{last}" if first and last else first
    authors, others = arrange_authors(map(_name, people))
    if not authors and not any(fields.values()):
        return None
    if fields["journal"] == fields["title"]:
        fields["journal"] = ""
    # In Web of Science ``ID`` has key words.
    key = first_of(said, ("ID",) if "TY" in said else ("UT",))
    return reference_of(key, first_of(said, ("TY",)), fields, authors=(authors, others), raw=raw, place=place)


def _people(said: dict[str, list[str]], tags: tuple[str, ...]) -> list[str]:
    """Return the names of all ``tags``, of which RIS mixes some, or only of ``AF``. Semicolons separate names."""
    if tags[0] == "AF":
        return said.get("AF", [])
    return [name for tag in tags for names in said.get(tag, []) for name in names.split(";")]


def _name(written: str) -> str:
    """Return RIS's ``Family,Given,Suffix`` as ``Family, Given Suffix``."""
    family, *rest = [part.strip() for part in written.split(",")]
    return f"{family}, {' '.join(filter(None, rest))}" if any(rest) else family
