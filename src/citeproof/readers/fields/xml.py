"""Parse untrusted XML with expat, which tells the position of each element."""

from collections.abc import Callable
from xml.parsers import expat

_Begin = Callable[[str, dict[str, str]], None]  # takes the name and the attributes of an element
_Handler = Callable[[str], None]  # takes the name of an element, or text


class _DoctypeError(Exception):
    """Raised if the XML has a document type."""


def parse_xml(data: bytes, parser: expat.XMLParserType, begin: _Begin, finish: _Handler, text: _Handler) -> str:
    """Call ``begin``, ``finish`` and ``text`` for the elements of ``data``. Return an error message or an empty one."""
    parser.buffer_text = True
    parser.StartElementHandler = begin
    parser.EndElementHandler = finish
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse  # its entities could expand without limit
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        return expat.ErrorString(error.code) or "not XML"
    except _DoctypeError:
        return "it has a document type"
    return ""


def _refuse(*_: object) -> None:
    raise _DoctypeError
