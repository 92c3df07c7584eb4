"""Find the lines and columns of a field of a reference in its document."""

from collections.abc import Mapping
from typing import NamedTuple

from citeproof.model.reference import Reference
from citeproof.model.verdict import Issue
from citeproof.report.advice import field_of

_NAMES: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "ti", "t1", "ct"),
    "authors": ("author", "editor", "au", "a1"),
    "year": ("year", "date", "py", "y1", "da", "yr"),
    "venue": ("booktitle", "journal", "journaltitle", "t2", "jf", "jo", "ja", "j2", "so", "publisher"),
    "doi": ("doi", "do", "di", "url", "ur"),
    "arxiv_id": ("eprint", "arxivid", "arxiv", "url", "journal", "note", "doi", "ur"),
    "pages": ("pages", "sp"),
    "volume": ("volume", "vl"),
    "number": ("number", "issue", "is"),
}
"""Map from a field to its names in BibTeX, biblatex and RIS, the most specific name first."""


class Region(NamedTuple):
    """A range of a document. Lines and columns count from 1; the end column is not included."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


def region(reference: Reference, issue: Issue | None = None) -> Region | None:
    """Return the range of the field that ``issue`` concerns or else the entry; None if the document has no lines."""
    place = reference.place
    if not place.line:
        return None
    text, own = reference.raw, place.span
    start, end = 0, len(text)
    names = _NAMES.get(field_of(issue.code), ()) if issue else ()
    span = next(filter(None, map(place.field, names)), None)
    if span and own and own.start <= span.start <= span.end <= own.start + len(text):
        start, end = span.start - own.start, span.end - own.start

    # In an entry that begins in line 7 at column 3, the character after the first line feed is at line 8, column 1.
    def at(offset: int) -> tuple[int, int]:
        before = text.rfind("\n", 0, offset)
        column = offset - before if before >= 0 else offset + place.column
        return place.line + text.count("\n", 0, offset), column

    return Region(*at(start), *at(end))
