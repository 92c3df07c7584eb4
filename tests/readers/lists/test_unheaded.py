"""Where a list without a heading begins."""

from __future__ import annotations

import pytest

from citeproof.readers.lists.lines import Line
from citeproof.readers.lists.unheaded import beginning

TEXT = ["Words of the paper.", "In 1984, D. Knuth said so.", "D. E. Knuth, in 1984, said so."]
NAMED = "Knuth, D. E. The art of programming. 1968."


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ([*TEXT, *[NAMED] * 5], 2),
        ([*TEXT, *["plain words"] * 9, *[NAMED] * 5], 12),
        ([*TEXT, *["plain words"] * 9, *[NAMED] * 5, *["a figure"] * 30, *[NAMED] * 3], 12),
        (["[1] Knuth. The art", "of programming. 1968."] * 5, 0),
        ([*TEXT[:2], *["Donald Knuth and Ann Lee.", "1984. The art."] * 5], 2),
        (TEXT * 4, None),
        ([NAMED] * 4, None),
        ([*["plain words"] * 9, NAMED] * 9, None),
        ([], None),
    ],
)
def test_it_begins_where_five_lines_near_each_other_begin_as_references(written: list[str], place: int | None) -> None:
    assert beginning([Line(text, 1) for text in written]) == place
