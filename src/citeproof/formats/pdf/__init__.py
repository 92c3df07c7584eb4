"""Papers as PDF: their reference lists, read from the pages' text and its places.

The text of a PDF has no fields and no order of its own: lines are put into reading order, the reference lists are found
by their headings or else by their entries, each list is parted into entries, and each entry is read as a string.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.fields.lists.checks import checked
from citeproof.fields.lists.entries import split_entries
from citeproof.fields.lists.joining import join_lines, vocabulary
from citeproof.fields.lists.sections import reference_lists
from citeproof.fields.lists.unheaded import beginning
from citeproof.fields.plain.reference import reference_of_string
from citeproof.models import Bibliography, Diagnostic, Place, Severity

if TYPE_CHECKING:
    from citeproof.inputs.document import Document

NAME = "pdf"
SUFFIXES = (".pdf",)
CODES = {
    "pdf.needs_package": "the package that reads PDF files is not installed",
    "pdf.no_pdf": "it does not begin as PDF files do",
    "pdf.damaged": "it is no PDF from some place on",
    "pdf.damaged_page": "a page cannot be read; the references on it are missing",
    "pdf.protected": "it is protected by a password",
    "pdf.without_text": "its pages are pictures, with no text in them",
    "pdf.without_list": "no heading of a reference list was found, and no entries one after the other",
    "pdf.no_heading": "a note, not a fault: the list has no heading and was found by its entries",
}
"""Every diagnostic of this format, and what it means."""

_FAR, _FARTHEST = 1024, 100_000
"""Bytes before a PDF: pdfium itself finds it behind fewer than 1,024; what a server or a mail puts there is short."""
_ADVICE = {
    "needs_package": "install citeproof with the extra 'pdf'",
    "no_pdf": "is no PDF; name its format with --from, or give the paper itself",
    "damaged": "is damaged; download or make it again",
    "damaged_page": "this page is damaged; references on it are missing",
    "protected": "is protected by a password; save a copy without one",
    "without_text": "has no text, only pictures of it; run an OCR program over it first",
    "no_heading": "has a reference list without a heading, found by its entries; look whether the first is there",
    "without_list": "has no heading such as 'References'; give its bibliography as .bib, .bbl or text",
}


def accepts(document: Document) -> int:
    """Return 2 where the document begins as PDF files do; some have other bytes before, few of them many."""
    return 2 if 0 <= _beginning(document) < (_FARTHEST if document.suffix in SUFFIXES else _FAR) else 0


def read(document: Document) -> Bibliography:
    """Read the reference lists of a paper; each reference's place is the page on which it begins."""
    if not accepts(document):
        return _refused(document, "no_pdf")
    try:
        from citeproof.formats.pdf.layout import reading_order
        from citeproof.formats.pdf.page import PdfError, read_pages
    except ImportError:
        return _refused(document, "needs_package")
    try:
        before = _beginning(document)
        pages = read_pages(document.data[before:] if before >= _FAR else document.data)
    except PdfError as error:
        return _refused(document, f"{error.kind}")
    lines = reading_order(pages)
    if not lines:
        return _refused(document, "without_text" if all(page.readable for page in pages) else "damaged")
    known_words = vocabulary(lines)
    lists, beside = reference_lists(lines)
    notes: tuple[Diagnostic, ...] = ()
    if not lists and (begin := beginning(lines)) is not None:
        lists, beside = [lines[begin:]], lines[:begin]
        place = Place(document.name, page=lines[begin].number)
        notes = (Diagnostic(place, "pdf.no_heading", _ADVICE["no_heading"], severity=Severity.NOTE),)
    entries = [entry for found in lists for entry in split_entries(found)]
    if not entries:
        return _refused(document, "without_list")
    references = [
        reference_of_string(
            join_lines(entry.lines, known_words),
            key=entry.label or str(number),
            place=Place(document.name, page=entry.lines[0].number),
        )
        for number, entry in enumerate(entries, start=1)
    ]
    body = join_lines(beside, known_words)
    checked_ones, extraction = checked(document.name, references, [entry.label for entry in entries], body)
    damaged = (Place(document.name, page=page.number) for page in pages if not page.readable)
    notes += tuple(Diagnostic(place, "pdf.damaged_page", _ADVICE["damaged_page"]) for place in damaged)
    return Bibliography(checked_ones, notes, extraction=extraction)


def _beginning(document: Document) -> int:
    """Return where the PDF begins in the bytes of ``document``; -1 where it does not."""
    return document.data.find(b"%PDF-", 0, _FARTHEST)


def _refused(document: Document, kind: str) -> Bibliography:
    return Bibliography((Diagnostic(Place(document.name), f"pdf.{kind}", _ADVICE[kind]),))
