"""Sort pairs of a 32-bit key and a record id with bounded memory, for the indexes of authors and
identifiers.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

import numpy as np
from numpy.typing import NDArray

from citeproof.database.author_index import is_new
from citeproof.store.files import flush

Pairs = NDArray[np.uint64]
"""Pairs as numbers: the key in the upper 32 bits, the record id in the lower 32 bits."""
Keys = tuple[bytes, bytes]
"""Two strings of 32-bit numbers as bytes: the keys of consecutive records, and the number of keys
of each record.
"""
_PIECE = 1 << 20  # number of pairs that are sorted in memory at a time, 8 bytes per pair
# number of ranges into which the 32-bit keys are divided; only one range is in memory at a time
RANGES = 64
"""Number of ranges into which the 32-bit keys are divided. The first six bits of a key are the
number of its range.
"""


def keys_in_bytes(keys: Iterable[int], counts: Iterable[int]) -> Keys:
    """Return ``keys`` and ``counts``, the number of keys of each record, as 32-bit numbers in
    bytes.
    """
    return array("I", keys).tobytes(), array("I", counts).tobytes()


class KeyPairs:
    """Collects pairs of key and record id in a file, and returns them sorted."""

    def __init__(self, file: IO[bytes], pieces: Sequence[bytes] = ()) -> None:
        """Use ``file``, opened for reading and writing.

        If the file already has pairs, ``pieces`` is the value that :meth:`checkpoint` returned for
        them.
        """
        self._scratch = file
        # For each piece on disk, the offsets of the ranges of keys, counted in pairs from the start
        # of the file.
        self._pieces = [np.frombuffer(piece, np.int64) for piece in pieces]
        self._waiting: list[Pairs] = []
        self._room = _PIECE
        self._written = int(self._pieces[-1][-1]) if pieces else 0

    def add(self, first_id: int, found: Keys) -> None:
        """Add the keys ``found`` of records with the ids ``first_id``, ``first_id + 1`` and so
        on.
        """
        keys, counts = (np.frombuffer(numbers, np.uint32) for numbers in found)
        owners = np.repeat(np.arange(first_id, first_id + len(counts), dtype=np.uint64), counts)
        self._waiting.append(keys.astype(np.uint64) << np.uint64(32) | owners)
        self._room -= len(keys)
        if self._room <= 0:
            self._spill()

    @staticmethod
    def size(pieces: Sequence[bytes]) -> int:
        """Return the number of bytes that a file must have at least to contain ``pieces``."""
        return 8 * int(np.frombuffer(pieces[-1], np.int64)[-1]) if pieces else 0

    def checkpoint(self) -> list[bytes]:
        """Write all pairs to the file.

        Return a value with which :meth:`__init__` can continue to use the file.
        """
        self._spill()
        flush(self._scratch)
        return [piece.tobytes() for piece in self._pieces]

    def __len__(self) -> int:
        return self._written + _PIECE - self._room

    def ranges(self) -> Iterator[Pairs]:
        """Yield the sorted, distinct pairs of each range of keys."""
        self._spill()
        for part in range(RANGES):
            found = [np.empty(0, np.uint64)]
            for starts in self._pieces:
                begin, end = int(starts[part]), int(starts[part + 1])
                self._scratch.seek(8 * begin)
                found.append(np.frombuffer(self._scratch.read(8 * (end - begin)), np.uint64))
            pairs = np.sort(np.concatenate(found))  # several times as fast as np.unique
            yield pairs[is_new(pairs)]

    def _spill(self) -> None:
        if not self._waiting:
            return
        pairs = np.sort(np.concatenate(self._waiting))
        first_keys = np.arange(RANGES, dtype=np.uint64) * np.uint64((1 << 64) // RANGES)
        self._pieces.append(
            np.append(np.searchsorted(pairs, first_keys), len(pairs)).astype(np.int64)
            + self._written
        )
        self._scratch.seek(8 * self._written)
        self._scratch.write(pairs.tobytes())
        self._written += len(pairs)
        self._waiting, self._room = [], _PIECE
