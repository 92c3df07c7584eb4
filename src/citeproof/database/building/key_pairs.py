"""Sort pairs of a 32-bit key and a record id with bounded memory, for the indexes of authors and
identifiers.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citeproof.database.author_index import is_new

Pairs = NDArray[np.uint64]
"""Pairs as numbers: the key in the upper 32 bits, the record id in the lower 32 bits."""
_PIECE = 1 << 20  # number of pairs that are sorted in memory at a time, 8 bytes per pair
# number of ranges into which the 32-bit keys are divided; only one range is in memory at a time
RANGES = 64
"""Number of ranges of keys; the first six bits of a key are the number of its range."""


class KeyPairs:
    """Collects pairs in a temporary file. ``close`` deletes the file."""

    def __init__(self, folder: Path) -> None:
        self._scratch = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - deleted by close
        self.close = self._scratch.close
        # For each piece on disk, the offsets of the ranges of keys, counted in pairs from the start
        # of the file.
        self._pieces: list[NDArray[np.int64]] = []
        self._waiting: list[Pairs] = []
        self._room = _PIECE
        self._written = 0

    def add(self, first_id: int, keys: NDArray[np.uint32], counts: NDArray[np.uint32]) -> None:
        """Add the keys of records with consecutive ids. ``counts`` is the number of keys of each
        record.
        """
        owners = np.repeat(np.arange(first_id, first_id + len(counts), dtype=np.uint64), counts)
        self._waiting.append(keys.astype(np.uint64) << np.uint64(32) | owners)
        self._room -= len(keys)
        if self._room <= 0:
            self._spill()

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
        pairs = np.sort(np.concatenate([np.empty(0, np.uint64), *self._waiting]))
        first_keys = np.arange(RANGES, dtype=np.uint64) * np.uint64((1 << 64) // RANGES)
        self._pieces.append(
            np.append(np.searchsorted(pairs, first_keys), len(pairs)) + self._written
        )
        self._scratch.seek(8 * self._written)
        self._scratch.write(pairs.tobytes())
        self._written += len(pairs)
        self._waiting, self._room = [], _PIECE
