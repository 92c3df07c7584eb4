"""Titles on their way into an index, put aside on disk by length so that memory stays bounded."""

from __future__ import annotations

from array import array
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from citeproof.bibdb.title_index.format import CODECS, letter_width

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Group(NamedTuple):
    """All titles of one length and letter width, in the order in which they were added."""

    text: NDArray[np.uint8]
    """One row of bytes a title."""
    ids: NDArray[np.int64]
    mains: NDArray[np.uint16]
    """Letters of the main title; 0 where the title has none of its own."""

    def taken(self, chosen: NDArray[np.int64]) -> Group:
        """Return the titles at the places ``chosen``."""
        return Group(self.text[chosen], self.ids[chosen], self.mains[chosen])


class _Buffer:
    """What memory holds of one group."""

    __slots__ = ("ids", "mains", "text")

    def __init__(self) -> None:
        self.text = bytearray()
        self.ids = array("q")
        self.mains = array("H")


class Spill:
    """A scratch file of titles, grouped by length and letter width."""

    def __init__(self, file: IO[bytes], memory: int = 64 << 20) -> None:
        """Use ``file``, open for reading and writing, as soon as ``memory`` bytes of text have come."""
        self._file = file
        self._memory = memory
        self._buffers: dict[tuple[int, int], _Buffer] = {}
        self._size = 0
        self._chunks: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def add(self, text: str, record_id: int, main: int) -> None:
        """Put one normalised title aside; ``main`` is the length of its main title, or 0."""
        width = letter_width(text)
        key = (len(text), width)
        buffer = self._buffers.get(key)
        if buffer is None:
            buffer = self._buffers[key] = _Buffer()
        buffer.text += text.encode(CODECS[width])
        buffer.ids.append(record_id)
        buffer.mains.append(main)
        self._size += len(text) * width + 10
        if self._size >= self._memory:
            self._flush()

    def counts(self) -> dict[tuple[int, int], int]:
        """Return how many titles there are of each length and letter width, in ascending order."""
        self._flush()
        return {key: sum(count for _, count in self._chunks[key]) for key in sorted(self._chunks)}

    def read(self, length: int, width: int) -> Group:
        """Return all titles of one length and letter width."""
        self._flush()
        size = length * width
        texts, ids, mains = bytearray(), bytearray(), bytearray()
        for offset, count in self._chunks[length, width]:
            self._file.seek(offset)
            texts += self._file.read(count * size)
            ids += self._file.read(count * 8)
            mains += self._file.read(count * 2)
        number = len(ids) // 8
        return Group(
            np.frombuffer(texts, np.uint8).reshape(number, size),
            np.frombuffer(ids, np.int64),
            np.frombuffer(mains, np.uint16),
        )

    def _flush(self) -> None:
        if not self._buffers:
            return
        self._file.seek(0, 2)
        for key, buffer in self._buffers.items():
            self._chunks.setdefault(key, []).append((self._file.tell(), len(buffer.ids)))
            self._file.write(buffer.text)
            self._file.write(buffer.ids.tobytes())
            self._file.write(buffer.mains.tobytes())
        self._buffers.clear()
        self._size = 0
