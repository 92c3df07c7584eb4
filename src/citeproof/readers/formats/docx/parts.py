"""Read the paragraphs and field codes of a part of a Word document, and the references stored in field codes.

Elements are those of ECMA-376, Part 1 (WordprocessingML), in either namespace. A document type is refused: Word writes
none, and its entities could expand without limit. Zotero writes ``ADDIN ZOTERO_ITEM CSL_CITATION {...}``, Mendeley
Desktop ``ADDIN CSL_CITATION {...}``, Mendeley Cite a tag ``MENDELEY_CITATION_v3_`` and JSON in Base64, all with
CSL-JSON as ``itemData``. EndNote writes ``ADDIN EN.CITE <EndNote>...``, or this XML in Base64 as data of the field.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error as NoBase64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from citeproof.text.encodings import without_controls

_CSL = "CSL_CITATION"
_MENDELEY = "MENDELEY_CITATION_v3_"
_ENDNOTE = re.compile(r"\s*ADDIN EN\.CITE(?:\.DATA)?\b")
_RECORD_START, _RECORD_END = "<record>", "</record>"


@dataclass(slots=True)
class Stored:
    """References stored in a document, each once, with the number of the first paragraph that cites it."""

    items: dict[str, tuple[Any, int]] = field(default_factory=dict)
    """CSL items by identity."""
    records: dict[str, int] = field(default_factory=dict)
    """EndNote's records as XML."""
    broken: list[tuple[str, int]] = field(default_factory=list)
    """Field codes of a known program that cannot be read."""


def stored(codes: Iterable[FieldCode]) -> Stored:
    """Return the references stored in ``codes``."""
    found = Stored()
    for code in codes:
        if _CSL in code.text or code.text.startswith(_MENDELEY):
            items = _items(code.text)
            if items is None:
                found.broken.append((code.text, code.paragraph))
            for identity, item in items or ():
                found.items.setdefault(identity, (item, code.paragraph))
        elif _ENDNOTE.match(code.text):
            for record in _endnote_records(code.text if _RECORD_START in code.text else _decoded(code.data)):
                found.records.setdefault(record, code.paragraph)
    return found


def _items(code: str) -> list[tuple[str, Any]] | None:
    """Return the items of a citation with their identities, or None if the code is not JSON."""
    text = _decoded(code.removeprefix(_MENDELEY)) if code.startswith(_MENDELEY) else code[max(code.find("{"), 0) :]
    try:
        said, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    cited = said.get("citationItems") if isinstance(said, dict) else None
    if not isinstance(cited, list):
        return None
    return [(_identity(one), one["itemData"]) for one in cited if isinstance(one, dict) and "itemData" in one]


def _identity(cited: dict[str, Any]) -> str:
    """Return the address of an item, which is the same in each citation, or else its content."""
    for name in ("uris", "uri"):
        addresses = cited.get(name)
        if isinstance(addresses, list) and addresses and isinstance(addresses[0], str):
            return addresses[0]
    return json.dumps(cited["itemData"], sort_keys=True)


def _decoded(data: str) -> str:
    try:
        return b64decode("".join(data.split())).decode("utf-8", "replace")
    except (NoBase64, ValueError):
        return ""


def _endnote_records(xml: str) -> Iterator[str]:
    """Yield each ``<record>`` of ``xml``."""
    begin = xml.find(_RECORD_START)
    while begin >= 0:
        end = xml.find(_RECORD_END, begin)
        if end < 0:
            return
        yield xml[begin : end + len(_RECORD_END)]
        begin = xml.find(_RECORD_START, end)


BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


@dataclass(slots=True)
class WordParagraph:
    """A paragraph as printed."""

    number: int
    """Number in its part, from 1."""
    style: str = ""
    """Name of its style in the language of the program: ``Heading1``, ``berschrift1``."""
    outlined: bool = False
    """Whether the paragraph has a level in the outline, as a heading has."""
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The printed text."""
        return "".join(self.pieces)


@dataclass(frozen=True, slots=True)
class FieldCode:
    """A field code of a program, and the number of its paragraph."""

    text: str
    paragraph: int
    data: str = ""
    """Data of the field in Base64."""


@dataclass(slots=True)
class _Open:
    """A field that has begun. Its code ends where its printed text begins."""

    paragraph: int
    code: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    coding: bool = True


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
        self._fields: list[_Open] = []
        self._into: list[str] | None = None
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._finish
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse

    def read(self, data: bytes) -> str:
        """Read ``data``. Return the reason of an error, or an empty text."""
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
    """Raised at a document type."""


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
