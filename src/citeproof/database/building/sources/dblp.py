"""Read DBLP's dump: one XML file, plain or gzip, in which every child of the element ``<dblp>`` is
a record.

Expat reads the text before ``<dblp>``, and checks the declared XML entities. ``ElementTree`` reads
the records, because it needs no Python call per tag (see ``benchmarks/build.py``). Parsed records
are removed from memory.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from html.entities import name2codepoint
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element
from xml.parsers import expat

from citeproof.database.building.source_file import LONGEST_LINE, Chunk, SourceFile
from citeproof.database.building.sources import BATCH_ROWS, Batch
from citeproof.database.schema import AUTHOR_SEPARATOR, Row
from citeproof.model.errors import BuildError
from citeproof.text.identifiers import find_arxiv_id, find_doi

NAME = "dblp"
LICENCE: str | None = "CC0 1.0 or ODC-BY 1.0, DBLP, https://dblp.org"

PUBLICATIONS = frozenset(
    (
        "article",
        "inproceedings",
        "proceedings",
        "book",
        "incollection",
        "phdthesis",
        "mastersthesis",
        "data",
    )
)
"""Names of XML elements that are publications.

Other elements, such as ``www``, describe persons.
"""
# Number of bytes parsed at a time. The number is small, so that elements stay in the processor's
# cache until they are converted to rows. With a number sixteen times as large, reading takes twice
# as long.
_CHUNK_BYTES = 1 << 14
_LEAST_BYTES = 1 << 20  # minimum number of bytes of a chunk, except the last chunk of a file
# regex for the longest beginning of a text that ends with a record
_WHOLE_RECORDS = re.compile(
    b".*</(?:%s)>" % "|".join([*PUBLICATIONS, "www", "person"]).encode(), re.DOTALL
)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<[?!a-z]", re.IGNORECASE)
_PROLOG_BYTES = 1 << 16  # maximum number of bytes before the root element; DBLP has about 100
# maximum number of characters in the value of an XML entity; in DBLP, it is one character
_LONGEST_ENTITY = 64
# the entities of HTML, which include all entities of ``dblp.dtd``
_HTML_ENTITIES = {name: chr(code) for name, code in name2codepoint.items()}
_DOCTYPE = b'<!DOCTYPE dblp SYSTEM "dblp.dtd">'
# regex for the number that distinguishes equal names: ``Wei Wang 0001``
_HOMONYM = re.compile(r" \d{4}(?=;|$)")
# Regex for the most frequent form of a DOI, which matches faster than find_doi.
_PLAIN_DOI = re.compile(
    r"https?://(?:dx\.)?doi\.org/(10\.\d{4,9}/[A-Za-z0-9._-]*[A-Za-z0-9])", re.IGNORECASE
)


def accepts(beginning: bytes) -> int:
    """Return 2 if ``beginning`` has an element ``<dblp>``, 1 if it is other XML, and 0 if it is not
    XML.
    """
    if not _XML.match(beginning):
        return 0
    return 2 if b"<dblp" in beginning else 1  # for other XML, ``records`` reports the fault


def records(file: SourceFile) -> Iterator[Batch]:
    """Return batches of the publications in ``file``.

    A ``dblp.dtd`` in the same folder may define XML entities.
    """
    entities, has_doctype, _ = read_prolog(file)
    return _batches(file, entities, has_doctype)


def chunks(file: SourceFile) -> Iterator[Chunk] | None:
    """Return an iterator over chunks of about 1 MiB, each a dump with a part of the records.

    None if ``file`` is in a folder or archive, where an error must end only this file.
    """
    return None if file.is_part else _chunks(file)


CHUNKS = chunks


def _chunks(file: SourceFile) -> Iterator[Chunk]:
    # Example: "<dblp><www></www><book></book><art" becomes the chunk
    # "<dblp><www></www><book></book></dblp>", and the next chunk begins with "<dblp><art".
    _, _, root = read_prolog(file)
    beginning = file.peek(_PROLOG_BYTES)
    beginning = beginning[: beginning.index(b">", root) + 1]
    content = bytearray()
    line, path, least = 1, str(file.path), _LEAST_BYTES
    while more := file.read(_CHUNK_BYTES):
        content += more
        if len(content) < least:
            continue
        least = 2 * len(content)  # a long record or comment is not searched at each read
        found = _WHOLE_RECORDS.match(content)
        if found and not _is_in_comment(whole := found[0]):
            yield Chunk(path, b"%b</dblp>" % whole, line, file.position)
            # the next chunk repeats the lines of the beginning
            line += whole.count(b"\n") - beginning.count(b"\n")
            content[len(beginning) : len(whole)] = b""
            least = _LEAST_BYTES
        elif len(content) > LONGEST_LINE:
            fault = f"has a record of over {LONGEST_LINE:,} bytes; it is not a DBLP dump"
            raise BuildError(f"{path}: {fault}")
    yield Chunk(path, bytes(content), line, file.position)


def _is_in_comment(text: bytes) -> bool:
    """Return whether ``text`` ends in an XML comment or a CDATA section."""
    pairs = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"))
    return any(text.rfind(begin) > text.rfind(end) for begin, end in pairs)


def _batches(file: SourceFile, entities: dict[str, str], has_doctype: bool) -> Iterator[Batch]:
    rows: list[Row] = []
    newest = ""
    try:
        for elements in _elements(file, entities, has_doctype):
            rows += [row(element) for element in elements if element.tag in PUBLICATIONS]
            newest = max([newest, *(element.get("mdate", "") for element in elements)])
            if len(rows) >= BATCH_ROWS:
                yield Batch(rows, newest or None)
                rows = []
    except ET.ParseError as error:
        line = file.first_line - 1 + error.position[0]
        raise BuildError(f"{file.path}: {_explanation(error, line)}") from error
    if rows:
        yield Batch(rows, newest or None)


def _elements(
    file: SourceFile, entities: dict[str, str], has_doctype: bool
) -> Iterator[list[ET.Element]]:
    builder = ET.TreeBuilder()
    # parent of the element <dblp>; finished records are removed from <dblp>
    document = builder.start("document", {})
    parser = ET.XMLParser(target=builder)  # noqa: S314 - the prolog was searched for entity bombs
    parser.entity.update(entities)
    if not has_doctype:  # add a DOCTYPE after the XML declaration, or at the start
        beginning = file.read(_CHUNK_BYTES)
        mark = len(BOM_UTF8) if beginning.startswith(BOM_UTF8) else 0
        head = beginning.find(b"?>") + 2 if beginning.startswith(b"<?xml", mark) else mark
        parser.feed(beginning[:head] + _DOCTYPE + beginning[head:])
    while chunk := file.read(_CHUNK_BYTES):
        parser.feed(chunk)
        if len(document):
            root = document[0]
            finished = root[:-1]  # the last element may be incomplete
            del root[:-1]
            yield finished
    builder.end("document")
    parser.close()
    yield list(document[0])


def _explanation(error: ET.ParseError, line: int) -> str:
    message = str(error).partition(":")[0]
    if message in {"no element found", "unclosed token"}:
        return f"ends in the middle, at line {line}; fetch it again"
    if message.startswith("undefined entity"):
        return f"line {line}: {message}; put DBLP's dblp.dtd beside the dump"
    return f"line {line}: is not the XML of a DBLP dump: {message}"


def read_prolog(file: SourceFile) -> tuple[dict[str, str], bool, int]:
    """Return the XML entities that ``file``, a ``dblp.dtd`` beside it or HTML define, whether
    ``file`` has a ``<!DOCTYPE>``, and the offset of ``<dblp>`` in bytes.
    """
    dtd = file.path.with_name("dblp.dtd")
    doctypes: list[object] = []
    known = dict(_HTML_ENTITIES)
    parser = expat.ParserCreate()
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
    parser.UseForeignDTD(True)
    path = str(file.path)

    def declared(name: str, is_parameter: int, value: str | None, *_: object) -> None:
        if is_parameter and value is not None:
            return
        if value is None or "&" in value or len(value) > _LONGEST_ENTITY:
            raise BuildError(
                f"{path}: declares the entity {name!r}, which DBLP does not; it is not a DBLP dump"
            )
        known[name] = value

    def external(context: str, *_: object) -> int:
        if dtd.is_file():
            parser.ExternalEntityParserCreate(context).Parse(dtd.read_bytes(), True)
        return 1

    def started(name: str, _: object) -> None:
        if name != "dblp":
            raise BuildError(f"{path}: begins with <{name}>, so it is not a DBLP dump")
        raise StopIteration(parser.CurrentByteIndex)  # the prolog was read

    parser.EntityDeclHandler = declared
    parser.ExternalEntityRefHandler = external
    parser.StartDoctypeDeclHandler = lambda *about: doctypes.append(about)
    parser.StartElementHandler = started
    try:
        parser.Parse(file.peek(_PROLOG_BYTES))
    except StopIteration as root:
        return known, bool(doctypes), int(root.value)
    except expat.ExpatError as error:
        raise BuildError(f"{path}: is not the XML of a DBLP dump: {error}") from error
    except (LookupError, ValueError) as error:
        raise BuildError(f"{path}: cannot be decoded: {error}") from error
    raise BuildError(f"{path}: has no <dblp> element near its beginning, so it is not a DBLP dump")


def row(element: Element) -> Row:
    """Return a publication of DBLP as a database row.

    If there are no authors, editors are used instead.
    """
    names: list[str] = []
    fields: dict[str, str | None] = {}
    more: list[tuple[str, str]] = []
    title = ""
    for child in element:
        tag = child.tag
        text = child.text
        if tag == "author":
            if text:
                names.append(text)
        elif tag == "title":
            title = "".join(child.itertext()) if len(child) else text or ""
        elif tag not in fields:
            fields[tag] = text
        elif text:
            more.append((tag, text))
    get = fields.get
    doi, arxiv_id = identifiers(
        get("ee"), [text for tag, text in more if tag == "ee"] if more else ()
    )
    venue = get("journal") or get("booktitle") or get("school") or get("publisher")
    volume = get("volume")
    if venue == "CoRR" and volume:
        arxiv_id = find_arxiv_id(volume) or arxiv_id
    if not names and "editor" in fields:
        names = [
            name
            for name in (get("editor"), *(text for tag, text in more if tag == "editor"))
            if name
        ]
    authors = AUTHOR_SEPARATOR.join(names)
    if " 0" in authors or " 1" in authors:
        authors = _HOMONYM.sub("", authors)
    digits = get("year")
    # records with five-digit years are skipped later
    year = int(digits[:5]) if digits and digits.isdecimal() else None
    return (
        element.get("key", ""),
        NAME,
        clean_title(title),
        year,
        venue,
        element.tag,
        authors or None,
        doi,
        arxiv_id,
        get("pages"),
        volume,
        get("number"),
        get("ee"),
        get("crossref"),
        element.get("publtype"),
    )


def clean_title(text: str) -> str:
    """Return the title ``text`` on one line, without the full stop that DBLP adds."""
    if "\n" in text or "  " in text:
        text = " ".join(text.split())
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def identifiers(link: str | None, more: list[str] | tuple[()]) -> tuple[str | None, str | None]:
    """Return the first DOI and the first arXiv id in ``link`` and ``more``, the links of a work.

    None if missing.
    """
    if not link:
        return None, None
    if not more and (found := _PLAIN_DOI.fullmatch(link)):
        doi = found[1].lower()
        return doi, (find_arxiv_id(link) or None) if doi.startswith("10.48550/") else None
    links = (link, *more)
    doi = next(filter(None, map(find_doi, links)), None)
    arxiv_id = next(
        filter(None, (find_arxiv_id(link) for link in links if "arxiv" in link.lower())), None
    )
    return doi, arxiv_id
