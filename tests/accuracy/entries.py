"""Records as BibTeX entries, so that a measurement begins where a user begins: with the text of an
entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.model.record import Record
    from citeproof.model.reference import Reference


def entry(kind: str, key: str, fields: dict[str, str]) -> str:
    """Return a BibTeX entry; empty fields are left out."""
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def fields_of(record: Record) -> dict[str, str]:
    """Return the fields under which a record is usually cited."""
    place = "journal" if record.pub_type == "article" else "booktitle"
    return {
        "title": escaped(record.title),
        "author": " and ".join(map(escaped, record.authors)),
        "year": str(record.year or ""),
        place: escaped(record.venue),
        "doi": record.doi,
    }


def whole_fields_of(record: Record) -> dict[str, str]:
    """Return the fields of a carefully made entry: those of :func:`fields_of` but the DOI, with
    volume, number and pages.
    """
    fields = fields_of(record)
    del fields["doi"]
    numbers = {"volume": record.volume, "number": record.number} if record.volume else {}
    return {**fields, **numbers, "pages": record.pages}


def kind_of(record: Record) -> str:
    """Return the entry type of a record."""
    return "article" if record.pub_type == "article" else "inproceedings"


def escaped(text: str) -> str:
    """Return ``text`` with the characters escaped that mean something to LaTeX."""
    for char in "&%#_$":
        text = text.replace(char, "\\" + char)
    return text


def read(entries: Sequence[str]) -> list[Reference]:
    """Read entries as the program does; none may be lost."""
    found = list(bibtex.read(Document.of_text("\n\n".join(entries), "accuracy.bib")).references)
    assert len(found) == len(entries)
    return found
