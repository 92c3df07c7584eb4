"""A line of text with its place."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """One line of a page or of a text file. Lengths are in points (1/72 inch) or, in a text file, in characters.

    A paper has thousands, hence a tuple: a frozen dataclass takes ten times as long to make.
    """

    text: str
    number: int
    """Page of a PDF or line of a text file, counted from 1."""
    left: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    """Distance from the foot of the page: it falls from line to line."""
    height: float = 1.0
    """Grows with the size of the letters."""
    column: int = 0
    """Of its page, counted from 0."""
    broken_word: bool = False
    """A hyphen stood at its end: it breaks a word, or belongs to it."""
