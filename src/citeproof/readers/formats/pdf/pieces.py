"""Join the pieces of lines that raised or lowered signs split: footnote marks, exponents, quotation marks.

German texts in TeX's older fonts have a lowered ``”`` for ``„``, and pdfium ends the line on both sides of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from citeproof.readers.lists import Line

_TOUCHING, _WORD_GAP = 0.15, 0.6
"""Maximum gaps between letters of a word and between words, as shares of the line's height."""
_RAISED = 0.8
"""Maximum rise or depth of a sign within a line, as a share of its height."""
_OPENING = re.compile(r"(?<![^\s(/])”(?=\w)")
"""Regex of a closing quotation mark where one opens."""


def without_pieces(lines: Iterable[Line]) -> list[Line]:
    """Return ``lines``, in drawing order, with the pieces of each line joined, and ``„`` where it is meant."""
    whole: list[Line] = []
    for line in lines:
        if whole and _goes_on(whole[-1], line):
            whole[-1] = _joined(whole[-1], line)
        else:
            whole.append(line)
    return [line._replace(text=_OPENING.sub("„", line.text)) if "”" in line.text else line for line in whole]


def _goes_on(before: Line, line: Line) -> bool:
    """Return whether ``line`` begins where ``before`` ends, at about the same height."""
    height = max(before.height, line.height)
    return (
        -_TOUCHING * height < line.left - before.right < _WORD_GAP * height
        and abs(line.bottom - before.bottom) < _RAISED * height
        and not before.broken_word
    )


def _joined(before: Line, line: Line) -> Line:
    height = max(before.height, line.height)
    main = before if len(before.text) >= len(line.text) else line
    space = " " if line.left - before.right > _TOUCHING * height else ""
    text = f"{before.text}{space}{line.text}"
    link = before.link or line.link
    return line._replace(text=text, left=before.left, bottom=main.bottom, height=main.height, link=link)
