"""The paragraphs and field codes of a part of a Word document, such as ``word/document.xml``.

Read by the standard library's expat in one pass. A document type is refused: Word writes none, and the entities that
one declares may grow without end. Elements are those of ECMA-376, Part 1 (WordprocessingML), in either of its
namespaces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from citeproof.text.encodings import without_controls

BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


@dataclass(slots=True)
class WordParagraph:
    """One paragraph: what is printed of it."""

    number: int
    """Counted from 1 in its part."""
    style: str = ""
    """The name of its style, which is that of the program's language: ``Heading1``, ``berschrift1``."""
    outlined: bool = False
    """It has a level of its own in the outline, so it is a heading."""
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its text."""
        return "".join(self.pieces)


@dataclass(frozen=True, slots=True)
class FieldCode:
    """What a program stored in the document, and the number of the paragraph in which it stands."""

    text: str
    paragraph: int
    data: str = ""
    """Data in Base64 that belongs to the code."""


@dataclass(slots=True)
class _Open:
    """A field that has begun; its code ends where its printed text begins."""

    paragraph: int
    code: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    coding: bool = True


class WordPart:
    """A part as far as it has been read."""

    def __init__(self) -> None:
        self.paragraphs: list[WordParagraph] = []
        self.codes: list[FieldCode] = []
        self._open: list[WordParagraph] = []
        """The paragraph at work and those that it stands in, as in a text box."""
        self._fields: list[_Open] = []
        self._into: list[str] | None = None
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._finish
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse

    def read(self, data: bytes) -> str:
        """Read all of ``data``; return what is wrong with it, or an empty text."""
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            return expat.ErrorString(error.code) or "not XML"
        except _DoctypeError:
            return "it has a document type"
        return ""

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        tag = _local(name)
        said = {_local(key): without_controls(value) for key, value in attributes.items()}
        if tag == "p":
            self._open.append(WordParagraph(len(self.paragraphs) + 1))
            self.paragraphs.append(self._open[-1])
        elif tag == "fldSimple":
            self.codes.append(FieldCode(said.get("instr", ""), self._number()))
        elif tag == "tag":
            self.codes.append(FieldCode(said.get("val", ""), self._number()))
        elif tag == "fldChar":
            self._field(said.get("fldCharType", ""))
        elif tag == "instrText":
            self._into = self._fields[-1].code if self._fields and self._fields[-1].coding else None
        elif tag == "fldData":
            self._into = self._fields[-1].data if self._fields else None
        elif self._open:
            self._in_paragraph(tag, said.get("val", ""))

    def _in_paragraph(self, tag: str, value: str) -> None:
        paragraph = self._open[-1]
        if tag == "pStyle":
            paragraph.style = value
        elif tag == "outlineLvl":
            paragraph.outlined = value != "9"  # 9 is the level of body text
        elif tag == "t":
            self._into = paragraph.pieces
        elif tag in BREAKS:
            paragraph.pieces.append(BREAKS[tag])

    def _finish(self, name: str) -> None:
        self._into = None
        if _local(name) == "p" and self._open:
            self._open.pop()

    def _text(self, text: str) -> None:
        if self._into is not None:
            self._into.append(without_controls(text))

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(_Open(self._number()))
        elif self._fields and self._fields[-1].coding:
            done = self._fields[-1]
            done.coding = False
            self.codes.append(FieldCode("".join(done.code), done.paragraph, "".join(done.data)))
        if kind == "end" and self._fields:
            self._fields.pop()

    def _number(self) -> int:
        return self._open[-1].number if self._open else len(self.paragraphs) + 1

    def _refuse(self, *_: object) -> None:
        raise _DoctypeError


class _DoctypeError(Exception):
    """The document declares a document type."""


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
