"""What every line of a text is: the texts in ``tests/data/lists``.

``lines.txt`` has short texts, and ``mails.txt`` lists of made references in mails and chat answers.

The first character of a line says what the line is: ``R`` begins a reference, ``+`` continues it,
``H`` heading, ``I`` introduction, ``T`` running text, ``F`` page furniture, ``U`` not understood.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from citeproof.model.account import LineKind
from citeproof.readers.lists.items import split_text

DATA = Path(__file__).parents[2] / "data" / "lists"
CASES = [
    case
    for name in ("lines.txt", "mails.txt")
    for case in (DATA / name).read_text("utf-8").rstrip("\n").split("\n=====\n")
]
SIGNS = {
    LineKind.HEADING: "H",
    LineKind.INTRODUCTION: "I",
    LineKind.TEXT: "T",
    LineKind.FURNITURE: "F",
    LineKind.UNKNOWN: "U",
}


def signs(text: str) -> list[str]:
    """Return the sign of each line of ``text``, and ``.`` for a blank line."""
    found = split_text(text)
    said = ["."] * (text.count("\n") + 1)
    for item in found.items:
        last = item.line + text.count("\n", item.begin, item.end)
        said[item.line - 1 : last] = ["R", *("+" * (last - item.line))]
    for other in found.others:
        said[other.line - 1] = SIGNS[other.kind]
    return said


@pytest.mark.parametrize("case", CASES)
def test_split_text_says_what_every_line_is(case: str) -> None:
    lines = case.split("\n")
    text = "\n".join(line[2:] for line in lines)
    expected = [line[0] for line in lines]
    assert "R" in expected
    assert signs(text) == expected
