"""A section of a title index as an array, which is memory-mapped or read when needed.

The checksum of a block is verified when the block is first read.
"""

import mmap
import os
import sys
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import DTypeLike, NDArray

from citeproof.database.title_index import format as layout

Integers = NDArray[np.int64]
# maximum distance, in bytes, between two blocks that are read ahead by one request to the operating
# system
_APART = 1 << 16


class Storage:
    """The file of a title index, open for reading."""

    def __init__(self, descriptor: int) -> None:
        """``descriptor`` is the file descriptor of the file. It may be closed after this call."""
        self.mapped = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        self.read: Callable[[int, int], bytes] = lambda size, at: self.mapped[at : at + size]
        """Function ``read(size, at)`` that returns ``size`` bytes from the offset ``at``, without
        mapping the bytes around them into memory.
        """
        if sys.platform != "win32":
            # otherwise, the first read of a page also reads the pages around it
            self.mapped.madvise(mmap.MADV_RANDOM)
            own = os.dup(descriptor)
            finalize(self, os.close, own)
            self.read = partial(os.pread, own)


class Column:
    """A section of a title index as an array.

    The checksum of a block is verified when the block is first read.
    """

    def __init__(self, file: Storage, section: layout.Section, dtype: DTypeLike, name: str) -> None:
        data, item = file.mapped, np.dtype(dtype).itemsize
        self._values: NDArray[Any] = np.frombuffer(
            data, dtype, section.size // item, section.offset
        )
        self._file = file
        self._offset = section.offset
        self._size = section.size
        table = memoryview(data)[section.sums : section.sums + 4 * section.blocks]
        if zlib.crc32(table) != section.checksum:
            raise layout.UnusableIndexError(f"damaged checksums of section {name}")
        self._sums = np.frombuffer(data, "<u4", section.blocks, section.sums)
        self._block = section.block
        self._item = item
        self._per_block = section.block // item
        self._name = name
        self._seen = bytearray(section.blocks)
        self._seen_array = np.frombuffer(self._seen, np.uint8)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def blocks_read(self) -> int:
        """Number of blocks that were read, and whose checksums were verified."""
        return self._seen.count(1)

    def run(self, first: int, last: int) -> NDArray[Any]:
        """Return the values ``[first:last]`` of the array."""
        block = first * self._item // self._block
        end = -(-last * self._item // self._block)
        if self._seen.find(0, block, end) >= 0:
            self._check(range(block, end))
        return self._slice(first, last)

    def item(self, index: int) -> int:
        """Return the value at position ``index`` of the array."""
        return int(self.run(index, index + 1)[0])

    def take(self, indexes: Integers) -> NDArray[Any]:
        """Return the values at the positions ``indexes`` of the array."""
        self._require(indexes // self._per_block)
        return self._values.take(indexes)

    def pieces(self, firsts: Integers, lasts: Integers) -> list[bytes]:
        """Return the bytes of the values ``[first:last]`` of the array, for each pair of ``firsts``
        and ``lasts``.
        """
        sizes = lasts - firsts
        if int(sizes.max()) > self._per_block:
            bounds = zip(firsts.tolist(), lasts.tolist(), strict=True)
            return [self.run(first, last).tobytes() for first, last in bounds]
        self._require(np.concatenate((firsts, np.maximum(lasts - 1, firsts))) // self._per_block)
        places = self._offset + firsts * self._item
        return list(map(self._file.read, (sizes * self._item).tolist(), places.tolist()))

    def release(self) -> None:
        """Give the mapped pages back to the operating system, which keeps them in its cache."""
        if sys.platform == "linux":
            first = self._offset - self._offset % mmap.PAGESIZE
            self._file.mapped.madvise(mmap.MADV_DONTNEED, first, self._size)

    def _slice(self, first: int, last: int) -> NDArray[Any]:
        if self._name not in layout.SCATTERED:
            return self._values[first:last]
        size, start = (last - first) * self._item, self._offset + first * self._item
        return np.frombuffer(self._file.read(size, start), self._values.dtype)

    def _require(self, blocks: Integers) -> None:
        if not self._seen_array.take(blocks).all():
            self._check(sorted(set(blocks.ravel().tolist())))  # `np.unique` would import numpy.ma

    def _check(self, blocks: range | list[int]) -> None:
        unseen = [block for block in blocks if not self._seen[block]]
        if len(unseen) * self._block > layout.PAGE:  # a single page is always read as a whole
            self._read_ahead(unseen)
        for block in unseen:
            first = block * self._block
            last = min(first + self._block, self._size)
            found = zlib.crc32(self._file.read(last - first, self._offset + first))
            if found != self._sums[block]:
                raise layout.UnusableIndexError(f"damaged at block {block} of section {self._name}")
            self._seen[block] = 1

    def _read_ahead(self, blocks: list[int]) -> None:
        """Ask the operating system to read the blocks with the ascending numbers ``blocks`` into
        the page cache.
        """
        start = 0
        for end, block in enumerate(blocks, 1):
            if end == len(blocks) or (blocks[end] - block) * self._block > _APART:
                first = self._offset + blocks[start] * self._block
                size = (block - blocks[start] + 1) * self._block
                if sys.platform != "win32":
                    self._file.mapped.madvise(
                        mmap.MADV_WILLNEED, first - first % mmap.PAGESIZE, size
                    )
                start = end
