"""Lines that pdfium parts at raised and lowered signs."""

from __future__ import annotations

from citeproof.readers.formats.pdf.pieces import without_pieces
from citeproof.readers.lists import Line


def piece(text: str, left: float, right: float, bottom: float = 100) -> Line:
    return Line(text, 1, left, right, bottom, height=10)


def test_without_pieces_joins_a_line_at_a_lowered_quotation_mark() -> None:
    parted = [piece("Lee, A.:", 72, 110), piece("”", 113, 118, 94), piece("Das Haus“. In:", 118, 190)]
    assert without_pieces(parted) == [piece("Lee, A.: „Das Haus“. In:", 72, 190)]


def test_without_pieces_finds_the_mark_at_the_beginning_of_a_line() -> None:
    parted = [piece("”", 72, 77, 94), piece("Das Haus“.", 77, 130)]
    assert without_pieces(parted) == [piece("„Das Haus“.", 72, 130)]


def test_without_pieces_leaves_columns_and_lines_below_alone() -> None:
    lines = [
        piece("left", 72, 290),
        piece("right", 300, 500),
        piece("below", 72, 200, 88),
        piece("short", 201, 230, 76),
    ]
    assert without_pieces(lines) == lines


def test_without_pieces_opens_a_quotation_in_a_whole_line() -> None:
    lines = [piece("Lee, A.: ”Das Haus“, ”Der Hof“.", 72, 190), piece("Lee, A.: “The house.” In:", 72, 190, 88)]
    assert [line.text for line in without_pieces(lines)] == ["Lee, A.: „Das Haus“, „Der Hof“.", lines[1].text]
