"""The order of a page's lines: column after column."""

from citeproof.readers.formats.pdf.layout import reading_order
from citeproof.readers.formats.pdf.page import Page
from citeproof.readers.lists import Line

ROWS = 36


def _column(name: str, left: float, right: float) -> list[Line]:
    """Return lines of which every sixth begins ten points further left."""
    return [
        Line(f"{name}{row}", 1, left - 10 * (row % 6 == 0), right, 700.0 - 12 * row, 8.0) for row in range(1, ROWS + 1)
    ]


def test_lines_that_overhang_into_a_gap_make_no_column_of_it() -> None:
    first = [
        Line(line.text, 1, line.left, 221.0 if row % 9 == 8 else line.right, line.bottom, line.height)
        for row, line in enumerate(_column("first", 69, 199))
    ]
    columns = [*first, *_column("second", 225, 350), *_column("third", 383, 510)]
    shuffled = sorted(columns, key=lambda line: -line.bottom)
    ordered = reading_order([Page(1, 612.0, 792.0, tuple(shuffled))])
    assert [line.text for line in ordered] == [line.text for line in columns]
    assert [line.column for line in ordered] == [0] * ROWS + [1] * ROWS + [2] * ROWS
