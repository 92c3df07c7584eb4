"""A bibliography as a source: BibTeX, RIS or CSL-JSON, such as a lab's own library, its entries taken as true."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.bibdb.rows import BATCH_ROWS, row_of
from citeproof.bibdb.sources import Batch
from citeproof.errors import BuildError
from citeproof.fields.publication_types import publication_type
from citeproof.formats import bibtex, csl_json, ris
from citeproof.inputs.document import Document
from citeproof.models import Record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.bibdb.schema import Row
    from citeproof.bibdb.source_file import SourceFile
    from citeproof.models import Reference

NAME = "bibliography"
LICENCE: str | None = None
LINES = False

_ENTRY = re.compile(rb"@\0?\s*[A-Za-z]", re.IGNORECASE)
"""An entry of BibTeX, in UTF-16 too; what follows it the reader of the format judges."""
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_FORMATS = (ris, csl_json, bibtex)
"""Those whose fields are marked as what they are; in the order in which they are tried."""


def accepts(beginning: bytes) -> int:
    """Return 1 for what looks like one of the formats, and does not begin as XML does."""
    if _XML.match(beginning):
        return 0
    document = Document.of_text(beginning.decode("utf-8", "replace"))
    return int(bool(_ENTRY.search(beginning)) or ris.accepts(document) == 2 or csl_json.accepts(document) == 2)


def label(path: Path) -> str:
    """Return the name of the file."""
    return path.name


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the entries that have a title; the others, and what cannot be read, are counted as skipped."""
    source = label(file.path)
    document = Document.of(source, file.read_all())
    if not document.is_text:
        raise BuildError(f"{file.path}: is binary, neither a dump of a kind that is known nor a bibliography")
    kind = next((kind for kind in _FORMATS if kind.accepts(document) == 2), bibtex)
    entries = kind.read(document).entries
    references = [entry for entry in entries if getattr(entry, "title", "")]
    skipped = len(entries) - len(references)
    for start in range(0, max(1, len(references)), BATCH_ROWS):
        rows = [_row(reference, source) for reference in references[start : start + BATCH_ROWS]]
        yield Batch(rows, None, skipped)


def _row(reference: Reference, source: str) -> Row:
    record = Record(
        key=reference.key,
        title=reference.title,
        authors=tuple(map(_given_first, reference.authors)),
        year=reference.year,
        venue=reference.venue or reference.publisher,
        pub_type=publication_type(reference.entry_type),
        doi=reference.doi,
        arxiv_id=reference.arxiv_id,
        pages=reference.pages,
        volume=reference.volume,
        number=reference.number,
        url=reference.url,
    )
    return tuple(_storable(value) for value in row_of(record, source))


def _storable(value: str | int | None) -> str | int | None:
    """Return ``value`` as SQLite can hold it: half a character becomes a question mark."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _given_first(name: str) -> str:
    """Return ``Family, Given`` and ``Family, Jr, Given`` in the order of speech."""
    family, *rest = (part.strip() for part in name.replace(";", ",").split(","))
    return " ".join(filter(None, [*rest[-1:], family, *rest[:-1]]))
