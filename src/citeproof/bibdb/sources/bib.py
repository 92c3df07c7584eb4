"""A BibTeX file as a source: a lab's own library, its entries taken as true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.bibdb.schema import AUTHOR_SEPARATOR
from citeproof.errors import BuildError
from citeproof.formats import bibtex
from citeproof.text.encodings import NotTextError, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.bibdb.schema import Row
    from citeproof.bibdb.sources.stream import SourceFile
    from citeproof.models import Reference

PUB_TYPES = {
    "conference": "inproceedings",
    "inbook": "incollection",
    "thesis": "phdthesis",
    "mvbook": "book",
    "collection": "book",
}
"""BibTeX's words for which DBLP has another; all others stay as they are."""

BATCH_ROWS = 1000


class BibFile:
    """A ``.bib`` file; its name is what its records carry as their source."""

    format = "bibtex"
    licence: str | None = None
    date: str | None = None

    def __init__(self, file: SourceFile) -> None:
        """Read from ``file``."""
        self.file = file
        self.name = file.path.name
        self.skipped = 0

    def rows(self) -> Iterator[list[Row]]:
        """Yield the entries that have a title; the others, and what cannot be read, are counted as skipped."""
        try:
            text, _ = decode(self.file.read_all())
        except NotTextError:
            raise BuildError(f"{self.file.path}: is binary, neither a DBLP dump nor a .bib file") from None
        bibliography = bibtex.read(text, self.name)
        references = [reference for reference in bibliography.references if reference.title]
        self.skipped = len(bibliography.entries) - len(references)
        for start in range(0, len(references), BATCH_ROWS):
            yield [_row(reference, self.name) for reference in references[start : start + BATCH_ROWS]]


def _row(reference: Reference, source: str) -> Row:
    kind = reference.entry_type
    values = (
        reference.venue or reference.publisher, PUB_TYPES.get(kind, kind),
        AUTHOR_SEPARATOR.join(map(_given_first, reference.authors)), reference.doi, reference.arxiv_id,
        reference.pages, reference.volume, reference.number, reference.url,
    )  # fmt: skip
    title = reference.title.encode("utf-8", "replace").decode()
    return (reference.key, source, title, reference.year, *(_text(value) for value in values), None, None)


def _text(value: str) -> str | None:
    """Return ``value`` as SQLite can hold it, nothing for empty."""
    return value.encode("utf-8", "replace").decode() or None


def _given_first(name: str) -> str:
    """Return ``Family, Given`` and ``Family, Jr, Given`` in the order of speech."""
    family, *rest = (part.strip() for part in name.replace(";", ",").split(","))
    return " ".join(filter(None, [*rest[-1:], family, *rest[:-1]]))
