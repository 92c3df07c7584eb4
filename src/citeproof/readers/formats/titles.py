"""Read plain titles, one per line. Blank lines and lines that begin with ``#`` are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.model.reference import Place, Span
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.reading import Reading, too_many, too_many_entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.model.reference import Bibliography, Diagnostic, Reference
    from citeproof.readers.document import Document

NAME = "titles"
SUFFIXES = (".txt", ".titles")
CODES: dict[str, str] = {}


def accepts(document: Document) -> int:
    """Return 1 if the document has one of the suffixes, else 0, because any text could be a list of titles."""
    return int(document.suffix in SUFFIXES)


def read(document: Document) -> Bibliography:
    """Read one title per line. The key of a reference is its line number."""
    return begin(document).bibliography()


def begin(document: Document) -> Reading:
    """Begin to read."""
    return Reading(_entries(document))


def _entries(document: Document) -> Iterator[Reference | Diagnostic]:
    position = found = 0
    for number, line in enumerate(document.text.split("\n"), start=1):
        written = line.strip()
        if written and not written.startswith("#"):
            start = position + line.index(written)
            span = Span(start, start + len(written))
            place = Place(document.name, number, span=span, fields=(("title", span),))
            if too_many(found, position):
                yield too_many_entries(place)
                return
            found += 1
            yield reference_of(str(number), "", {"title": written}, raw=written, place=place)
        position += len(line) + 1
