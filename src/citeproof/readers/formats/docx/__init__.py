"""Read Word documents (``.docx``): the references that Zotero, Mendeley and EndNote store in them, or the printed list.

The place of a reference is the number of the paragraph that cites or prints it, because the file has no pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.readers import formats
from citeproof.readers.archive import Archive, open_archive
from citeproof.readers.document import Budget, Document, RefusedError
from citeproof.readers.fields.reading import without_entries
from citeproof.readers.formats.docx.parts import Stored, WordPart, stored
from citeproof.readers.lists.sections import Paragraph, is_heading, listed

if TYPE_CHECKING:
    from citeproof.readers.formats.docx.parts import WordParagraph

NAME = "docx"
SUFFIXES = (".docx", ".docm")
CODES = {
    "docx.no_docx": "it is no Word document, or a member of it is damaged, too large or not XML",
    "docx.broken_field": "a field of Zotero or Mendeley that cannot be read",
    "docx.without_list": "no reference manager's fields, and no heading of a reference list",
    "docx.more_printed": "a note, not a fault: more references are printed than stored; only the stored ones are read",
}
"""Every diagnostic of this format, and what it means."""

_MAIN = re.compile(r"word/document\d*\.xml")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_HEADING = re.compile(r"heading|überschrift|berschrift|titre|t[ií]tulo|titolo|overskrift|rubrik|otsikko", re.IGNORECASE)
"""Regex of names of heading styles in several languages. Word omits letters that are not ASCII."""


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
        main, notes = _parts(document)
    except RefusedError as error:
        return without_entries(document, "docx.no_docx", str(error))
    printed = listed(_paragraphs(main.paragraphs))
    # Paragraphs of notes have numbers of their own, which are no places in the document.
    works = stored(chain(main.codes, (replace(code, paragraph=0) for part in notes for code in part.codes)))
    if works.items or works.records or works.broken:
        found = _stored(document, works)
        count = len(found.references)
        return replace(found, diagnostics=tuple(_more_printed(document, len(printed), count)))
    if not printed:
        message = "has no fields of a reference manager and no heading such as 'References'; give its list as text"
        return without_entries(document, "docx.without_list", message)
    return formats.read_list(document, printed)


def _opened(document: Document) -> Archive:
    budget = document.unpacking.anew() if document.unpacking else Budget()
    archive = open_archive(document.name, BytesIO(document.data), budget)
    if isinstance(archive, bytes):
        raise RefusedError("damaged", "is no Word document")
    return archive


def _parts(document: Document) -> tuple[WordPart, list[WordPart]]:
    """Return the main part, and the footnotes and endnotes.

    Raises:
        RefusedError: a part is damaged, too large or not XML.
    """
    with closing(_opened(document)) as archive:
        names = [next(filter(_MAIN.fullmatch, archive.read)), *(name for name in _NOTES if name in archive.read)]
        parts = [WordPart() for _ in names]
        for name, part in zip(names, parts, strict=True):
            if fault := part.read(archive.read[name]()):
                raise RefusedError("damaged", f"{name} in it cannot be read: {fault}; save it again")
    return parts[0], parts[1:]


def _paragraphs(written: Sequence[WordParagraph]) -> Iterable[Paragraph]:
    """Yield the paragraphs. A heading has the style of a heading, or the one of the heading of the reference list."""
    said = [one for one in written if one.text.strip()]
    styles = {
        one.style for one, following in pairwise(said) if is_heading(one.text) and one.style != following.style
    } - {""}
    for one in written:
        is_one = one.outlined or one.style in styles or _HEADING.search(one.style) is not None
        yield Paragraph(one.text, one.number, heading=is_one and bool(one.text.strip()))


def _stored(document: Document, works: Stored) -> Bibliography:
    """Read the stored items as CSL-JSON and the stored records as EndNote's XML."""
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
