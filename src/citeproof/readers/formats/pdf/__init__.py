"""Read the reference lists of papers in PDF from the text and its positions.

The text of a PDF has neither fields nor a defined order. Lines are sorted into reading order, reference lists are found
by their headings or else by their entries, each list is split into entries, and each entry is read as a string.
"""

from dataclasses import replace

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.readers.document import Document
from citeproof.readers.fields.reading import without_entries
from citeproof.readers.lists.checks import checked
from citeproof.readers.lists.entries import Entry, split_entries
from citeproof.readers.lists.joining import join_lines, vocabulary
from citeproof.readers.lists.sections import reference_lists, unheaded_list
from citeproof.readers.strings.reference import reference_of_string
from citeproof.text.identifiers import find_arxiv_id, find_doi

NAME = "pdf"
SUFFIXES = (".pdf",)
CODES = {
    "pdf.no_pdf": "it does not begin as PDF files do",
    "pdf.damaged": "the file is damaged from some point on",
    "pdf.damaged_page": "a page cannot be read; the references on it are missing",
    "pdf.protected": "it is protected by a password",
    "pdf.without_text": "its pages are pictures, with no text in them",
    "pdf.without_list": "no heading of a reference list was found, and no entries one after the other",
    "pdf.no_heading": "a note, not a fault: the list has no heading and was found by its entries",
}

_FAR, _FARTHEST = 1024, 100_000
"""Maximum bytes before the start of the PDF: pdfium's own limit, and a larger one for headers of servers and mails."""
_ADVICE = {
    "no_pdf": "is no PDF; name its format with --from, or give the paper itself",
    "damaged": "is damaged; download or make it again",
    "damaged_page": "this page is damaged; references on it are missing",
    "protected": "is protected by a password; save a copy without one",
    "without_text": "has no text, only pictures of it; run an OCR program over it first",
    "no_heading": "has a reference list without a heading, found by its entries; look whether the first is there",
    "without_list": "has no heading such as 'References'; give its bibliography as .bib, .bbl or text",
}


def accepts(document: Document) -> int:
    """Return 2 if the document begins as PDF files do, perhaps after other bytes."""
    return 2 if 0 <= _beginning(document) < (_FARTHEST if document.suffix in SUFFIXES else _FAR) else 0


def read(document: Document) -> Bibliography:
    """Read the reference lists of a paper; the place of a reference is the page on which it begins."""
    if not accepts(document):
        return _refused(document, "no_pdf")
    from citeproof.readers.formats.pdf.layout import reading_order
    from citeproof.readers.formats.pdf.page import PdfError, read_pages

    try:
        before = _beginning(document)
        pages = read_pages(document.data[before:] if before >= _FAR else document.data)
    except PdfError as error:
        return _refused(document, str(error))
    lines = reading_order(pages)
    if not lines:
        return _refused(document, "without_text" if all(page.readable for page in pages) else "damaged")
    known_words = vocabulary(lines)
    lists, beside = reference_lists(lines)
    notes: tuple[Diagnostic, ...] = ()
    if not lists and (begin := unheaded_list(lines)) is not None:
        lists, beside = [lines[begin:]], lines[:begin]
        place = Place(document.name, page=lines[begin].number)
        notes = (Diagnostic(place, "pdf.no_heading", _ADVICE["no_heading"], severity=Severity.NOTE),)
    entries = [entry for found in lists for entry in split_entries(found)]
    if not entries:
        return _refused(document, "without_list")
    references = []
    for number, entry in enumerate(entries, start=1):
        place = Place(document.name, page=entry.lines[0].number)
        read_one = reference_of_string(join_lines(entry.lines, known_words), entry.label or str(number), place)
        references.append(_with_links(read_one, entry))
    body = join_lines(beside, known_words)
    checked_ones, extraction = checked(document.name, references, [entry.label for entry in entries], body)
    damaged = (Place(document.name, page=page.number) for page in pages if not page.readable)
    notes += tuple(Diagnostic(place, "pdf.damaged_page", _ADVICE["damaged_page"]) for place in damaged)
    return Bibliography(checked_ones, notes, extraction=extraction)


def _with_links(reference: Reference, entry: Entry) -> Reference:
    """Return a reference with the DOI and arXiv id of its hyperlinks, if its text states none."""
    addresses = {line.link for line in entry.lines if line.link}
    dois, arxiv_ids = ({*filter(None, map(find, addresses))} for find in (find_doi, find_arxiv_id))
    if not reference.doi and len(dois) == 1:
        reference = replace(reference, doi=dois.pop())
    if not reference.arxiv_id and len(arxiv_ids) == 1:
        reference = replace(reference, arxiv_id=arxiv_ids.pop())
    return reference


def _beginning(document: Document) -> int:
    """Return the offset of the PDF in the bytes of ``document``; -1 if there is none."""
    return document.data.find(b"%PDF-", 0, _FARTHEST)


def _refused(document: Document, kind: str) -> Bibliography:
    return without_entries(document, f"pdf.{kind}", _ADVICE[kind])
