"""DBLP's dump: one XML file, plain or gzip, with a record an element under ``<dblp>``.

Expat reads the prolog, where entities are declared, with a handler for each declaration, and then
the records through the standard library's element builder in C: expat without a Python call for
every tag (``benchmarks/build.py`` shows both). Finished records are dropped as soon as they are
read, so memory does not grow with the dump.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from citeproof.bibdb.sources import Batch
from citeproof.bibdb.sources.dblp import prolog
from citeproof.bibdb.sources.dblp.record import row
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.bibdb.schema import Row
    from citeproof.bibdb.source_file import SourceFile

NAME = "dblp"
LICENCE: str | None = "CC0 1.0 or ODC-BY 1.0, DBLP, https://dblp.org"
LINES = False

PUBLICATIONS = frozenset(
    ("article", "inproceedings", "proceedings", "book", "incollection", "phdthesis", "mastersthesis", "data")
)
"""Elements that are publications. ``www`` and ``person`` records are about people."""

CHUNK_BYTES = 1 << 14
"""What is parsed at a time. The elements of so much stay in the processor's cache until they are rows; of
sixteen times as much they do not, and reading takes twice as long."""
BATCH_ROWS = 500


_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<[?!a-z]", re.IGNORECASE)


def accepts(beginning: bytes) -> int:
    """Return 2 for a file with an element ``<dblp>``, 1 for any other XML, which :func:`records` then names."""
    if not _XML.match(beginning):
        return 0
    return 2 if b"<dblp" in beginning else 1


def label(_: Path) -> str:
    """Return ``dblp``: the records of every part of the dump are DBLP's."""
    return NAME


def records(file: SourceFile) -> Iterator[Batch]:
    """Read the prolog of ``file``, and return its publications; entities come from a ``dblp.dtd`` beside it too."""
    dtd = file.path.with_name("dblp.dtd")
    return _batches(file, prolog.read(file, dtd if dtd.is_file() else None))


def _batches(file: SourceFile, head: prolog.Prolog) -> Iterator[Batch]:
    rows: list[Row] = []
    newest = ""
    try:
        for elements in _elements(file, head):
            rows += [row(element) for element in elements if element.tag in PUBLICATIONS]
            newest = max([newest, *(element.get("mdate", "") for element in elements)])
            if len(rows) >= BATCH_ROWS:
                yield Batch(rows, newest or None, 0)
                rows = []
    except ET.ParseError as error:
        raise BuildError(f"{file.path}: {_explanation(error)}") from error
    if rows:
        yield Batch(rows, newest or None, 0)


def _elements(file: SourceFile, head: prolog.Prolog) -> Iterator[list[ET.Element]]:
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
