"""The order in which the lines of pages are read."""

from dataclasses import replace

from citeproof.readers.formats.pdf.page import Page
from citeproof.readers.formats.pdf.reading_order import reading_order
from citeproof.readers.lists import Line

ROWS = 36


def _overhanging(name: str, left: float, right: float) -> list[Line]:
    """Return lines of which every sixth begins ten points further left."""
    return [
        Line(f"{name}{row}", 1, left - 10 * (row % 6 == 0), right, 700.0 - 12 * row, 8.0)
        for row in range(1, ROWS + 1)
    ]


def test_lines_that_overhang_into_a_gap_make_no_column_of_it() -> None:
    first = [
        Line(
            line.text, 1, line.left, 221.0 if row % 9 == 8 else line.right, line.bottom, line.height
        )
        for row, line in enumerate(_overhanging("first", 69, 199))
    ]
    columns = [*first, *_overhanging("second", 225, 350), *_overhanging("third", 383, 510)]
    shuffled = sorted(columns, key=lambda line: -line.bottom)
    ordered = reading_order([Page(1, 612.0, 792.0, tuple(shuffled))])
    assert [line.text for line in ordered] == [line.text for line in columns]
    assert [line.column for line in ordered] == [0] * ROWS + [1] * ROWS + [2] * ROWS


def _set(text: str, left: float, bottom: float, page: int, width: float = 200) -> Line:
    return Line(text, page, left, left + width, bottom, height=10)


def _columns_of(page: int, *counts: int) -> Page:
    """Return a page with a column of as many lines as each of ``counts``: ``2 right 1``..."""
    sides = zip((72, 312), ("left", "right"), counts, strict=True)
    lines = (
        _set(f"{page} {side} {row}", left, 700 - 12 * row, page)
        for left, side, count in sides
        for row in range(count)
    )
    return Page(page, 612.0, 792.0, tuple(lines))


def test_reading_order_leaves_out_line_numbers_beside_the_text() -> None:
    rows = [
        line
        for row in range(12)
        for line in (
            _set(str(340 + 5 * row), 40, 700 - 12 * row, 1, 20),
            _set(f"Words of row {row}.", 72, 700 - 12 * row, 1, 400),
        )
    ]
    numbered = reading_order([Page(1, 612.0, 792.0, tuple(rows))])
    assert [line.text for line in numbered] == [f"Words of row {row}." for row in range(12)]
    labelled = [row._replace(text="7") if row.text.isdecimal() else row for row in rows]
    kept = reading_order([Page(1, 612.0, 792.0, tuple(labelled))])
    assert [line.text for line in kept] == [f"7 Words of row {row}." for row in range(12)]


def test_reading_order_keeps_the_columns_of_the_page_before() -> None:
    ordered = reading_order([_columns_of(1, 20, 20), _columns_of(2, 30, 2)])
    assert [(line.text, line.column) for line in ordered[-3:]] == [
        ("2 left 29", 0),
        ("2 right 0", 1),
        ("2 right 1", 1),
    ]


def test_reading_order_ends_the_columns_where_lines_cross_their_gap() -> None:
    whole = Page(
        2, 612.0, 792.0, tuple(_set("whole", 72, 700 - 9 * row, 2, 460) for row in range(9))
    )
    ordered = reading_order([_columns_of(1, 20, 20), whole, _columns_of(3, 30, 2)])
    assert {line.column for line in ordered if line.number > 1} == {0}


def test_reading_order_ends_three_columns_where_lines_cross_one_of_their_gaps() -> None:
    first, second = (
        Page(number, 612.0, 792.0, tuple(lines))
        for number, sides in (
            (1, ((72, 150), (252, 150), (432, 150))),
            (2, ((72, 330), (432, 150))),
        )
        for lines in [
            [
                _set(f"{left} {row}", left, 700 - 12 * row, number, width)
                for left, width in sides
                for row in range(20)
            ]
        ]
    )
    ordered = reading_order([first, second])
    assert {line.column for line in ordered if line.number == 1} == {0, 1, 2}
    assert {line.column for line in ordered if line.number == 2} == {0, 1}


def test_reading_order_leaves_out_heads_with_a_page_number_on_either_side() -> None:
    heads = {1: "7 Draft of 2020", 2: "Draft of 2020 8", 3: "Draft of 2020"}
    pages = [
        replace(page, lines=(*page.lines, _set(head, 72, 30, number, 400)))
        for number, head in heads.items()
        for page in [_columns_of(number, 20, 20)]
    ]
    ordered = reading_order(pages)
    assert len(ordered) == 120
    assert not any("Draft" in line.text for line in ordered)


def test_reading_order_keeps_lines_of_the_list_that_look_like_page_numbers_or_heads() -> None:
    rows = ["Lee, A.: On sheep. In: Sheep. pp.", "1–{} (200{}).", "Fox, B.: On lambs. Snow. arXiv"]
    pages = [
        Page(
            number,
            600,
            800,
            (
                Line("7", number, left=290, right=300, bottom=30, height=10),
                *(
                    Line(text.format(number, number), number, 50, 200, 100 - 12 * place, 10)
                    for place, text in enumerate([*rows[2:], "preprint, 2003.", *rows[:2]])
                ),
            ),
        )
        for number in (1, 2, 3)
    ]
    assert [line.text for line in reading_order(pages)][:5] == [
        "Fox, B.: On lambs. Snow. arXiv",
        "preprint, 2003.",
        "Lee, A.: On sheep. In: Sheep. pp.",
        "1–1 (2001).",
        "Fox, B.: On lambs. Snow. arXiv",
    ]
