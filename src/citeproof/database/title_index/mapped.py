"""Read a title index as arrays, most of them memory-mapped.

The checksum of a block is verified when the block is first read.
"""

from array import array
from bisect import bisect_left, bisect_right
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citeproof.database.title_index import format as layout
from citeproof.database.title_index import signature
from citeproof.database.title_index.column import Column, Integers, Storage
from citeproof.database.title_index.format import ROW, SECTIONS
from citeproof.database.title_index.signature import Pairs
from citeproof.database.title_index.texts import Texts
from citeproof.store.sqlite import identity
from citeproof.text import normalize

Words = NDArray[np.uint64]


class TitleIndex:
    """A title index, open for reading.

    Thread-safe. Most of the file is mapped into memory that processes share.

    The titles in a *row* have the same length, the same number of bytes per letter, and the same
    *balance*. The balance is the number of letters from one half of the alphabet. Titles have
    numbers from 0, in the order of the file.
    """

    def __init__(self, path: Path) -> None:
        """Open ``path``.

        Raises :class:`UnusableIndexError` if the file is incomplete, damaged or outdated.
        """
        try:
            if path.exists() and not path.is_file():  # reading from a pipe would block for ever
                raise layout.UnusableIndexError("is not a regular file")
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
                self._file = Storage(file.fileno())
        except FileNotFoundError:
            raise layout.UnusableIndexError("missing") from None
        except (OSError, ValueError) as error:
            raise layout.UnusableIndexError(f"cannot be mapped into memory: {error}") from None
        self._load()

    def verify(self) -> None:
        """Verify the checksum of every block of the file.

        Raises :class:`UnusableIndexError` if a block is damaged.
        """
        for column in self._columns:
            column.run(0, len(column))

    @property
    def blocks_read(self) -> int:
        """Number of blocks of the file that were read since the file was opened."""
        return sum(column.blocks_read for column in self._columns)

    def require_whole(self) -> None:
        """Raise :class:`UnusableIndexError` if the file was truncated.

        A read of the missing part would kill the process.
        """
        if self._file.mapped.size() < self.header.size:
            raise layout.UnusableIndexError(
                "was written over while in use; put a new file in its place with mv"
            )

    def _load(self) -> None:
        columns = {
            name: Column(self._file, self.header.sections[name], dtype, name)
            for name, dtype in SECTIONS.items()
        }
        self._columns = tuple(columns.values())
        rows, pairs = columns["rows"], columns["pairs"]
        self.cyclic, self.near, self.far = (columns[name] for name in ("cyclic", "near", "far"))
        self._starts, self._ids = columns["starts"], columns["ids"]
        self._more_ids = columns["more_ids"]
        self.main_hash, self.main_title = columns["main_hash"], columns["main_title"]
        table, tuned = rows.run(0, len(rows)), pairs.run(0, len(pairs))
        length, balance, width, count = (table[name].astype(np.int64) for name in ROW.names or ())
        starts = np.concatenate(([0], np.cumsum(count)))
        self.row_length = _compact(length)
        self.row_start = _compact(starts)
        """Number of the first title of each row. The last item is the number of all titles."""
        self._row_key = _compact((length << 32) | balance)
        self._row_keys = np.frombuffer(self._row_key, np.int64)
        self._row_starts = np.frombuffer(self.row_start, np.int64)
        self._texts = Texts(columns, width, self._row_starts)
        self.lengths = length[np.diff(length, prepend=-1) > 0]
        self._pair_lengths = tuned["length"].astype(np.int64)
        self._pairs = Pairs(tuned["classes"], tuned["counts"])

    def __len__(self) -> int:
        return self.header.titles

    def sign(self, lengths: Integers, counts: Integers) -> tuple[Words, Words]:
        """Return the two tuned words of the signature for the letter ``counts``, as two arrays with
        a 64-bit word for each of the title ``lengths``.
        """
        classes = self._pair_lengths.searchsorted(lengths, "right") - 1
        first, last = (classes.min(), classes.max() + 1) if len(classes) else (0, 0)
        pairs = Pairs(self._pairs.classes[first:last], self._pairs.counts[first:last])
        near, far = pairs.sign(counts)[classes - first].T
        return near, far

    def pieces(
        self, lengths: Integers, lowest: Integers, highest: Integers
    ) -> list[tuple[int, int]]:
        """Return a half-open range of title numbers for each of the ``lengths``: the titles whose
        balance is from ``lowest`` to ``highest``.
        """
        base = lengths << 32
        first = self._row_starts[self._row_keys.searchsorted(base + np.maximum(lowest, 0))]
        last = self._row_starts[self._row_keys.searchsorted(base + highest + 1)]
        return list(zip(first.tolist(), last.tolist(), strict=True))

    def titles(self, length: int, balance: int) -> tuple[int, int]:
        """Return the half-open range of the numbers of titles with this length and balance."""
        key = (length << 32) | balance
        first = bisect_left(self._row_key, key)
        return self.row_start[first], self.row_start[bisect_left(self._row_key, key + 1, first)]

    def normalized(self, title: int) -> str:
        """Return the normalised text of the title with the number ``title``."""
        return self._texts.text_of(title, bisect_right(self.row_start, title) - 1)

    def texts(self, titles: Integers, most: int | None = None) -> list[str]:
        """Return the text, or the first ``most`` letters, of each of ``titles``."""
        return self._texts.texts(titles, most)

    def record_ids(self, title: int) -> tuple[int, ...]:
        """Return the ids of the records that have the title with the number ``title``."""
        held = self._ids.item(title)
        if held < layout.SEVERAL:
            return (held,)
        several = held - layout.SEVERAL
        first, last = self._starts.run(several, several + 2).tolist()
        return tuple(self._more_ids.run(first, last).tolist())


def _compact(values: Integers) -> "array[int]":
    """Convert a numpy array to an ``array.array``, from which Python reads single items faster."""
    return array("q", values.tobytes())
