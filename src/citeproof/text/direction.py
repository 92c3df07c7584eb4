"""Marks that turn the direction of text: what stands behind one is shown in another order than it is written in."""

from __future__ import annotations

_MARKS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""The bidirectional control characters of Unicode (UAX #9, section 2), none of which takes a column."""


def without_marks(text: str) -> str:
    """Return ``text`` without these marks: on a terminal one in a title could turn round what is said of it."""
    return text if text.isascii() else text.translate(_MARKS)
