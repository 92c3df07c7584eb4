"""Collect titles with bounded memory, in a temporary file that is grouped by the length of titles.

*Width* is the number of bytes per letter.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import ceil
from struct import Struct
from typing import IO

import numpy as np
from numpy.typing import NDArray

from citeproof.database.title_index.format import CODECS, letter_width
from citeproof.store.files import flush

Group = NDArray[np.void]
"""Array of all titles with the same length and the same number of bytes per letter, of type
:func:`_title_type`.
"""
# binary format of two numbers: record id, and length of the title before a subtitle
_NUMBERS = Struct("=qH")


def _title_type(length: int, width: int) -> np.dtype[np.void]:
    """Return the numpy type of a title of ``length`` letters with ``width`` bytes per letter.

    The fields are text, record id, and length of the part before a subtitle.
    """
    return np.dtype([("text", np.uint8, (length * width,)), ("id", np.int64), ("main", np.uint16)])


SpillChunk = tuple[int, int, int, int]
"""A part of a temporary file with titles of one length and width: length, width, and the offset and
size of the part in bytes.
"""


class Spill:
    """A temporary file of titles, grouped by length and by number of bytes per letter."""

    def __init__(
        self, file: IO[bytes], memory: int = 64 << 20, chunks: Sequence[SpillChunk] = ()
    ) -> None:
        """Use ``file``, opened for reading and writing.

        At most ``memory`` bytes of titles are kept in memory. If the file already has titles,
        ``chunks`` is the value that :meth:`checkpoint` returned for them.
        """
        self._file, self._memory = file, memory
        self._buffers: defaultdict[tuple[int, int], bytearray] = defaultdict(bytearray)
        self._size = 0
        # Map from length and letter width to the offsets and sizes, in bytes, of the titles in the
        # file.
        self._chunks: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        self._end = 0
        for length, width, position, size in chunks:
            self._chunks[length, width].append((position, size))
            self._end = max(self._end, position + size)

    def checkpoint(self) -> list[SpillChunk]:
        """Write all titles to the file.

        Return the parts of the file, with which a later :class:`Spill` can continue to use it.
        """
        self._flush()
        flush(self._file)
        return [(*key, *part) for key, parts in self._chunks.items() for part in parts]

    def add(self, text: str, record_id: int, main: int) -> None:
        """Add ``text``, the normalised title of the record ``record_id``.

        ``main`` is the length of the part before the subtitle, or 0 without a subtitle.
        """
        width = letter_width(text)
        title = text.encode(CODECS[width]) + _NUMBERS.pack(record_id, main)
        self._buffers[len(text), width] += title
        self._size += len(title)
        if self._size >= self._memory:
            self._flush()

    def counts(self) -> dict[tuple[int, int], int]:
        """Return a sorted map from (title length, bytes per letter) to number of titles."""
        self._flush()
        chunks = sorted(self._chunks.items())
        return {
            key: sum(size for _, size in parts) // _title_type(*key).itemsize
            for key, parts in chunks
        }

    def read(self, length: int, width: int, share: float = 1.0) -> Group:
        """Return the titles of ``length`` letters with ``width`` bytes per letter.

        If ``share`` is below 1, return only about this share of the titles, from the beginning of
        each stored part.
        """
        self._flush()
        item, titles = _title_type(length, width).itemsize, bytearray()
        for position, size in self._chunks[length, width]:
            self._file.seek(position)
            titles += self._file.read(ceil(share * size / item) * item)
        return np.frombuffer(titles, _title_type(length, width))

    def _flush(self) -> None:
        self._file.seek(self._end)
        for key, buffer in self._buffers.items():
            self._chunks[key].append((self._end, len(buffer)))
            self._end += self._file.write(buffer)
        self._buffers.clear()
        self._size = 0
