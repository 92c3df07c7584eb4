"""Read the MEDLINE format, which PubMed exports (``.nbib``). Each line has a tag, a hyphen and a
value: ``TI - Title``.

The tags are those of *MEDLINE/PubMed Data Element (Field) Descriptions* by the National Library of
Medicine.
"""

import re

from citeproof.model.reference import Bibliography, Place, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import arrange_authors
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import first_of
from citeproof.readers.fields.tagged import NO_FIELDS, TaggedRecord, read_records, tagged_records

NAME = "medline"
SUFFIXES = (".nbib", ".medline")
CODES = {"medline.no_fields": NO_FIELDS}

_TAG = re.compile(r"([A-Z]{2,4}) *- ?(?:(.*\S)|)\s*")
_FIELDS = {
    "title": ("TI", "BTI", "CTI"),
    "journal": ("JT", "TA"),
    "year": ("DP", "DEP"),
    "volume": ("VI",),
    "number": ("IP",),
    "pages": ("PG",),
    "publisher": ("PB",),
}
"""Map from a field of a reference to MEDLINE tags. The first tag with a value is used."""
_DOI = re.compile(r"(10\.\d{4,9}/\S+) \[doi\]")


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly MEDLINE, else 0."""
    return 2 if re.search(r"(?m)^PMID- *\d", document.text) else 0


def read(document: Document) -> Bibliography:
    """Read each record as a reference."""
    records = tagged_records(document.text, _TAG, "PMID", " " * 6)
    return Bibliography(tuple(read_records(document, NAME, records, _reference, " (TI)")))


def _reference(record: TaggedRecord, raw: str, place: Place) -> Reference:
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
    kind = "article" if "JT" in said or "TA" in said else ""
    return reference_of(said.get("PMID", ""), kind, fields, authors=authors, raw=raw, place=place)


def _initials_last(written: str) -> str:
    """Return an author's name in MEDLINE with the usual punctuation: ``Lee, A. B.`` for
    ``Lee AB``.
    """
    family, _, initials = written.rpartition(" ")
    return (
        f"{family}, {' '.join(f'{letter}.' for letter in initials)}"
        if family and initials.isupper()
        else written
    )


def _whole_pages(match: re.Match[str]) -> str:
    """Return a page range in MEDLINE with the last page in full: ``1023–1029`` for ``1023-9``."""
    first, last = match.groups()
    return f"{first}–{first[: len(first) - len(last)]}{last}"
