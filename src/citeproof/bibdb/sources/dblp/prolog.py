"""The prolog of an XML dump: which entities it declares, and none that could explode."""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import dataclass
from html.entities import name2codepoint
from typing import TYPE_CHECKING
from xml.parsers import expat

from citeproof.errors import BuildError

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.bibdb.source_file import SourceFile

PROLOG_BYTES = 1 << 16
"""The root element begins within so many bytes; DBLP's prolog has 100."""
LONGEST_ENTITY = 64
"""Characters an entity may stand for. DBLP's stand for one."""

HTML_ENTITIES = {name: chr(code) for name, code in name2codepoint.items()}
"""The named entities of HTML 4, which include all that ``dblp.dtd`` declares."""


DOCTYPE = b'<!DOCTYPE dblp SYSTEM "dblp.dtd">'


@dataclass(frozen=True, slots=True)
class Prolog:
    """What stands before the records."""

    entities: dict[str, str]
    """The named entities that the records may use, and what each stands for."""
    has_doctype: bool
    """Without a document type, XML allows no named entities."""


class _RootFound(Exception):  # noqa: N818 - it ends a parse, it is no error
    pass


def with_doctype(beginning: bytes) -> bytes:
    """Return the beginning of a document that has no document type with DBLP's.

    It goes behind the mark of UTF-8 and the XML declaration, which must come first.
    """
    mark = len(BOM_UTF8) if beginning.startswith(BOM_UTF8) else 0
    head = beginning.find(b"?>") + 2 if beginning.startswith(b"<?xml", mark) else mark
    return beginning[:head] + DOCTYPE + beginning[head:]


def read(file: SourceFile, dtd: Path | None) -> Prolog:
    """Return the prolog of ``file``.

    Entities come from HTML and from ``dtd`` where it is given; nothing is fetched. Raises
    :class:`BuildError` when the file is no DBLP dump or declares entities that grow when resolved.
    """
    has_doctype = False
    known = dict(HTML_ENTITIES)
    parser = expat.ParserCreate()
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
    parser.UseForeignDTD(True)
    path = str(file.path)

    def declared(name: str, is_parameter: int, value: str | None, *_: object) -> None:
        if is_parameter and value is not None:
            return
        if value is None or "&" in value or len(value) > LONGEST_ENTITY:
            raise BuildError(f"{path}: declares the entity {name!r}, which DBLP does not; it is not a DBLP dump")
        known[name] = value

    def external(context: str, *_: object) -> int:
        if dtd:
            parser.ExternalEntityParserCreate(context).Parse(dtd.read_bytes(), True)
        return 1

    def doctype(*_: object) -> None:
        nonlocal has_doctype
        has_doctype = True

    def started(name: str, _: object) -> None:
        if name != "dblp":
            raise BuildError(f"{path}: begins with <{name}>, so it is not a DBLP dump")
        raise _RootFound

    parser.EntityDeclHandler = declared
    parser.ExternalEntityRefHandler = external
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = started
    try:
        parser.Parse(file.peek(PROLOG_BYTES))
    except _RootFound:
        return Prolog(known, has_doctype)
    except expat.ExpatError as error:
        raise BuildError(f"{path}: is not the XML of a DBLP dump: {error}") from error
    except (LookupError, ValueError) as error:
        raise BuildError(f"{path}: cannot be decoded: {error}") from error
    raise BuildError(f"{path}: has no <dblp> element near its beginning, so it is not a DBLP dump")
