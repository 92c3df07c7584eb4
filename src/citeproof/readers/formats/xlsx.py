"""Read tables of references in Excel workbooks (``.xlsx``), as Zotero and libraries export them.

Each sheet is read as a table of :mod:`citeproof.readers.formats.csv`.
"""

import csv
from dataclasses import replace
from io import BytesIO, StringIO

from citeproof.model.reference import Bibliography, Diagnostic, Reference
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import without_entries

NAME = "xlsx"
SUFFIXES = (".xlsx", ".xlsm")
CODES = {
    "xlsx.damaged": "the file is damaged, or is no Excel workbook",
    "xlsx.no_header": "no sheet has a first line that names the columns, such as `title`",
}
_MOST_ROWS = 200_000  # maximum number of rows read from a sheet


def accepts(document: Document) -> int:
    """Return how likely the document is an Excel workbook: 2 if certainly, else 0."""
    return 2 if document.data.startswith(b"PK") and b"xl/workbook" in document.data else 0


def read(document: Document) -> Bibliography:
    """Read each row of all sheets with a header as a reference. The place is the row."""
    table = formats.load("csv")
    entries: list[Reference | Diagnostic] = []
    try:
        sheets = [Document.of_text(text, document.name) for text in _sheets(document.data)]
    except Exception as error:  # noqa: BLE001 - openpyxl raises what the damage happens to cause
        said = " ".join(str(error).split())[:100]
        message = f"cannot be read as an Excel workbook: {said}; save it as .csv"
        return without_entries(document, "xlsx.damaged", message)
    for sheet in sheets:
        if table.accepts(sheet):
            entries += table.read(sheet).entries
    if not entries:
        message = "has no sheet whose first line names columns such as title, author and year"
        return without_entries(document, "xlsx.no_header", message)
    # The spans are places in the text of a sheet, and not in the file.
    return Bibliography(
        tuple(replace(one, place=replace(one.place, span=None, fields=())) for one in entries)
    )


def _sheets(data: bytes) -> list[str]:
    """Return the text of each sheet, with a line for each row."""
    from openpyxl import load_workbook

    book = load_workbook(BytesIO(data), read_only=True, data_only=True)
    texts = []
    for sheet in book.worksheets:
        out = StringIO()
        writer = csv.writer(out, delimiter="\t", lineterminator="\n")
        for row in sheet.iter_rows(max_row=_MOST_ROWS, values_only=True):
            writer.writerow(["" if cell is None else " ".join(str(cell).split()) for cell in row])
        texts.append(out.getvalue())
    return texts
