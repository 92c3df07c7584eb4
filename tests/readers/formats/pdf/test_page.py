"""Lines of a page as they were meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from citeproof.readers.formats.pdf.page import (
    _BITMAP_SIGN,
    _decoded,
    _with_accents,
    read_pages,
    without_pieces,
)
from citeproof.readers.lists import Line
from tests.readers.formats.pdf.typeset import Text, pdf

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage


class Drawn:
    """A page on which each character has its left and right edge; all letters are as high."""

    def __init__(self, *edges: tuple[float, float]) -> None:
        self._edges = edges

    def get_charbox(self, place: int) -> tuple[float, float, float, float]:
        left, right = self._edges[place]
        return left, 100.0, right, 106.6


@pytest.mark.parametrize(
    ("written", "edges", "read"),
    [
        ("M ¨ ul", [(10, 18), (18, 18), (20, 22), (22, 22), (18.2, 23), (23, 24)], "Mül"),
        (
            "A. ¨ ul",
            [(10, 15), (15, 16), (18, 18), (21, 23), (23, 23), (19.5, 24), (24, 25)],
            "A. ül",
        ),
        (
            "ar ´ ´ıj",
            [(5, 9), (10, 13), (13, 13), (6, 8), (8, 8), (13.5, 15), (13.2, 15.5), (15.6, 17)],
            "áríj",
        ),
        ("er ¨ (", [(4, 8), (8, 9), (9, 9), (5, 7), (7, 7), (13, 14)], "ër ("),
        ("¨ a", [(6, 8), (8, 8), (5, 9)], "ä"),
        ("a ¨", [(5, 9), (9, 9), (6, 8)], "ä"),
    ],
    ids=[
        "drawn first",
        "between words",
        "two in a row",
        "drawn last",
        "at the beginning",
        "at the end",
    ],
)
def test_with_accents_an_accent_drawn_apart_parts_no_word(
    written: str, edges: list[tuple[float, float]], read: str
) -> None:
    assert _with_accents(cast("PdfTextPage", Drawn(*edges)), written, range(len(written))) == read


def piece(text: str, left: float, right: float, bottom: float = 100) -> Line:
    return Line(text, 1, left, right, bottom, height=10)


def test_without_pieces_joins_a_line_at_a_lowered_quotation_mark() -> None:
    parted = [
        piece("Lee, A.:", 72, 110),
        piece("”", 113, 118, 94),
        piece("Das Haus“. In:", 118, 190),
    ]
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
    lines = [
        piece("Lee, A.: ”Das Haus“, ”Der Hof“.", 72, 190),
        piece("Lee, A.: “The house.” In:", 72, 190, 88),
    ]
    assert [line.text for line in without_pieces(lines)] == [
        "Lee, A.: „Das Haus“, „Der Hof“.",
        lines[1].text,
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (
            'Ein Spa\x19 f\x7fur o\x0ezielle Ru\rin, \x0cn 3{4\r\n\\so"',
            "Ein Spaß f¨ur oﬃzielle Ruﬂin, ﬁn 3–4\r\n“so”",
        ),
        (
            "Ein Spaÿ für o\x1ezielle Ru\x1din 3\x154\r\n\x12so\x10",
            "Ein Spaß für oﬃzielle Ruﬂin 3–4\r\n„so“",
        ),
    ],
    ids=["OT1", "T1"],
)
def test_decoded_tells_the_encodings_of_tex_apart(written: str, read: str) -> None:
    assert _decoded(written) == read


def test_other_texts_have_no_sign_of_bitmap_fonts() -> None:
    assert not _BITMAP_SIGN.search("Ein Spaß\r\nfür 3–4\ufffe\x02")


@pytest.mark.parametrize(
    ("bitmaps", "read"),
    [(True, "Lee, A. Efficient streets of Gießen, 3–4."), (False, "Lee, A. E cient streets of")],
)
def test_read_pages_decodes_bitmap_fonts_only(bitmaps: bool, read: str) -> None:
    line = Text(72, 700, "Lee, A. E\x0ecient streets of Gie\x19en, 3{4.")
    (page,) = read_pages(pdf([[line]], bitmaps=bitmaps))
    assert page.lines[0].text.startswith(read)


def test_read_pages_only_a_gap_unlike_the_others_of_its_line_divides_it() -> None:
    stretched = [
        Text(72, 700, "conference,"),
        Text(150, 700, "289-301,"),
        Text(215, 700, "2013."),
    ]
    columns = [Text(72, 600, "one line of a column"), Text(200, 600, "and its neighbour")]
    (page,) = read_pages(pdf([[*stretched, *columns]]))
    assert [line.text for line in page.lines] == [
        "conference, 289-301, 2013.",
        "one line of a column",
        "and its neighbour",
    ]


@pytest.mark.parametrize(("gap", "count"), [(12, 1), (22, 2)])
def test_read_pages_divides_a_line_at_a_gap_wider_than_one_and_a_half_lines(
    gap: float, count: int
) -> None:
    left = Text(72, 700, "Words of the left column")
    (page,) = read_pages(pdf([[left]]))
    right = Text(page.lines[0].right + gap, 700, "words of the right column")
    (page,) = read_pages(pdf([[left, right]]))
    assert len(page.lines) == count
