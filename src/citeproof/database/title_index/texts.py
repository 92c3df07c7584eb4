"""The texts of a title index, read from the numbers of their words."""

from functools import cached_property

import numpy as np

from citeproof.database.title_index.column import Column, Integers
from citeproof.database.title_index.format import CODECS, LONG, OFFSET_EVERY
from citeproof.database.title_index.words import Words

_END = "\n".encode(CODECS[2])
"""Code of the line feed, which no normalised title has. It separates titles that are decoded
together.
"""


class Texts:
    """The normalised titles of an index."""

    # Example: title 35 is in the group of titles 32 to 47. The offset of the group is 400, and the
    # sizes of titles 32 to 34 are 10, 12 and 9. Title 35 begins at unit 431. A size of 255 stands
    # for a longer title, whose size is in `long_size`.

    def __init__(self, columns: dict[str, Column], widths: Integers, starts: Integers) -> None:
        """``columns`` maps the names of sections to sections. ``widths`` has the number of bytes
        per letter for each row of titles, and ``starts`` the number of the first title of each row.
        """
        self._units, self._sizes, self._offsets = (
            columns[name] for name in ("text", "sizes", "offsets")
        )
        self._columns, self._widths, self._starts = columns, widths, starts

    def text_of(self, title: int, row: int) -> str:
        """Return the text of the title with the number ``title``, which is in row ``row``."""
        first = title - title % OFFSET_EVERY
        sizes = self._sizes.run(first, title + 1).tolist()
        if LONG in sizes:
            sizes = [self._long.get(first + at, size) for at, size in enumerate(sizes)]
        begin = self._offsets.item(title // OFFSET_EVERY) + sum(sizes[:-1])
        units = self._units.run(begin, begin + sizes[-1]).tobytes()
        return self._decoded(units, int(self._widths[row]))

    def texts(self, titles: Integers, most: int | None = None) -> list[str]:
        """Return the text, or the first ``most`` letters, of each of ``titles``."""
        groups = titles // OFFSET_EVERY
        firsts = groups * OFFSET_EVERY
        places = firsts[:, None] + np.arange(OFFSET_EVERY)
        sizes = self._sizes.take(np.minimum(places, len(self._sizes) - 1)).astype(np.int64)
        for at in zip(*(sizes == LONG).nonzero(), strict=True):
            sizes[at] = self._long.get(int(places[at]), LONG)
        own = titles - firsts
        ends = sizes.cumsum(1)[np.arange(len(titles)), own] + self._offsets.take(groups)
        begins = ends - sizes[np.arange(len(titles)), own]
        widths = self._widths.take(self._starts.searchsorted(titles, "right") - 1)
        pieces = self._units.pieces(begins, ends)
        if (widths == 1).all():  # to decode all titles together takes a fifth of the time
            return [text[:-1][:most] for text in self._spelled(_END.join(pieces)).split("\n")]
        return [text[:most] for text in map(self._decoded, pieces, widths.tolist())]

    def _decoded(self, units: bytes, width: int) -> str:
        return self._spelled(units)[:-1] if width == 1 else units.decode(CODECS[width])

    def _spelled(self, units: bytes) -> str:
        return self._words.decode(units)

    @cached_property
    def _words(self) -> Words:
        data = self._columns["words"]
        text = data.run(0, len(data)).tobytes().decode(CODECS[1])
        return Words(text.split("\n") if text else ())

    @cached_property
    def _long(self) -> dict[int, int]:
        titles, sizes = self._columns["long_title"], self._columns["long_size"]
        return dict(
            zip(titles.run(0, len(titles)).tolist(), sizes.run(0, len(sizes)).tolist(), strict=True)
        )
