"""Count and number the lines of a text."""

from collections.abc import Iterator


class LineCounter:
    """Gives the line numbers of offsets in ``text``.

    The offsets must be given in ascending order.
    """

    def __init__(self, text: str) -> None:
        self._text, self._line, self._counted = text, 1, 0

    def of(self, position: int) -> int:
        """Return the number of the line, counted from 1, that contains the offset ``position``."""
        self._line += self._text.count("\n", self._counted, position)
        self._counted = position
        return self._line


def numbered_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield line number (from 1), offset and text of each line that is not blank."""
    position = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, position, line
        position += len(line) + 1
