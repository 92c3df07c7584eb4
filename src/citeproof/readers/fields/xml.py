"""Parse untrusted XML with expat, a parser that reports the position of each element."""

from collections.abc import Callable
from xml.parsers import expat

# callback for a start tag: takes the element's name and attributes
_Begin = Callable[[str, dict[str, str]], None]
# callback for an end tag or text: takes the element's name or the text
_Handler = Callable[[str], None]


class _DoctypeError(Exception):
    """Raised if the XML has a document type declaration (DOCTYPE)."""


def parse_xml(
    data: bytes, parser: expat.XMLParserType, begin: _Begin, finish: _Handler, text: _Handler
) -> str:
    """Parse ``data`` with ``parser``, and call ``begin`` for each start tag, ``finish`` for each
    end tag and ``text`` for each text.

    Return an error message, which is empty if there was no error.
    """
    parser.buffer_text = True
    parser.StartElementHandler = begin
    parser.EndElementHandler = finish
    parser.CharacterDataHandler = text
    # entities that a DOCTYPE declares could expand without limit
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        return expat.ErrorString(error.code) or "not XML"
    except _DoctypeError:
        return "it has a document type"
    return ""


def _refuse(*_: object) -> None:
    raise _DoctypeError
