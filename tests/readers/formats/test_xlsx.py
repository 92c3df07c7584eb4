"""Tables of references in Excel workbooks."""

from collections.abc import Sequence
from datetime import date
from io import BytesIO
from typing import Any

from openpyxl import Workbook

from citeproof.readers.document import Document
from citeproof.readers.formats import xlsx


def document(*sheets: Sequence[Sequence[Any]]) -> Document:
    book = Workbook()
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(f"sheet{number}", number)
        for row in rows:
            sheet.append(row)
    packed = BytesIO()
    book.save(packed)
    return Document.of("a.xlsx", packed.getvalue())


def test_read_every_sheet_with_a_header_is_read() -> None:
    table: list[list[Any]] = [
        ["Title", "Author", "Date"],
        ["One\nand more", "Lee, Ann; Ray, Bo", date(2001, 2, 3)],
    ]
    found = xlsx.read(document(table, [["a note"]], [["title", "year"], ["Two", 1999.0]]))
    assert [(one.title, one.authors, one.year, one.line) for one in found.references] == [
        ("One and more", ("Lee, Ann", "Ray, Bo"), 2001, 2),
        ("Two", (), 1999, 2),
    ]
    assert [str(note) for note in found.diagnostics] == [
        "a.xlsx: its sheet 'sheet1' is not read: its first line names no columns"
    ]


def test_read_a_workbook_without_a_header_is_said() -> None:
    (entry,) = xlsx.read(document([[1, 2], [3, 4]])).entries
    assert getattr(entry, "code", "") == "xlsx.no_header"


def test_read_a_damaged_workbook_is_said() -> None:
    data = document([["title"], ["One"]]).data
    for damaged in (data[:-300], data[:100] + b"xl/workbook"):
        (entry,) = xlsx.read(Document.of("a.xlsx", damaged)).entries
        assert getattr(entry, "code", "") == "xlsx.damaged"
