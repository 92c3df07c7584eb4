"""Word documents (``.docx``): the references that Zotero, Mendeley and EndNote store in them, else their printed list.

The place of a reference is the number of the paragraph that cites or prints it: Word parts pages only on the screen.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from citeproof import formats
from citeproof.fields.lists.paragraphs import Paragraph, as_text, listed, placed
from citeproof.fields.lists.sections import is_heading
from citeproof.formats.docx.field_codes import Stored, stored
from citeproof.formats.docx.parts import WordPart
from citeproof.inputs.archive import Archive, open_archive
from citeproof.inputs.document import Document
from citeproof.inputs.limits import Budget, RefusedError
from citeproof.models import Bibliography, Diagnostic, Place, Reference, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.formats.docx.parts import WordParagraph

NAME = "docx"
SUFFIXES = (".docx", ".docm")
CODES = {
    "docx.no_docx": "it is no Word document, or a member of it is damaged, too large or not XML",
    "docx.broken_field": "a field of Zotero or Mendeley that cannot be read",
    "docx.without_list": "no reference manager's fields, and no heading of a reference list",
    "docx.more_printed": "a note, not a fault: more references are printed than fields hold; these are not read",
}
"""Every diagnostic of this format, and what it means."""

_MAIN = re.compile(r"word/document\d*\.xml")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_HEADING = re.compile(r"heading|überschrift|berschrift|titre|t[ií]tulo|titolo|overskrift|rubrik|otsikko", re.IGNORECASE)
"""Names of the styles of headings in several languages; Word drops what is not ASCII."""


def accepts(document: Document) -> int:
    """Return 2 for a zip that holds what a Word document does, else 0."""
    if not document.data.startswith(b"PK") or b"word/document" not in document.data:
        return 0
    try:
        archive = _opened(document)
    except RefusedError:
        return 0
    with closing(archive):
        return 2 if archive.office and any(map(_MAIN.fullmatch, archive.read)) else 0


def read(document: Document) -> Bibliography:
    """Read what is stored in the document, else what it prints."""
    if not accepts(document):
        return _refused(document, "no_docx", "is no Word document; name its format with --from")
    try:
        main, notes = _parts(document)
    except RefusedError as error:
        return _refused(document, "no_docx", str(error))
    printed = listed(_paragraphs(main.paragraphs))
    # The paragraphs of notes are counted on their own, so their numbers say nothing.
    works = stored(chain(main.codes, (replace(code, paragraph=0) for part in notes for code in part.codes)))
    if works.items or works.records or works.broken:
        found = _stored(document, works)
        count = len(found.references)
        return replace(found, diagnostics=tuple(_more_printed(document, len(printed), count)))
    if not printed:
        message = "has no fields of a reference manager and no heading such as 'References'; give its list as text"
        return _refused(document, "without_list", message)
    found = formats.load("text").read(Document.of_text(as_text(printed), document.name))
    return placed(found, document.name, printed)


def _opened(document: Document) -> Archive:
    budget = document.unpacking.anew() if document.unpacking else Budget()
    archive = open_archive(document.name, BytesIO(document.data), budget)
    if isinstance(archive, bytes):
        raise RefusedError("damaged", "is no Word document")
    return archive


def _parts(document: Document) -> tuple[WordPart, list[WordPart]]:
    """Return the document itself, and its footnotes and endnotes.

    Raises:
        RefusedError: a part is damaged, too large or no XML.
    """
    with closing(_opened(document)) as archive:
        names = [next(filter(_MAIN.fullmatch, archive.read)), *(name for name in _NOTES if name in archive.read)]
        parts = [WordPart() for _ in names]
        for name, part in zip(names, parts, strict=True):
            if fault := part.read(archive.read[name]()):
                raise RefusedError("damaged", f"{name} in it cannot be read: {fault}; save it again")
    return parts[0], parts[1:]


def _paragraphs(written: Sequence[WordParagraph]) -> Iterable[Paragraph]:
    """Yield the paragraphs; a heading is one by its style, or has the style of the heading of the reference list."""
    said = [one for one in written if one.text.strip()]
    styles = {
        one.style for one, following in pairwise(said) if is_heading(one.text) and one.style != following.style
    } - {""}
    for one in written:
        is_one = one.outlined or one.style in styles or _HEADING.search(one.style) is not None
        yield Paragraph(one.text, one.number, heading=is_one and bool(one.text.strip()))


def _stored(document: Document, works: Stored) -> Bibliography:
    """Read the items and records as the formats do that the programs export."""
    items = [item for item, _ in works.items.values()]
    places = [paragraph for _, paragraph in works.items.values()]
    entries = [*_read_as("csl-json", json.dumps(items), document, places)] if items else []
    if works.records:
        xml = f"<xml><records>{''.join(works.records)}</records></xml>"
        entries += _read_as("endnote-xml", xml, document, [*works.records.values()])
    for code, paragraph in works.broken:
        message = "this field of a reference manager cannot be read; let the program refresh the document"
        entries.append(Diagnostic(Place(document.name, paragraph), "docx.broken_field", message, code[:2000]))
    return Bibliography(tuple(sorted(entries, key=lambda entry: (not entry.place.line, entry.place.line))))


def _read_as(name: str, text: str, document: Document, paragraphs: Sequence[int]) -> Iterable[Reference | Diagnostic]:
    found = formats.load(name).read(Document.of_text(text, document.name)).entries
    for entry, paragraph in zip(found, paragraphs, strict=False):
        yield replace(entry, place=Place(document.name, paragraph))


def _more_printed(document: Document, printed: int, count: int) -> Iterable[Diagnostic]:
    if printed > count:
        message = (
            f"prints {printed:,} references, and its fields hold {count:,}: what was written by hand is not read; "
            "give the list as text too"
        )
        yield Diagnostic(Place(document.name), "docx.more_printed", message, severity=Severity.NOTE)


def _refused(document: Document, kind: str, message: str) -> Bibliography:
    return Bibliography((Diagnostic(Place(document.name), f"docx.{kind}", message),))
