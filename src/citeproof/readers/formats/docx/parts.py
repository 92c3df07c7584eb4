"""Read the paragraphs and field codes of a part of a Word document.

Elements are those of ECMA-376, Part 1 (WordprocessingML), in either namespace. Word writes no document type.
"""

from dataclasses import dataclass, field
from xml.parsers import expat

from citeproof.readers.fields.xml import parse_xml
from citeproof.text.encodings import without_controls

_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_VALUES = {"fldSimple": "instr", "tag": "val", "fldChar": "fldCharType", "pStyle": "val", "outlineLvl": "val"}
"""Attribute that is read of each element."""


@dataclass(slots=True)
class WordParagraph:
    """A paragraph of a Word document, as printed."""

    number: int
    """Number of the paragraph in its part, from 1."""
    style: str = ""
    """Name of the paragraph style in the language of the program: ``Heading1``, ``berschrift1``."""
    outlined: bool = False
    """Whether the paragraph has a level in the outline, as a heading has."""
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The printed text."""
        return "".join(self.pieces)


@dataclass(slots=True)
class FieldCode:
    """The code of a field: the text from the start of the field to its printed text."""

    paragraph: int
    """Number of the paragraph in which it begins."""
    pieces: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    """Pieces of the data of the field in Base64."""
    ended: bool = False


class WordPart:
    """A part of a Word document: its paragraphs and field codes.

    ``<fldChar begin/><instrText>ADDIN ...</instrText><fldChar separate/><t>[1]</t><fldChar end/>`` is a field with the
    code ``ADDIN ...`` and the printed text ``[1]``. Fields may be nested.
    """

    def __init__(self) -> None:
        self.paragraphs: list[WordParagraph] = []
        self.codes: list[FieldCode] = []
        self._open: list[WordParagraph] = []
        """The open paragraphs, the innermost last. A text box is inside a paragraph."""
        self._fields: list[FieldCode] = []
        """The open fields, the innermost last."""
        self._into: list[str] | None = None

    def read(self, data: bytes) -> str:
        """Read ``data``. Return the reason of an error, or an empty text."""
        return parse_xml(data, expat.ParserCreate(namespace_separator=" "), self._begin, self._finish, self._text)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        tag = _local(name)
        said = {_local(key): value for key, value in attributes.items()} if tag in _VALUES else {}
        value = without_controls(said.get(_VALUES[tag], "")) if said else ""
        if tag == "p":
            self._open.append(WordParagraph(len(self.paragraphs) + 1))
            self.paragraphs.append(self._open[-1])
        elif tag in {"fldSimple", "tag"}:
            self.codes.append(FieldCode(self._number(), [value]))
        elif tag == "fldChar":
            self._field(value)
        elif tag in {"instrText", "fldData"}:
            code = self._fields[-1] if self._fields and not self._fields[-1].ended else FieldCode(0)
            self._into = code.pieces if tag == "instrText" else code.data
        elif self._open:
            self._in_paragraph(self._open[-1], tag, value)

    def _in_paragraph(self, paragraph: WordParagraph, tag: str, value: str) -> None:
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
        if _local(name) == "p" and self._open:
            self._open.pop()

    def _text(self, text: str) -> None:
        if self._into is not None:
            self._into.append(without_controls(text))

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(FieldCode(self._number()))
        elif self._fields and not self._fields[-1].ended:
            self._fields[-1].ended = True
            self.codes.append(self._fields[-1])
        if kind == "end" and self._fields:
            self._fields.pop()

    def _number(self) -> int:
        return self._open[-1].number if self._open else len(self.paragraphs) + 1


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
