"""DBLP's dump: one XML file, plain or gzip, with a record an element under ``<dblp>``.

Expat reads the prolog, where entities are declared, with a handler for each declaration, and then
the records through the standard library's element builder in C: expat without a Python call for
every tag (``benchmarks/build.py`` shows both). Finished records are dropped as soon as they are
read, so memory does not grow with the dump.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from citeproof.bibdb.sources import prolog
from citeproof.bibdb.sources.dblp_record import SOURCE, row
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.bibdb.schema import Row
    from citeproof.bibdb.sources.stream import SourceFile

PUBLICATIONS = frozenset(
    ("article", "inproceedings", "proceedings", "book", "incollection", "phdthesis", "mastersthesis", "data")
)
"""Elements that are publications. ``www`` and ``person`` records are about people."""

CHUNK_BYTES = 1 << 14
"""What is parsed at a time. The elements of so much stay in the processor's cache until they are rows; of
sixteen times as much they do not, and reading takes twice as long."""
BATCH_ROWS = 500


class DblpDump:
    """The dump as DBLP publishes it, ``dblp.xml.gz``, or any part of it in the same form."""

    name = SOURCE
    format = "dblp"
    licence: str | None = "CC0 1.0 or ODC-BY 1.0, DBLP, https://dblp.org"

    def __init__(self, file: SourceFile) -> None:
        """Read from ``file``, and entities from a ``dblp.dtd`` beside it; raise :class:`BuildError` for no dump."""
        self.file = file
        self.date: str | None = None
        self.skipped = 0
        dtd = file.path.with_name("dblp.dtd")
        self._prolog = prolog.read(file, dtd if dtd.is_file() else None)

    def rows(self) -> Iterator[list[Row]]:
        """Yield the publications in batches; raise :class:`BuildError` where the file is broken."""
        batch: list[Row] = []
        try:
            for elements in _records(self.file, self._prolog):
                batch += [row(element) for element in elements if element.tag in PUBLICATIONS]
                newest = max((element.get("mdate", "") for element in elements), default="")
                self.date = max(self.date or "", newest) or None
                if len(batch) >= BATCH_ROWS:
                    yield batch
                    batch = []
        except ET.ParseError as error:
            raise BuildError(f"{self.file.path}: {_explanation(error)}") from error
        if batch:
            yield batch


def _records(file: SourceFile, head: prolog.Prolog) -> Iterator[list[ET.Element]]:
    builder = ET.TreeBuilder()
    document = builder.start("document", {})  # the element that will hold <dblp>, so that it can be emptied
    parser = ET.XMLParser(target=builder)  # noqa: S314 - the prolog was searched for entity bombs
    parser.entity.update(head.entities)
    if not head.has_doctype:
        parser.feed(prolog.with_doctype(file.read(CHUNK_BYTES)))
    while chunk := file.read(CHUNK_BYTES):
        parser.feed(chunk)
        if len(document):
            root = document[0]
            finished = root[:-1]  # the last may still be growing
            del root[:-1]
            yield finished
    builder.end("document")
    parser.close()
    yield list(document[0])


def _explanation(error: ET.ParseError) -> str:
    line = error.position[0]
    message = str(error).partition(":")[0]
    if message in {"no element found", "unclosed token"}:
        return f"ends in the middle, at line {line}; fetch it again"
    if message.startswith("undefined entity"):
        return f"line {line}: {message}; put DBLP's dblp.dtd beside the dump"
    return f"line {line}: is not the XML of a DBLP dump: {message}"
