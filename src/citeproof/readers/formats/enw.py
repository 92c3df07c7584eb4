"""Read EndNote's tagged export (``.enw``), which Google Scholar and publishers give.

The tags are those of *refer*: ``%A`` author, ``%T`` title. A record ends at a blank line or ``%0``.
"""

import re
from collections.abc import Iterator

from citeproof.model.reference import Bibliography, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import TaggedRecord, first_of, references_of

NAME = "enw"
SUFFIXES = (".enw",)
CODES = {"enw.no_fields": "nothing in the record that a reference is made of"}

_LINE = re.compile(r"\ufeff?%([0-9A-Z@!#$&?^~(<>*+.\[\]{|}])(?: +(.*\S))?[ \t]*")
_SURE = re.compile(r"\s*\ufeff?%[0AT] \S")
_FURTHER = re.compile(r"^%[ATDJB] \S", re.MULTILINE)
_FIELDS = {
    "title": ("T",),
    "journal": ("J", "B", "S"),
    "year": ("D", "8"),
    "volume": ("V",),
    "number": ("N",),
    "pages": ("P",),
    "publisher": ("I",),
    "doi": ("R",),
    "url": ("U",),
    "note": ("Z", "O"),
}
"""Map from fields of a reference to tags. The first tag with a value counts."""


def accepts(document: Document) -> int:
    """Return how likely the document has EndNote's tags: 2 if certainly, else 0."""
    begins = _SURE.match(document.text)
    return 2 if begins and _FURTHER.search(document.text, begins.end(), begins.end() + 5_000) else 0


def read(document: Document) -> Bibliography:
    """Read each record as a reference."""
    records = ((record.place(document.name), record) for record in _records(document.text))
    message = f"this record has {CODES['enw.no_fields']}; give it at least a title (%T)"
    return Bibliography(
        tuple(references_of(document.text, records, _reference, "enw.no_fields", message))
    )


def _records(text: str) -> Iterator[TaggedRecord]:
    record: TaggedRecord | None = None
    tag, position = "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        match = _LINE.fullmatch(line)
        if record and (not line.strip() or (match and match[1] == "0")):
            yield record
            record = None
        if match:
            record = record or TaggedRecord(position, number)
            tag = match[1]
            if match[2]:
                record.values.setdefault(tag, []).append(match[2])
                start, end = match.span(2)
                record.fields.append((tag.lower(), Span(position + start, position + end)))
        elif record and line.strip() and tag in record.values:
            record.values[tag].append(f"\n{line.strip()}")
            record.continued = True
        if record:
            record.end = position + len(line.rstrip())
        position += len(line) + 1
    if record:
        yield record


def _reference(record: TaggedRecord, raw: str, place: Place) -> Reference | None:
    said = record.joined()
    texts = {tag: values[0] for tag, values in said.items()}
    fields = {name: first_of(texts, tags) for name, tags in _FIELDS.items()}
    authors = arrange_authors(said.get("A") or said.get("E") or ())
    if not any(fields.values()) and not authors[0]:
        return None
    kind = texts.get("0", "").lower()
    return reference_of(texts.get("F", ""), kind, fields, authors=authors, raw=raw, place=place)
