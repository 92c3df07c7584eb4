"""Read a title index as memory-mapped arrays.

The checksum of a block is verified when the block is first read.
"""

import mmap
import sys
import zlib
from array import array
from bisect import bisect_left, bisect_right
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from citeproof.database.title_index import format as layout
from citeproof.database.title_index import signature
from citeproof.database.title_index.format import CODECS, ROW, SECTIONS
from citeproof.database.title_index.signature import Pairs
from citeproof.store.sqlite import identity
from citeproof.text import normalize

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
# maximum distance, in bytes, between two blocks that one request to the operating system reads
_APART = 1 << 16


class Column:
    """A section of a title index as an array.

    The checksum of a block is verified when the block is first read.
    """

    def __init__(
        self, data: mmap.mmap, section: layout.Section, dtype: DTypeLike, name: str
    ) -> None:
        item = np.dtype(dtype).itemsize
        self._values: NDArray[Any] = np.frombuffer(
            data, dtype, section.size // item, section.offset
        )
        self._data = data
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

    def run(self, first: int, last: int) -> NDArray[Any]:
        """Return the values ``[first:last]`` of the array."""
        block = first * self._item // self._block
        end = -(-last * self._item // self._block)
        if self._seen.find(0, block, end) >= 0:
            self._check(range(block, end))
        return self._values[first:last]

    def item(self, index: int) -> int:
        """Return the value at position ``index`` of the array."""
        return int(self.run(index, index + 1)[0])

    def take(self, indexes: Integers) -> NDArray[Any]:
        """Return the values at the positions ``indexes`` of the array."""
        self._require(indexes // self._per_block)
        return self._values.take(indexes)

    def unchecked(self, first: int, last: int) -> bytes:
        """Return the bytes ``[first:last]`` of the section. Checksums are not verified."""
        return self._data[self._offset + first : self._offset + last]

    def raw(self, first: int, last: int) -> bytes:
        """Return the bytes ``[first:last]`` of the section."""
        block = first // self._block
        end = -(-last // self._block)
        if self._seen.find(0, block, end) >= 0:
            self._check(range(block, end))
        return self.unchecked(first, last)

    def gathered(self, firsts: Integers, sizes: Integers) -> NDArray[np.uint8] | None:
        """Return a matrix of bytes: row ``i`` has ``sizes[i]`` bytes from offset ``firsts[i]`` on,
        padded with zeros.

        Return None if a row is longer than a block, or too near to the end of the section to be
        read with padding.
        """
        size = int(sizes.max())
        if size > self._block or firsts.max() > self._size - size:
            return None
        self._require(np.concatenate((firsts, np.maximum(firsts + sizes - 1, 0))) // self._block)
        every = np.ndarray((self._size - size + 1,), f"V{size}", self._data, self._offset, (1,))
        rows: NDArray[np.uint8] = every[firsts].view(np.uint8).reshape(len(firsts), size)
        if (sizes == size).all():
            return rows
        own = np.arange(size, dtype=np.uint16) < sizes.astype(np.uint16)[:, None]
        return np.multiply(rows, own.view(np.uint8), out=rows)

    def _require(self, blocks: Integers) -> None:
        if not self._seen_array.take(blocks).all():
            self._check(sorted(set(blocks.tolist())))

    def _check(self, blocks: range | list[int]) -> None:
        unseen = [block for block in blocks if not self._seen[block]]
        if len(unseen) * self._block > layout.PAGE:  # a page alone is read as a whole anyway
            self._read_ahead(unseen)
        for block in unseen:
            first = block * self._block
            if (
                zlib.crc32(self.unchecked(first, min(first + self._block, self._size)))
                != self._sums[block]
            ):
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
                    self._data.madvise(mmap.MADV_WILLNEED, first - first % mmap.PAGESIZE, size)
                start = end


class TitleIndex:
    """A title index, open for reading.

    Thread-safe. The file is mapped into memory that processes share.

    The titles in a *row* have the same length, the same number of bytes per letter, and the same
    *balance*. The balance is the number of letters from one half of the alphabet. Titles have
    numbers from 0, in the order of the file.
    """

    def __init__(self, path: Path) -> None:
        """Open ``path``.

        Raises :class:`UnusableIndexError` if the file is incomplete, damaged or outdated.
        """
        try:
            with path.open("rb") as file:
                self.identity = identity(file.fileno())
                self.header = layout.decode_header(file.read(layout.HEADER_ROOM))
                if self.identity.size != self.header.size:
                    raise layout.UnusableIndexError("cut short or not written to its end")
                if (self.header.normalization, self.header.signature) != (
                    normalize.VERSION,
                    signature.VERSION,
                ):
                    raise layout.UnusableIndexError(
                        "built by a version of citeproof that compares titles differently"
                    )
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                # else the first read of a page reads all that is around it
                if sys.platform != "win32":
                    data.madvise(mmap.MADV_RANDOM)
        except FileNotFoundError:
            raise layout.UnusableIndexError("missing") from None
        except (OSError, ValueError) as error:
            raise layout.UnusableIndexError(f"cannot be mapped into memory: {error}") from None
        self._data = data
        self._load(data)

    def verify(self) -> None:
        """Verify the checksum of every block of the file.

        Raises :class:`UnusableIndexError` if a block is damaged.
        """
        for column in self._columns:
            column.run(0, len(column))

    def require_whole(self) -> None:
        """Raise :class:`UnusableIndexError` if the file was truncated.

        Reading the missing part kills the process.
        """
        if self._data.size() < self.header.size:
            raise layout.UnusableIndexError(
                "was written over while in use; put a new file in its place with mv"
            )

    def _load(self, data: mmap.mmap) -> None:
        self._columns = [
            Column(data, self.header.sections[name], dtype, name)
            for name, dtype in SECTIONS.items()
        ]
        rows, pairs, *columns = self._columns
        (
            self.text,
            self.cyclic,
            self.near,
            self.far,
            self._starts,
            self._ids,
            self.main_hash,
            self.main_title,
        ) = columns
        table, tuned = rows.run(0, len(rows)), pairs.run(0, len(pairs))
        length, balance, width, count = (table[name].astype(np.int64) for name in ROW.names or ())
        starts = np.concatenate(([0], np.cumsum(count)))
        self.row_length = _compact(length)
        self.row_width = _compact(width)
        self.row_start = _compact(starts)
        """Number of the first title of each row. The last item is the number of all titles."""
        self.row_text = _compact(np.concatenate(([0], np.cumsum(count * length * width))))
        """Offset, in the section ``text``, at which the titles of each row begin, in bytes."""
        self._row_key = _compact((length << 32) | balance)
        self._row_keys = np.frombuffer(self._row_key, np.int64)
        self._row_starts = np.frombuffer(self.row_start, np.int64)
        self._row_texts = np.frombuffer(self.row_text, np.int64)
        self._row_widths = width
        self._row_bytes = length * width
        self.lengths = length[np.diff(length, prepend=-1) > 0]
        self._pair_lengths = tuned["length"].astype(np.int64)
        self._pairs = Pairs(tuned["classes"], tuned["counts"])

    def __len__(self) -> int:
        return self.header.titles

    def sign(self, lengths: Integers, counts: Integers) -> tuple[Words, Words]:
        """Return two arrays for the letter ``counts``: a 64-bit word of the signature for each of
        the ``lengths``.
        """
        classes = self._pair_lengths.searchsorted(lengths, "right") - 1
        first, last = (classes.min(), classes.max() + 1) if len(classes) else (0, 0)
        pairs = Pairs(self._pairs.classes[first:last], self._pairs.counts[first:last])
        near, far = pairs.sign(counts)[classes - first].T
        return near, far

    def pieces(
        self, lengths: Integers, lowest: Integers, highest: Integers
    ) -> list[tuple[int, int]]:
        """Return half-open ranges of title numbers: for each length, titles with balance ``lowest``
        to ``highest``.
        """
        base = lengths << 32
        first = self._row_starts[self._row_keys.searchsorted(base + np.maximum(lowest, 0))]
        last = self._row_starts[self._row_keys.searchsorted(base + highest + 1)]
        return list(zip(first.tolist(), last.tolist(), strict=True))

    def rows(self, length: int, balance: int) -> tuple[int, int]:
        """Return the half-open range of row numbers for titles with this length and balance."""
        key = (length << 32) | balance
        first = bisect_left(self._row_key, key)
        return first, bisect_left(self._row_key, key + 1, first)

    def text_of(self, title: int, row: int) -> bytes:
        """Return the encoded text of the title with the number ``title``, which is in row number
        ``row``.
        """
        size = self.row_length[row] * self.row_width[row]
        first = self.row_text[row] + (title - self.row_start[row]) * size
        return self.text.raw(first, first + size)

    def normalized(self, title: int) -> str:
        """Return the normalised text of the title with the number ``title``."""
        row = bisect_right(self.row_start, title) - 1
        return self.text_of(title, row).decode(CODECS[self.row_width[row]])

    def texts(self, titles: Integers, most: int | None = None) -> list[str | bytes]:
        """Return the text, or the first ``most`` letters, of each of ``titles``.

        Latin-1 texts may be ``bytes``.
        """
        rows = self._row_starts.searchsorted(titles, "right") - 1
        widths = self._row_widths.take(rows)
        if (widths == widths[0]).all():
            return self._same_width(titles, rows, most)
        texts = np.empty(len(titles), object)
        for width in CODECS:
            (some,) = (widths == width).nonzero()
            if len(some):
                texts[some] = self._same_width(titles[some], rows[some], most)
        every: list[str | bytes] = texts.tolist()
        return every

    def _same_width(self, titles: Integers, rows: Integers, most: int | None) -> list[str | bytes]:
        """Do the work of :meth:`texts` for titles with the same number of bytes per letter."""
        width, sizes = self.row_width[rows[0]], self._row_bytes.take(rows)
        firsts = self._row_texts.take(rows) + (titles - self._row_starts.take(rows)) * sizes
        if most is not None:
            sizes = np.minimum(sizes, most * width)
        letters = self.text.gathered(firsts, sizes) if sizes.all() else None
        if letters is None:
            return [self.normalized(title)[:most] for title in titles.tolist()]
        codes = letters if width == 1 else letters.view(f"<u{width}").astype(np.uint32)
        texts: list[str | bytes] = (
            codes.view(f"{'S' if width == 1 else 'U'}{codes.shape[1]}").ravel().tolist()
        )
        return texts

    def record_ids(self, title: int) -> tuple[int, ...]:
        """Return the ids of the records that have the title with the number ``title``."""
        first, last = self._starts.run(title, title + 2).tolist()
        return tuple(self._ids.run(first, last).tolist())


def _compact(values: Integers) -> "array[int]":
    """Convert a numpy array to an ``array.array``, from which Python reads single items faster."""
    return array("q", values.tobytes())
