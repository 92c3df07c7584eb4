"""Read tables of references in Excel workbooks (``.xlsx``), which Zotero and libraries export.

Each sheet is converted to text and read like a table in :mod:`citeproof.readers.formats.csv`.
"""

import csv
from dataclasses import replace
from io import BytesIO, StringIO

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import without_entries

NAME = "xlsx"
SUFFIXES = (".xlsx", ".xlsm")
CODES = {
    "xlsx.damaged": "the file is damaged, or is not an Excel workbook",
    "xlsx.sheet_left_out": (
        "a note, not a fault: a sheet has no first line that names the columns, and is not read"
    ),
    "xlsx.no_header": "no sheet has a first line that names the columns, such as `title`",
}
_MOST_ROWS = 200_000  # maximum number of rows read from a sheet


def accepts(document: Document) -> int:
    """Return 2 if the document is certainly an Excel workbook, else 0."""
    return 2 if document.data.startswith(b"PK") and b"xl/workbook" in document.data else 0


def read(document: Document) -> Bibliography:
    """Read each row of every sheet that has a header as a reference. The place of a reference is
    its row.
    """
    table = formats.load("csv")
    entries: list[Reference | Diagnostic] = []
    try:
        sheets = {
            name: Document.of_text(text, document.name)
            for name, text in _sheets(document.data).items()
        }
    except Exception as error:  # noqa: BLE001 - openpyxl raises what the damage happens to cause
        said = " ".join(str(error).split())[:100]
        message = f"cannot be read as an Excel workbook: {said}; save it as .csv"
        return without_entries(document, "xlsx.damaged", message)
    notes = []
    for name, sheet in sheets.items():
        if table.accepts(sheet):
            entries += table.read(sheet).entries
        elif sheet.text.strip():
            message = f"its sheet {name!r} is not read: its first line names no columns"
            place = Place(document.name)
            notes.append(Diagnostic(place, "xlsx.sheet_left_out", message, severity=Severity.NOTE))
    if not entries:
        message = "has no sheet whose first line names columns such as title, author and year"
        return without_entries(document, "xlsx.no_header", message)
    # Spans are removed, because they are offsets in the text of a sheet, not in the file.
    return Bibliography(
        tuple(replace(one, place=replace(one.place, span=None, fields=())) for one in entries),
        tuple(notes),
    )


def _sheets(data: bytes) -> dict[str, str]:
    """Return a map from the name of each sheet to its text, which has a line for each row."""
    from openpyxl import load_workbook

    book = load_workbook(BytesIO(data), read_only=True, data_only=True)
    texts = {}
    for sheet in book.worksheets:
        out = StringIO()
        writer = csv.writer(out, delimiter="\t", lineterminator="\n")
        for row in sheet.iter_rows(max_row=_MOST_ROWS, values_only=True):
            writer.writerow(["" if cell is None else " ".join(str(cell).split()) for cell in row])
        texts[sheet.title] = out.getvalue()
    return texts
