"""Read MEDLINE as PubMed exports it (``.nbib``).

A line has a tag, a hyphen and a value: ``TI  - Title``.

Tags follow *MEDLINE/PubMed Data Element (Field) Descriptions* of the National Library of Medicine.
"""

import re
from collections.abc import Iterator

from citeproof.model.reference import Bibliography, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import TaggedRecord, first_of, references_of

NAME = "medline"
SUFFIXES = (".nbib", ".medline")
CODES = {"medline.no_fields": "nothing in the record that a reference is made of"}

_TAG = re.compile(r"([A-Z]{2,4}) *- ?(.*)")
_FIELDS = {
    "title": ("TI", "BTI", "CTI"),
    "journal": ("JT", "TA"),
    "year": ("DP", "DEP"),
    "volume": ("VI",),
    "number": ("IP",),
    "pages": ("PG",),
    "publisher": ("PB",),
}
"""Map from fields of a reference to MEDLINE tags. The first tag with a value counts."""
_DOI = re.compile(r"(10\.\d{4,9}/\S+) \[doi\]")


def accepts(document: Document) -> int:
    """Return how likely the document is MEDLINE: 2 if certainly, else 0."""
    return 2 if re.search(r"(?m)^PMID- *\d", document.text) else 0


def read(document: Document) -> Bibliography:
    """Read each record as a reference."""
    records = ((record.place(document.name), record) for record in _records(document.text))
    message = f"this record has {CODES['medline.no_fields']}; give it at least a title (TI)"
    return Bibliography(
        tuple(references_of(document.text, records, _reference, "medline.no_fields", message))
    )


def _records(text: str) -> Iterator[TaggedRecord]:
    record: TaggedRecord | None = None
    tag, position = "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        written = line.rstrip()
        match = _TAG.fullmatch(written)
        if record and (not written or (match and match[1] == "PMID")):
            yield record
            record = None
        if match:
            record = record or TaggedRecord(position, number)
            tag = match[1]
            record.values.setdefault(tag, []).append(match[2])
            record.fields.append(
                (tag.lower(), Span(position + match.start(2), position + len(written)))
            )
        elif record and written.startswith("      "):
            record.values[tag].append("\n" + written.strip())
            record.continued = True
        if record and written:
            record.end = position + len(written)
        position += len(line) + 1
    if record:
        yield record


def _reference(record: TaggedRecord, raw: str, place: Place) -> Reference | None:
    people = record.joined()
    said = {tag: " ".join(values) for tag, values in people.items()}
    fields = {name: first_of(said, tags) for name, tags in _FIELDS.items()}
    doi = _DOI.search("\n".join(said.get(tag, "") for tag in ("LID", "AID", "SO")))
    fields["doi"] = doi[1] if doi else ""
    fields["title"] = fields["title"].removesuffix(".")
    fields["pages"] = re.sub(r"(\d+)-(\d+)", _whole_pages, fields["pages"])
    shorts = map(_initials_last, people.get("AU", ()))
    named = people.get("FAU") or list(shorts) or people.get("CN") or people.get("FED") or ()
    authors = arrange_authors(named)
    if not any(fields.values()) and not authors[0]:
        return None
    kind = "article" if "JT" in said or "TA" in said else ""
    return reference_of(said.get("PMID", ""), kind, fields, authors=authors, raw=raw, place=place)


def _initials_last(written: str) -> str:
    """Return ``Lee, A. B.`` for ``Lee AB``."""
    family, _, initials = written.rpartition(" ")
    return (
        f"{family}, {' '.join(f'{letter}.' for letter in initials)}"
        if family and initials.isupper()
        else written
    )


def _whole_pages(match: re.Match[str]) -> str:
    """Return ``1023–1029`` for MEDLINE's page range ``1023-9``."""
    first, last = match.groups()
    return f"{first}–{first[: len(first) - len(last)]}{last}"
