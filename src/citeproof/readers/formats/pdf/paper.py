"""Read the reference lists of a paper."""

from dataclasses import replace

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import without_entries
from citeproof.readers.formats.pdf.accounting import account
from citeproof.readers.formats.pdf.footnotes import footnotes, naming_works
from citeproof.readers.formats.pdf.page import PdfError, read_pages
from citeproof.readers.formats.pdf.reading_order import reading_order
from citeproof.readers.lists import join_lines, vocabulary
from citeproof.readers.lists.checks import checked
from citeproof.readers.lists.entries import Entry, split_entries
from citeproof.readers.lists.sections import reference_lists, unheaded_list
from citeproof.readers.strings.reference import reference_of_string
from citeproof.text.identifiers import find_arxiv_id, find_doi

_ADVICE = {
    "damaged": "is damaged; download or make it again",
    "damaged_page": "this page is damaged; references on it are missing",
    "protected": "is protected by a password; save a copy without one",
    "without_text": "has no text, only pictures of it; run an OCR program over it first",
    "no_heading": (
        "has a reference list without a heading, found by its entries; look whether the first is"
        " there"
    ),
    "footnotes": (
        "has no reference list: the references at the beginning of {} of its {} footnotes are read"
    ),
    "without_list": (
        "has no heading such as 'References'; give its bibliography as .bib, .bbl or text"
    ),
}
_FEWEST = 4  # minimum number of references in footnotes


def read_paper(document: Document, data: bytes) -> Bibliography:
    """Read the reference lists of the paper ``document``, whose PDF is ``data``."""
    try:
        pages = read_pages(data)
    except PdfError as error:
        return _refused(document, str(error))
    lines = reading_order(pages)
    if not lines:
        return _refused(
            document, "without_text" if all(page.readable for page in pages) else "damaged"
        )
    known_words = vocabulary(lines)
    lists, beside = reference_lists(lines)
    damaged = (Place(document.name, page=page.number) for page in pages if not page.readable)
    notes = [Diagnostic(place, "pdf.damaged_page", _ADVICE["damaged_page"]) for place in damaged]
    if not lists and (begin := unheaded_list(lines)) is not None:
        lists, beside = [lines[begin:]], lines[:begin]
        place = Place(document.name, page=lines[begin].number)
        notes.insert(
            0, Diagnostic(place, "pdf.no_heading", _ADVICE["no_heading"], severity=Severity.NOTE)
        )
    split = [split_entries(found) for found in lists]
    entries = [entry for found in split for entry in found]
    counted = account(document.name, lines, lists, split) if entries else None
    if not entries:
        noted, beside = footnotes(lines), []
        entries = naming_works(noted)
        if len(entries) < _FEWEST:
            return _refused(document, "without_list")
        message = _ADVICE["footnotes"].format(len(entries), len(noted))
        notes.append(
            Diagnostic(Place(document.name), "pdf.footnotes", message, severity=Severity.NOTE)
        )
    references = []
    for number, entry in enumerate(entries, start=1):
        place = Place(document.name, page=entry.lines[0].number)
        read_one = reference_of_string(
            join_lines(entry.lines, known_words), entry.label or str(number), place
        )
        references.append(_with_links(read_one, entry))
    labels, body = [entry.label for entry in entries], join_lines(beside, known_words)
    checked_ones, extraction = checked(document.name, references, labels, body)
    return Bibliography(checked_ones, tuple(notes), extraction=extraction, account=counted)


def _with_links(reference: Reference, entry: Entry) -> Reference:
    """Return ``reference`` with the DOI and the arXiv id to which hyperlinks in ``entry`` lead, if
    its text has none.

    Then the attribute :attr:`~Reference.linked` of the result is true.
    """
    addresses = {line.link for line in entry.lines if line.link}
    dois, arxiv_ids = ({*filter(None, map(find, addresses))} for find in (find_doi, find_arxiv_id))
    doi = reference.doi or (dois.pop() if len(dois) == 1 else "")
    arxiv_id = reference.arxiv_id or (arxiv_ids.pop() if len(arxiv_ids) == 1 else "")
    linked = (doi, arxiv_id) != (reference.doi, reference.arxiv_id)
    return replace(reference, doi=doi, arxiv_id=arxiv_id, linked=linked)


def _refused(document: Document, kind: str) -> Bibliography:
    return without_entries(document, f"pdf.{kind}", _ADVICE[kind])
