"""Reference lists as lines of text: find where each list begins and ends, and group its lines into entries.

Lines of a PDF have coordinates in points. In a text file, a line's left edge is its number of leading spaces.
"""

from typing import NamedTuple


class Line(NamedTuple):
    """One line of a page or of a text file. Lengths are in points (1/72 inch) or, in a text file, in characters.

    It is a tuple because a paper has thousands: creating a frozen dataclass takes ten times as long.
    """

    text: str
    number: int  # page of a PDF or line of a text file, counted from 1
    left: float = 0.0
    right: float = 0.0
    bottom: float = 0.0  # distance from the bottom of the page; it decreases from line to line
    height: float = 1.0  # height of the line, which grows with the font size
    column: int = 0  # column of the page, counted from 0
    broken_word: bool = False  # whether a hyphen ended the line. It may be part of a compound or divide a word
    link: str = ""  # address of the DOI or arXiv paper to which the text links
