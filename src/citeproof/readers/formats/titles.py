"""Read plain titles, one per line. Blank lines, and lines that begin with ``#``, are skipped."""

from collections.abc import Iterator
from dataclasses import replace

from citeproof.model.reference import Bibliography, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import Reading, references_of
from citeproof.readers.strings import is_reference_string
from citeproof.readers.strings.reference import reference_of_string
from citeproof.text.lines import numbered_lines

NAME = "titles"
SUFFIXES = (".txt", ".titles")
CODES: dict[str, str] = {}


def accepts(document: Document) -> int:
    """Return 1 if the file name ends in ``.txt`` or ``.titles``, else 0. The content is not
    examined, because any text could be a list of titles.
    """
    return int(document.suffix in SUFFIXES)


def read(document: Document) -> Bibliography:
    """Read each line as a title. The key of a reference is its line number."""
    return begin(document).bibliography()


def begin(document: Document) -> Reading:
    """Return a :class:`Reading` of the titles. It parses each title only when the title is
    requested.
    """
    reader = _title if document.format == NAME else _reference
    return Reading(references_of(document.text, _titles(document), reader))


def _titles(document: Document) -> Iterator[tuple[Place, str]]:
    for number, position, line in numbered_lines(document.text):
        if not (title := line.strip()).startswith("#"):
            start = position + line.index(title)
            span = Span(start, start + len(title))
            yield Place(document.name, number, span=span, fields=(("title", span),)), title


def _reference(title: str, raw: str, place: Place) -> Reference:
    """Return the reference in a line. The line is a title, unless it is certainly a whole
    reference.
    """
    if is_reference_string(title):
        return reference_of_string(title, str(place.line), replace(place, fields=()))
    return _title(title, raw, place)


def _title(title: str, raw: str, place: Place) -> Reference:
    return reference_of(str(place.line), "", {"title": title}, raw=raw, place=place)
