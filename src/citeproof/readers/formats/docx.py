"""Read Word documents (``.docx``): the references that reference managers stored in them, or if
there are none, the printed reference list.

The place of a reference is the number of the paragraph that cites or contains it. Zotero writes a
Word field ``ADDIN ZOTERO_ITEM CSL_CITATION {...}``, Mendeley Desktop ``ADDIN CSL_CITATION {...}``,
and Mendeley Cite a tag ``MENDELEY_CITATION_v3_`` with JSON in Base64. All three contain CSL-JSON as
``itemData``. EndNote writes ``ADDIN EN.CITE <EndNote>...``, or this XML in Base64 as data of the
field. Word's own citation manager keeps its sources in ``customXml``. The XML elements are defined
in ECMA-376, Part 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from xml.parsers import expat

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference
from citeproof.readers import formats
from citeproof.readers.archive import open_office
from citeproof.readers.document import Document, RefusedError
from citeproof.readers.fields.document_entries import without_entries
from citeproof.readers.fields.json_items import MENDELEY, base64_text, cited_works
from citeproof.readers.fields.xml import parse_xml
from citeproof.readers.lists.sections import Paragraph, is_heading
from citeproof.text.encodings import without_controls

NAME = "docx"
SUFFIXES = (".docx", ".docm")
CODES = {
    "docx.no_docx": "it is not a Word document, or a member of it is damaged, too large or not XML",
    "docx.broken_field": "a field of Zotero or Mendeley that cannot be read",
    "docx.without_list": "no reference manager's fields, and no heading of a reference list",
    "docx.more_printed": (
        "a note, not a fault: more references are printed than stored; only the stored ones are"
        " read"
    ),
}

_MAIN = re.compile(r"word/document\d*\.xml")
_SOURCES = re.compile(r"customXml/item\d+\.xml")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_HEADING = re.compile(
    r"heading|überschrift|berschrift|titre|t[ií]tulo|titolo|overskrift|rubrik|otsikko",
    re.IGNORECASE,
)
"""Regex for the names of heading styles in several languages. Word may leave out letters that are
not ASCII.
"""
_RECORD, _RECORD_END = "<record>", "</record>"
_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_VALUE_ATTRIBUTES = {
    "fldSimple": "instr",
    "tag": "val",
    "fldChar": "fldCharType",
    "pStyle": "val",
    "outlineLvl": "val",
}
"""Map from the name of an XML element to the attribute whose value is read: ``val`` for
``pStyle``.
"""


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly a Word document, else 0."""
    if document.data.startswith(b"PK") and b"word/document" in document.data:
        with suppress(RefusedError), closing(open_office(document)) as archive:
            return 2 if archive.office and any(map(_MAIN.fullmatch, archive.read)) else 0
    return 0


def read(document: Document) -> Bibliography:
    """Read the references that a reference manager stored. If there are none, read the printed
    reference list.
    """
    if not accepts(document):
        return without_entries(
            document, "docx.no_docx", "is not a Word document; name its format with --from"
        )
    try:
        main, *notes = _parts(document)
    except RefusedError as error:
        return without_entries(document, "docx.no_docx", str(error))
    codes = [(code, code.paragraph) for code in main.codes]
    # The paragraphs of footnotes and endnotes are numbered separately, so their numbers are not
    # places in the document.
    codes += [(code, 0) for part in notes for code in part.codes]
    entries = sorted(
        [*_stored(document, codes), *_own_sources(document)],
        key=lambda entry: (not entry.place.line, entry.place.line),
    )
    return formats.stored_or_printed(document, NAME, entries, _paragraphs(main.paragraphs))


def _parts(document: Document) -> list[WordPart]:
    """Return the parts of a Word document: its main text, then the footnotes and endnotes."""
    parts: list[WordPart] = []
    with closing(open_office(document)) as archive:
        for name in (
            next(filter(_MAIN.fullmatch, archive.read)),
            *filter(archive.read.__contains__, _NOTES),
        ):
            parts.append(WordPart())
            if fault := parts[-1].read(archive.read[name]()):
                raise RefusedError(
                    "damaged", f"{name} in it cannot be read: {fault}; save it again"
                )
    return parts


def _paragraphs(written: Sequence[_WordParagraph]) -> Iterable[Paragraph]:
    """Yield ``written`` as :class:`Paragraph` objects. Headings are recognised by their outline
    level or by the name of their style.
    """
    pairs = pairwise(one for one in written if one.text.strip())
    styles = {
        one.style
        for one, following in pairs
        if is_heading(one.text) and one.style != following.style
    } - {""}
    for one in written:
        is_one = one.outlined or one.style in styles or _HEADING.search(one.style) is not None
        yield Paragraph(one.text, one.number, heading=is_one and bool(one.text.strip()))


def _stored(
    document: Document, codes: Iterable[tuple[_FieldCode, int]]
) -> list[Reference | Diagnostic]:
    """Return each reference in the Word fields ``codes`` once. ``codes`` has pairs of a field code
    and the number of its paragraph.
    """
    cited: list[tuple[str, int]] = []
    records: dict[str, int] = {}
    for code, paragraph in codes:
        text = "".join(code.pieces)
        if "CSL_CITATION" in text or text.startswith(MENDELEY):
            cited.append((text, paragraph))
        elif re.match(r"\s*ADDIN EN\.CITE(?:\.DATA)?\b", text):
            xml = text if _RECORD in text else base64_text("".join(code.data))
            for piece in xml.split(_RECORD_END)[:-1]:
                if (begin := piece.find(_RECORD)) >= 0:
                    records.setdefault(f"{piece[begin:]}{_RECORD_END}", paragraph)
    stored = Document.of_text(f"<xml><records>{''.join(records)}</records></xml>", document.name)
    of_endnote = formats.load("endnote-xml").read(stored).entries
    return [
        *cited_works(document.name, NAME, cited),
        *(
            replace(entry, place=Place(document.name, paragraph))
            for entry, paragraph in zip(of_endnote, records.values(), strict=False)
        ),
    ]


def _own_sources(document: Document) -> Iterable[Reference | Diagnostic]:
    """Yield the sources that Word's own citation manager has stored in the document."""
    reader = formats.load("word-sources")
    with suppress(RefusedError), closing(open_office(document)) as archive:
        for name in filter(_SOURCES.fullmatch, archive.read):
            part = Document.of(document.name, archive.read[name]())
            for entry in reader.read(part).entries if reader.accepts(part) else ():
                yield replace(entry, place=Place(document.name))


@dataclass(slots=True)
class _WordParagraph:
    number: int  # number of the paragraph in the main text or in the notes, counted from 1
    # style name in the user's language: ``Heading1``, ``berschrift1`` (Überschrift 1)
    style: str = ""
    outlined: bool = False  # whether the paragraph has an outline level, like a heading
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


@dataclass(slots=True)
class _FieldCode:
    """The code of a Word field, such as ``ADDIN EN.CITE``. Word does not show the code, but a text
    such as ``[1]``.
    """

    paragraph: int  # number of the paragraph in which the field begins
    pieces: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)  # strings that form the field's data in Base64
    ended: bool = False


@dataclass(slots=True)
class WordPart:
    """An XML file in a Word document, such as the main text, with its paragraphs and field codes.

    Example:
    ``<fldChar begin/><instrText>ADDIN ...</instrText><fldChar separate/><t>[1]</t><fldChar end/>``
    is a field with the code ``ADDIN ...`` that shows the text ``[1]``. Fields may be nested.
    """

    paragraphs: list[_WordParagraph] = field(default_factory=list)
    codes: list[_FieldCode] = field(default_factory=list)
    # paragraphs that have not ended, innermost paragraph last
    _open: list[_WordParagraph] = field(default_factory=list)
    # fields that have not ended, innermost field last
    _fields: list[_FieldCode] = field(default_factory=list)
    _into: list[str] | None = None

    def read(self, data: bytes) -> str:
        """Parse the XML ``data``. Return an error message, which is empty if there is no error."""
        return parse_xml(
            data, expat.ParserCreate(namespace_separator=" "), self._begin, self._finish, self._text
        )

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        tag = _without_namespace(name)
        said = (
            {_without_namespace(key): value for key, value in attributes.items()}
            if tag in _VALUE_ATTRIBUTES
            else {}
        )
        value = without_controls(said.get(_VALUE_ATTRIBUTES[tag], "")) if said else ""
        if tag == "p":
            self._open.append(_WordParagraph(len(self.paragraphs) + 1))
            self.paragraphs.append(self._open[-1])
        elif tag in {"fldSimple", "tag"}:
            self.codes.append(_FieldCode(self._number(), [value]))
        elif tag == "fldChar":
            self._field(value)
        elif tag in {"instrText", "fldData"}:
            code = (
                self._fields[-1] if self._fields and not self._fields[-1].ended else _FieldCode(0)
            )
            self._into = code.pieces if tag == "instrText" else code.data
        elif self._open:
            self._in_paragraph(self._open[-1], tag, value)

    def _in_paragraph(self, paragraph: _WordParagraph, tag: str, value: str) -> None:
        if tag == "pStyle":
            paragraph.style = value
        elif tag == "outlineLvl":
            paragraph.outlined = value != "9"  # 9 is the level of body text
        elif tag == "t":
            self._into = paragraph.pieces
        elif tag in _BREAKS:
            paragraph.pieces.append(_BREAKS[tag])

    def _finish(self, name: str) -> None:
        self._into = None
        if _without_namespace(name) == "p" and self._open:
            self._open.pop()

    def _text(self, text: str) -> None:
        if self._into is not None:
            self._into.append(without_controls(text))

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(_FieldCode(self._number()))
        elif self._fields and not self._fields[-1].ended:
            self._fields[-1].ended = True
            self.codes.append(self._fields[-1])
        if kind == "end" and self._fields:
            self._fields.pop()

    def _number(self) -> int:
        return self._open[-1].number if self._open else len(self.paragraphs) + 1


def _without_namespace(name: str) -> str:
    return name.rpartition(" ")[2]
