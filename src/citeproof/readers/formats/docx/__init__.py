"""Read Word documents (``.docx``): the references that Zotero, Mendeley and EndNote store in them, or the printed list.

The place of a reference is the number of the paragraph that cites or prints it, because the file has no pages. Zotero
writes ``ADDIN ZOTERO_ITEM CSL_CITATION {...}``, Mendeley Desktop ``ADDIN CSL_CITATION {...}``, Mendeley Cite a tag
``MENDELEY_CITATION_v3_`` and JSON in Base64, all with CSL-JSON as ``itemData``. EndNote writes ``ADDIN EN.CITE
<EndNote>...``, or this XML in Base64 as data of the field.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from typing import Any

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.readers import formats
from citeproof.readers.archive import Archive, open_archive
from citeproof.readers.document import Budget, Document, RefusedError
from citeproof.readers.fields.reading import without_entries
from citeproof.readers.formats.docx.parts import FieldCode, WordParagraph, WordPart
from citeproof.readers.lists.sections import Paragraph, is_heading, listed

NAME = "docx"
SUFFIXES = (".docx", ".docm")
CODES = {
    "docx.no_docx": "it is no Word document, or a member of it is damaged, too large or not XML",
    "docx.broken_field": "a field of Zotero or Mendeley that cannot be read",
    "docx.without_list": "no reference manager's fields, and no heading of a reference list",
    "docx.more_printed": "a note, not a fault: more references are printed than stored; only the stored ones are read",
}

_MAIN = re.compile(r"word/document\d*\.xml")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_HEADING = re.compile(r"heading|überschrift|berschrift|titre|t[ií]tulo|titolo|overskrift|rubrik|otsikko", re.IGNORECASE)
"""Regex of the names of heading styles in several languages. Word omits non-ASCII letters from them."""
_CSL = "CSL_CITATION"
_MENDELEY = "MENDELEY_CITATION_v3_"
_ENDNOTE = re.compile(r"\s*ADDIN EN\.CITE(?:\.DATA)?\b")
_RECORD, _RECORD_END = "<record>", "</record>"


def accepts(document: Document) -> int:
    """Return 2 for a zip file with the members of a Word document, else 0."""
    if not document.data.startswith(b"PK") or b"word/document" not in document.data:
        return 0
    try:
        archive = _opened(document)
    except RefusedError:
        return 0
    with closing(archive):
        return 2 if archive.office and any(map(_MAIN.fullmatch, archive.read)) else 0


def read(document: Document) -> Bibliography:
    """Read the stored references, or else the printed list."""
    if not accepts(document):
        return without_entries(document, "docx.no_docx", "is no Word document; name its format with --from")
    try:
        main, *notes = _parts(document)
    except RefusedError as error:
        return without_entries(document, "docx.no_docx", str(error))
    printed = listed(_paragraphs(main.paragraphs))
    codes = [(code, code.paragraph) for code in main.codes]
    # Paragraphs of notes have numbers of their own, which are no places in the document.
    codes += [(code, 0) for part in notes for code in part.codes]
    if entries := _stored(document, codes):
        found = Bibliography(tuple(sorted(entries, key=lambda entry: (not entry.place.line, entry.place.line))))
        if len(printed) <= (count := len(found.references)):
            return found
        message = (
            f"prints {len(printed):,} references, and its fields hold {count:,}: what was written by hand is not read; "
            "give the list as text too"
        )
        note = Diagnostic(Place(document.name), "docx.more_printed", message, severity=Severity.NOTE)
        return replace(found, diagnostics=(note,))
    message = "has no fields of a reference manager and no heading such as 'References'; give its list as text"
    return formats.read_list(document, printed, "docx.without_list", message)


def _opened(document: Document) -> Archive:
    budget = replace(document.unpacking or Budget())
    archive = open_archive(document.name, BytesIO(document.data), budget)
    if isinstance(archive, bytes):
        raise RefusedError("damaged", "is no Word document")
    return archive


def _parts(document: Document) -> list[WordPart]:
    """Return the main part of the document, then its footnotes and endnotes."""
    parts: list[WordPart] = []
    with closing(_opened(document)) as archive:
        for name in (next(filter(_MAIN.fullmatch, archive.read)), *filter(archive.read.__contains__, _NOTES)):
            parts.append(WordPart())
            if fault := parts[-1].read(archive.read[name]()):
                raise RefusedError("damaged", f"{name} in it cannot be read: {fault}; save it again")
    return parts


def _paragraphs(written: Sequence[WordParagraph]) -> Iterable[Paragraph]:
    """Yield the paragraphs. A heading has the style of a heading, or that of the reference list's heading."""
    said = [one for one in written if one.text.strip()]
    pairs = pairwise(said)
    styles = {one.style for one, following in pairs if is_heading(one.text) and one.style != following.style} - {""}
    for one in written:
        is_one = one.outlined or one.style in styles or _HEADING.search(one.style) is not None
        yield Paragraph(one.text, one.number, heading=is_one and bool(one.text.strip()))


def _stored(document: Document, codes: Iterable[tuple[FieldCode, int]]) -> list[Reference | Diagnostic]:
    """Return each reference stored in the field ``codes``, with the number of the first paragraph that cites it."""
    items: dict[str, tuple[Any, int]] = {}
    records: dict[str, int] = {}
    broken: list[Diagnostic] = []
    for code, paragraph in codes:
        text = "".join(code.pieces)
        if _CSL in text or text.startswith(_MENDELEY):
            cited = _items(text)
            if cited is None:
                message = "this field of a reference manager cannot be read; let the program refresh the document"
                broken.append(Diagnostic(Place(document.name, paragraph), "docx.broken_field", message, text[:2000]))
            for identity, item in cited or ():
                items.setdefault(identity, (item, paragraph))
        elif _ENDNOTE.match(text):
            xml = text if _RECORD in text else _decoded("".join(code.data))
            for piece in xml.split(_RECORD_END)[:-1]:
                if (begin := piece.find(_RECORD)) >= 0:
                    records.setdefault(f"{piece[begin:]}{_RECORD_END}", paragraph)
    csl = json.dumps([item for item, _ in items.values()])
    return [
        *_read_as("csl-json", csl, document, [paragraph for _, paragraph in items.values()]),
        *_read_as("endnote-xml", f"<xml><records>{''.join(records)}</records></xml>", document, records.values()),
        *broken,
    ]


def _read_as(name: str, text: str, document: Document, paragraphs: Iterable[int]) -> Iterable[Reference | Diagnostic]:
    found = formats.load(name).read(Document.of_text(text, document.name)).entries
    for entry, paragraph in zip(found, paragraphs, strict=False):
        yield replace(entry, place=Place(document.name, paragraph))


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
    """Return a text that is the same in each citation of an item: its address, or else its content."""
    for name in ("uris", "uri"):
        addresses = cited.get(name)
        if isinstance(addresses, list) and addresses and isinstance(addresses[0], str):
            return addresses[0]
    return json.dumps(cited["itemData"], sort_keys=True)


def _decoded(data: str) -> str:
    try:
        return b64decode("".join(data.split())).decode("utf-8", "replace")
    except ValueError:
        return ""
