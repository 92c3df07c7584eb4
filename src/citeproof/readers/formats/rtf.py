"""Read the reference lists of documents in Rich Text Format. The place of a reference is the number
of its paragraph.
"""

import re
from dataclasses import replace

from citeproof.model.reference import Bibliography, Diagnostic, Place, Severity
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.lists.sections import Paragraph
from citeproof.text.encodings import without_controls

NAME = "rtf"
SUFFIXES = (".rtf",)
# regex for the label of an entry that is a row of a table; striprtf writes ``|`` between the cells
_CELL = re.compile(r"^\s*([\[(]?\d{1,4}[\]).]?)\|")
CODES = {
    "rtf.without_list": "it has no heading of a reference list",
    "rtf.cut": "a note, not a fault: the file ends early; what followed is missing",
}


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly RTF, else 0."""
    return 2 if document.text.startswith("{\\rtf") else 0


def read(document: Document) -> Bibliography:
    """Read the paragraphs below the heading of a reference list."""
    from striprtf.striprtf import rtf_to_text

    text = without_controls(rtf_to_text(document.text, errors="replace"))
    paragraphs = (
        Paragraph(_CELL.sub(r"\1 ", line).strip("| "), number)
        for number, line in enumerate(text.split("\n"), start=1)
    )
    message = "has no heading such as 'References'; save it as .docx, or give its list as text"
    found = formats.read_list(
        document, formats.printed_list(paragraphs), "rtf.without_list", message
    )
    if document.text.rstrip("\0 \r\n").endswith("}"):
        return found
    message = "the file ends early, so references may be missing; save it again"
    note = Diagnostic(Place(document.name), "rtf.cut", message, severity=Severity.NOTE)
    return replace(found, diagnostics=(*found.diagnostics, note))
