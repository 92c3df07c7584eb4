"""Lines of a page as they were meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from citeproof.readers.formats.pdf.page import _with_accents

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
        ("A. ¨ ul", [(10, 15), (15, 16), (18, 18), (21, 23), (23, 23), (19.5, 24), (24, 25)], "A. ül"),
        (
            "ar ´ ´ıj",
            [(5, 9), (10, 13), (13, 13), (6, 8), (8, 8), (13.5, 15), (13.2, 15.5), (15.6, 17)],
            "áríj",
        ),
        ("er ¨ (", [(4, 8), (8, 9), (9, 9), (5, 7), (7, 7), (13, 14)], "ër ("),
    ],
    ids=["drawn first", "between words", "two in a row", "drawn last"],
)
def test_an_accent_drawn_apart_parts_no_word(written: str, edges: list[tuple[float, float]], read: str) -> None:
    assert _with_accents(cast("PdfTextPage", Drawn(*edges)), written, range(len(written))) == read
