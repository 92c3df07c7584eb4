"""Plain titles, one a line; blank lines and lines that begin with ``#`` are no entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Bibliography, Place, Reference, Span
from citeproof.text.normalize import plain_text

if TYPE_CHECKING:
    from citeproof.inputs.document import Document

NAME = "titles"
SUFFIXES = (".txt", ".titles")
CODES: dict[str, str] = {}


def accepts(document: Document) -> int:
    """Return 0: any text could be titles, so this format is chosen by name only."""
    del document
    return 0


def read(document: Document) -> Bibliography:
    """Read one title a line; each reference's key is its line number."""
    entries = []
    position = 0
    for number, line in enumerate(document.text.split("\n"), start=1):
        written = line.strip()
        if written and not written.startswith("#"):
            title = " ".join(plain_text(written).split())
            start = position + line.index(written)
            span = Span(start, start + len(written))
            place = Place(document.name, number, span=span, fields=(("title", span),))
            entries.append(Reference(key=str(number), title=title, raw=written, place=place))
        position += len(line) + 1
    return Bibliography(tuple(entries))
