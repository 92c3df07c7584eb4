"""Read the reference lists of papers in PDF, by the text and the positions of lines."""

from citeproof.model.reference import Bibliography
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import without_entries

NAME = "pdf"
SUFFIXES = (".pdf",)
CODES = {
    "pdf.no_pdf": "it does not begin like a PDF file",
    "pdf.damaged": "the file is damaged from some point on",
    "pdf.damaged_page": "a page cannot be read; the references on it are missing",
    "pdf.protected": "it is protected by a password",
    "pdf.without_text": "its pages are images without text",
    "pdf.without_list": ("neither a heading of a reference list nor a series of entries was found"),
    "pdf.footnotes": (
        "a note, not a fault: the paper has no list, and references in its footnotes are read"
    ),
    "pdf.no_heading": "a note, not a fault: the list has no heading and was found by its entries",
}

_FAR, _FARTHEST = 1024, 100_000
"""Maximum number of bytes of other data before ``%PDF-``. The first number is for any file, the
second for a file with the suffix ``.pdf``.
"""


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly a PDF, else 0."""
    return (
        2 if 0 <= _beginning(document) < (_FARTHEST if document.suffix in SUFFIXES else _FAR) else 0
    )


def read(document: Document) -> Bibliography:
    """Read the reference lists of a paper. The place of a reference is the page on which it
    begins.
    """
    if not accepts(document):
        message = "is not a PDF; name its format with --from, or give the paper itself"
        return without_entries(document, "pdf.no_pdf", message)
    # imported late, because the import takes long and only the process that reads PDFs needs it
    from citeproof.readers.formats.pdf.paper import read_paper

    before = _beginning(document)
    return read_paper(document, document.data[before:] if before >= _FAR else document.data)


def _beginning(document: Document) -> int:
    """Return the offset of ``%PDF-`` in the bytes of ``document``, or -1 if it is missing."""
    return document.data.find(b"%PDF-", 0, _FARTHEST)
