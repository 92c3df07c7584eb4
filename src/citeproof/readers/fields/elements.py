"""Read references that are elements of an XML document.

Each element is parsed separately. A malformed element therefore does not affect other elements, and
a document type declaration cannot declare entities for them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from xml.etree.ElementTree import Element, ParseError, fromstring

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import LONGEST_RAW, references_of
from citeproof.readers.fields.tagged import NO_FIELDS
from citeproof.text.lines import LineCounter

CODES = {
    "malformed": "the record is not XML, or the file ends early",
    "no_fields": NO_FIELDS,
}
"""Map from the end of the code of a diagnostic, such as ``malformed``, to its meaning."""
_PREFIX = re.compile(r"(</?)\w+:")


def read_elements(
    document: Document, name: str, parent: str, tag: str, convert: Callable[[Element], Reference]
) -> Bibliography:
    """Read each element ``tag`` inside the element ``parent`` of the document as a reference.

    ``name`` is the name of the format, and ``convert`` makes a reference from a parsed element.
    """
    entries = references_of(
        document.text,
        _elements(document, parent, tag),
        partial(_reference, name, convert),
        f"{name}.no_fields",
        f"{NO_FIELDS}; give it at least a title",
    )
    return Bibliography(tuple(entries))


def _elements(document: Document, parent: str, tag: str) -> Iterator[tuple[Place, str]]:
    """Yield the place and the text of each element ``tag`` inside ``parent``.

    If ``parent`` is not closed, also yield the rest of the document.
    """
    text, lines = document.text, LineCounter(document.text)
    closed = re.compile(rf"</(?:\w+:)?{tag}\s*>|<(?:\w+:)?{tag}(?:\s[^<>]*)?/>")
    starts = [match.start() for match in re.finditer(rf"<(?:\w+:)?{tag}[\s/>]", text)]
    end = 0
    for start, following in pairwise([*starts, len(text)]):
        closing = closed.search(text, start, following)
        end = closing.end() if closing else following
        yield Place(document.name, lines.of(start), span=Span(start, end)), text[start:end]
    rest = re.search(
        rf"<(?:\w+:)?{parent}(?:\s[^<>]*)?(?<!/)>(?!.*</(?:\w+:)?{parent}\s*>)", text, re.DOTALL
    )
    if rest and end < len(text):
        yield Place(document.name, lines.of(end), span=Span(end, len(text))), text[end:]


def _reference(
    name: str, convert: Callable[[Element], Reference], written: str, raw: str, place: Place
) -> Reference | Diagnostic:
    try:
        element = fromstring(_PREFIX.sub(r"\1", written))  # noqa: S314 - it declares no entities
    except ParseError as error:
        message = f"this is not XML: {error}; let the program save the file again"
        return Diagnostic(place, f"{name}.malformed", message, raw[:LONGEST_RAW])
    return replace(convert(element), raw=raw, place=place)


def texts_of(element: Element, path: str) -> list[str]:
    """Return the texts of all elements at ``path`` below ``element``. Empty texts are left out."""
    found = (" ".join("".join(one.itertext()).split()) for one in element.iterfind(path))
    return [text for text in found if text]


def fields_of(element: Element, table: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return a map from each field of ``table`` to its value in ``element``.

    ``table`` maps a field to paths of elements. The value is the text at the first path that has a
    text, or empty.
    """
    return {
        name: next((text for path in paths for text in texts_of(element, path)), "")
        for name, paths in table.items()
    }
