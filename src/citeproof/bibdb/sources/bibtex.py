"""A BibTeX file as a source: a lab's own library, its entries taken as true."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.bibdb.schema import AUTHOR_SEPARATOR
from citeproof.bibdb.sources import Batch
from citeproof.errors import BuildError
from citeproof.formats import bibtex
from citeproof.inputs.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.bibdb.schema import Row
    from citeproof.bibdb.source_file import SourceFile
    from citeproof.models import Reference

NAME = "bibtex"
LICENCE: str | None = None

PUB_TYPES = {
    "conference": "inproceedings",
    "inbook": "incollection",
    "thesis": "phdthesis",
    "mvbook": "book",
    "collection": "book",
}
"""BibTeX's words for which DBLP has another; all others stay as they are."""

BATCH_ROWS = 1000


_ENTRY = re.compile(rb"@\0?\s*[A-Za-z]", re.IGNORECASE)
"""An entry, in UTF-16 too; what follows it the reader of the format judges."""
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")


def accepts(beginning: bytes) -> int:
    """Return 1 for a file with something like an entry that does not begin as XML does."""
    return int(bool(_ENTRY.search(beginning)) and not _XML.match(beginning))


def label(path: Path) -> str:
    """Return the name of the file."""
    return path.name


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the entries that have a title; the others, and what cannot be read, are counted as skipped."""
    source = label(file.path)
    document = Document.of(source, file.read_all())
    if not document.is_text:
        raise BuildError(f"{file.path}: is binary, neither a dump of a kind that is known nor a bibliography")
    bibliography = bibtex.read(document)
    references = [reference for reference in bibliography.references if reference.title]
    skipped = len(bibliography.entries) - len(references)
    for start in range(0, max(1, len(references)), BATCH_ROWS):
        rows = [_row(reference, source) for reference in references[start : start + BATCH_ROWS]]
        yield Batch(rows, None, skipped)


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
