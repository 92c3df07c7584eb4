"""Read documents of LibreOffice Writer (``.odt``): the references that Zotero stored in them, or if
there are none, the printed reference list.

The place of a reference is the number of the paragraph that cites or contains it. Zotero writes a
reference mark ``ZOTERO_ITEM CSL_CITATION {...}`` with CSL-JSON. The elements are defined in
OpenDocument 1.3, Part 3.
"""

from contextlib import closing
from dataclasses import dataclass, field
from xml.parsers import expat

from citeproof.model.reference import Bibliography
from citeproof.readers import formats
from citeproof.readers.archive import open_office
from citeproof.readers.document import Document, RefusedError
from citeproof.readers.fields.document_entries import without_entries
from citeproof.readers.fields.json_items import cited_works
from citeproof.readers.fields.xml import parse_xml
from citeproof.readers.lists.sections import Paragraph
from citeproof.text.encodings import without_controls

NAME = "odt"
SUFFIXES = (".odt", ".ott")
CODES = {
    "odt.no_odt": "it is not a text document of LibreOffice, or is damaged, too large or not XML",
    "odt.broken_field": "a field of a reference manager that cannot be read",
    "odt.without_list": "no reference manager's fields, and no heading of a reference list",
    "odt.more_printed": (
        "a note, not a fault: more references are printed than stored; only the stored ones are"
        " read"
    ),
}

_TYPE = b"mimetypeapplication/vnd.oasis.opendocument.text"
_BREAKS = {"s": " ", "tab": " ", "line-break": "\n"}


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly an OpenDocument text, else 0."""
    return 2 if document.data.startswith(b"PK") and _TYPE in document.data[:200] else 0


def read(document: Document) -> Bibliography:
    """Read the references that a reference manager stored. If there are none, read the printed
    reference list.
    """
    content = _Content()
    try:
        with closing(open_office(document)) as archive:
            data = archive.read["content.xml"]() if "content.xml" in archive.read else b""
    except RefusedError as error:
        return without_entries(document, "odt.no_odt", str(error))
    if fault := content.read(data):
        message = f"content.xml in it cannot be read: {fault}; save it again"
        return without_entries(document, "odt.no_odt", message)
    entries = cited_works(document.name, NAME, content.codes)
    written = (Paragraph("".join(pieces), at, heading) for at, pieces, heading in content.all)
    return formats.stored_or_printed(document, NAME, entries, written)


@dataclass(slots=True)
class _Content:
    """The paragraphs in ``content.xml``, and the codes that reference managers have stored
    there.
    """

    # tuple for each paragraph: number, pieces of the text, whether it is a heading
    all: list[tuple[int, list[str], bool]] = field(default_factory=list)
    codes: list[tuple[str, int]] = field(default_factory=list)  # (code, number of the paragraph)
    # paragraphs that have not ended; a footnote has paragraphs inside a paragraph
    _open: list[list[str]] = field(default_factory=list)

    def read(self, data: bytes) -> str:
        """Parse the XML ``data``. Return an error message, which is empty if there is no error."""
        return parse_xml(data, expat.ParserCreate(), self._begin, self._finish, self._text)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.removeprefix("text:")
        if tag in {"p", "h"}:
            self._open.append([])
            self.all.append((len(self.all) + 1, self._open[-1], tag == "h"))
        elif tag in {"reference-mark", "reference-mark-start"}:
            code = attributes.get("text:name", "")
            if "CSL_CITATION" in code:
                self.codes.append((code, len(self.all)))
        elif self._open and tag in _BREAKS:
            self._open[-1].append(_BREAKS[tag])

    def _finish(self, name: str) -> None:
        if name in {"text:p", "text:h"} and self._open:
            self._open.pop()

    def _text(self, text: str) -> None:
        if self._open:
            self._open[-1].append(without_controls(text))
