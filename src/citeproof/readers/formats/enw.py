"""Read EndNote's tagged format (``.enw``), which Google Scholar and publishers export.

The tags are those of the Unix program *refer*: ``%A`` author, ``%T`` title. A record ends at a
blank line or before ``%0``.
"""

import re

from citeproof.model.reference import Bibliography, Place, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors, separated
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import first_of
from citeproof.readers.fields.tagged import NO_FIELDS, TaggedRecord, read_records, tagged_records

NAME = "enw"
SUFFIXES = (".enw",)
CODES = {"enw.no_fields": NO_FIELDS}

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
"""Map from a field of a reference to tags. The first tag with a value is used."""


def accepts(document: Document) -> int:
    """Return 2 if the document certainly has EndNote's tags, else 0."""
    begins = _SURE.match(document.text)
    return 2 if begins and _FURTHER.search(document.text, begins.end(), begins.end() + 5_000) else 0


def read(document: Document) -> Bibliography:
    """Read each record as a reference."""
    records = tagged_records(document.text, _LINE, "0")
    return Bibliography(tuple(read_records(document, NAME, records, _reference, " (%T)")))


def _reference(record: TaggedRecord, raw: str, place: Place) -> Reference:
    said = record.joined()
    texts = {tag: values[0] for tag, values in said.items()}
    fields = {name: first_of(texts, tags) for name, tags in _FIELDS.items()}
    people = said.get("A") or said.get("E") or ()
    authors = arrange_authors(one for name in people for one in separated(name))
    kind = texts.get("0", "").lower()
    return reference_of(texts.get("F", ""), kind, fields, authors=authors, raw=raw, place=place)
