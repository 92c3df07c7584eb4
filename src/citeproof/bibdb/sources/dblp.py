"""DBLP's dump: one XML file, plain or gzip, with a record an element under ``<dblp>``.

Expat reads it twice over: once the prolog, where entities are declared, with a handler for each
declaration; then the records, through the standard library's element builder in C, which is
expat without a Python call for every tag (1.4 times as fast as handlers in Python). Finished
records are dropped as soon as they are read, so memory does not grow with the dump.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from citeproof.bibdb.schema import AUTHOR_SEPARATOR
from citeproof.bibdb.sources.prolog import entities
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.bibdb.schema import Row
    from citeproof.bibdb.sources.stream import SourceFile

PUBLICATIONS = frozenset(
    ("article", "inproceedings", "proceedings", "book", "incollection", "phdthesis", "mastersthesis", "data")
)
"""Elements that are publications. ``www`` and ``person`` records are about people."""

CHUNK_BYTES = 1 << 18
_HOMONYM = re.compile(r" \d{4}$")
_DOI = re.compile(r"//(?:dx\.|www\.)?doi\.[a-z.]+/(?:abs/|full/)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:arxiv\.org/(?:abs|pdf)/|/arxiv\.)((?:[a-z-]+(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5}))", re.IGNORECASE
)
_CORR = re.compile(r"(?:abs/)?((?:[a-z-]+(?:\.[a-z]{2})?/)\d{7}|\d{4}\.\d{4,5})(?:v\d+)?$", re.IGNORECASE)


class DblpDump:
    """The dump as DBLP publishes it, ``dblp.xml.gz``, or any part of it in the same form."""

    name = "dblp"
    format = "dblp"
    licence: str | None = "ODC-BY 1.0, DBLP, https://dblp.org"

    def __init__(self, file: SourceFile) -> None:
        """Read from ``file``, and entities from a ``dblp.dtd`` beside it; raise :class:`BuildError` for no dump."""
        self.file = file
        self.date: str | None = None
        dtd = file.path.with_name("dblp.dtd")
        self._entities = entities(file, dtd if dtd.is_file() else None)

    def rows(self) -> Iterator[list[Row]]:
        """Yield the publications in batches; raise :class:`BuildError` where the file is broken."""
        try:
            for elements in _records(self.file, self._entities):
                yield [_row(element) for element in elements if element.tag in PUBLICATIONS]
                newest = max((element.get("mdate", "") for element in elements), default="")
                self.date = max(self.date or "", newest) or None
        except ET.ParseError as error:
            raise BuildError(f"{self.file.path}: {_explanation(error)}") from error


def _records(file: SourceFile, entities: dict[str, str]) -> Iterator[list[ET.Element]]:
    builder = ET.TreeBuilder()
    document = builder.start("document", {})  # the element that will hold <dblp>, so that it can be emptied
    parser = ET.XMLParser(target=builder)  # noqa: S314 - the prolog was searched for entity bombs
    parser.entity.update(entities)
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


def _row(element: ET.Element) -> Row:
    names: list[str] = []
    editors: list[str] = []
    links: list[str] = []
    fields: dict[str, str] = {}
    for child in element:
        tag = child.tag
        text = child.text or "" if not len(child) else "".join(child.itertext())
        if tag == "author":
            names.append(_HOMONYM.sub("", text) if text[-1:].isdigit() else text)
        elif tag == "ee":
            links.append(text)
        elif tag == "editor":
            editors.append(_HOMONYM.sub("", text))
        elif tag not in fields:
            fields[tag] = text
    get = fields.get
    volume = get("volume")
    doi, arxiv_id = _identifiers(links, volume if get("journal") == "CoRR" else None)
    year = get("year", "")
    return (
        element.get("key", ""), DblpDump.name, _title(get("title", "")), int(year) if year.isdecimal() else None,
        get("journal") or get("booktitle") or get("school") or get("publisher"), element.tag,
        AUTHOR_SEPARATOR.join(names or editors) or None, doi, arxiv_id, get("pages"), volume, get("number"),
        links[0] if links else None, get("crossref"), element.get("publtype"),
    )  # fmt: skip


def _title(text: str) -> str:
    """Return a title without the full stop that DBLP puts after it."""
    if "\n" in text or "  " in text:
        text = " ".join(text.split())
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def _identifiers(links: list[str], corr_volume: str | None) -> tuple[str | None, str | None]:
    """Return DOI and arXiv id from ``ee`` and from the volume of a CoRR article (``abs/1706.03762``)."""
    doi = arxiv_id = None
    for link in links:
        if not doi and (found := _DOI.search(link)):
            doi = unquote(found[1]).lower()
        if not arxiv_id and "arxiv" in link.lower() and (found := _ARXIV.search(link)):
            arxiv_id = _plain_arxiv_id(found[1])
    if corr_volume and (found := _CORR.match(corr_volume)):
        arxiv_id = _plain_arxiv_id(found[1])
    return doi, arxiv_id


def _plain_arxiv_id(arxiv_id: str) -> str:
    """Return an old identifier without its subject class: ``cs.CL/0112017`` is ``cs/0112017``."""
    archive, slash, number = arxiv_id.lower().partition("/")
    return archive.partition(".")[0] + slash + number if slash else archive


def _explanation(error: ET.ParseError) -> str:
    line = error.position[0]
    message = str(error).partition(":")[0]
    if message in {"no element found", "unclosed token"}:
        return f"ends in the middle, at line {line}; fetch it again"
    if message.startswith("undefined entity"):
        return f"line {line}: {message}; put DBLP's dblp.dtd beside the dump"
    return f"line {line}: is not the XML of a DBLP dump: {message}"
