"""Read a bibliography as a source: BibTeX, RIS or CSL-JSON, such as the library of a research
group.
"""

import re
from collections.abc import Iterator

from citeproof.database.building.source_file import SourceFile
from citeproof.database.building.sources import Batch, row_of_fields
from citeproof.database.schema import Row
from citeproof.model.errors import BuildError
from citeproof.model.reference import Reference
from citeproof.online.works import publication_type
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex, csl_json, ris

NAME = "bibliography"
LICENCE: str | None = None
CHUNKS = None
# regex for the start of a BibTeX entry, also in UTF-16
_ENTRY = re.compile(rb"@\0?\s*[A-Za-z]", re.IGNORECASE)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
# formats with named fields, in the order in which they are tried
_FORMATS = (ris, csl_json, bibtex)
# fields copied unchanged
_SHARED = ("key", "title", "year", "doi", "arxiv_id", "pages", "volume", "number", "url")


def accepts(beginning: bytes) -> int:
    """Return 1 if ``beginning`` looks like BibTeX, RIS or CSL-JSON, else 0.

    For XML, the result is 0.
    """
    if _XML.match(beginning):
        return 0
    document = Document.of_text(beginning.decode("utf-8", "replace"))
    return int(
        bool(_ENTRY.search(beginning))
        or ris.accepts(document) == 2
        or csl_json.accepts(document) == 2
    )


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield one batch with all entries that have a title.

    Entries without a title are counted as skipped.
    """
    source = file.path.name
    document = Document.of(source, file.read_all())
    if not document.is_text:
        raise BuildError(f"{file.path}: is binary, neither a known kind of dump nor a bibliography")
    kind = next((kind for kind in _FORMATS if kind.accepts(document) == 2), bibtex)
    entries = kind.read(document).entries
    references = [entry for entry in entries if getattr(entry, "title", "")]
    yield Batch(
        [_row(reference, source) for reference in references],
        skipped=len(entries) - len(references),
    )


def _row(reference: Reference, source: str) -> Row:
    fields = {name: getattr(reference, name) for name in _SHARED} | {
        "authors": map(_given_first, reference.authors),
        "venue": reference.venue or reference.publisher,
        "pub_type": publication_type(reference.entry_type),
    }
    return tuple(  # lone surrogates, which SQLite cannot store, become question marks
        value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for value in row_of_fields(fields, source)
    )


def _given_first(name: str) -> str:
    """Return ``Given Family`` for ``Family, Given``, and ``Given Family Jr`` for ``Family, Jr,
    Given``.
    """
    family, *rest = (part.strip() for part in name.replace(";", ",").split(","))
    return " ".join(filter(None, [*rest[-1:], family, *rest[:-1]]))
