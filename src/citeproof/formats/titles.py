"""Plain titles, one a line; blank lines and lines that begin with ``#`` are no entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.fields.bibtex import reference_of
from citeproof.fields.limits import too_many, too_many_entries
from citeproof.models import Bibliography, Place, Span

if TYPE_CHECKING:
    from citeproof.inputs.document import Document
    from citeproof.models import Diagnostic, Reference

NAME = "titles"
SUFFIXES = (".txt", ".titles")
CODES: dict[str, str] = {}


def accepts(document: Document) -> int:
    """Return 1 for a document of such a name, else 0: any text could be titles."""
    return int(document.suffix in SUFFIXES)


def read(document: Document) -> Bibliography:
    """Read one title a line; each reference's key is its line number."""
    entries: list[Reference | Diagnostic] = []
    position = 0
    for number, line in enumerate(document.text.split("\n"), start=1):
        written = line.strip()
        if written and not written.startswith("#"):
            start = position + line.index(written)
            span = Span(start, start + len(written))
            place = Place(document.name, number, span=span, fields=(("title", span),))
            if too_many(len(entries), position):
                entries.append(too_many_entries(place))
                break
            entries.append(reference_of(str(number), "", {"title": written}, raw=written, place=place))
        position += len(line) + 1
    return Bibliography(tuple(entries))
