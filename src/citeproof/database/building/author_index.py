"""Build the author index: the table ``author_index``, which maps a number computed from a name to
ids of records.
"""

import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citeproof.database import schema
from citeproof.database.author_index import IDS, TABLE, is_new
from citeproof.database.schema import Row
from citeproof.store.sqlite import BulkFile
from citeproof.text.names import recorded_keys

_AUTHORS = schema.COLUMNS.index("authors")
# number of (name key, record id) pairs that are sorted in memory at a time, 8 bytes per pair
_PIECE = 1 << 20
# number of ranges into which the 32-bit name keys are divided; only one range is in memory at a
# time
_RANGES = 64


def keys_of(rows: Iterable[Row]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return two arrays: a 32-bit key for each author's name in ``rows``, and the number of names
    in each row.
    """
    lists = [
        str(authors).split(schema.AUTHOR_SEPARATOR) if (authors := row[_AUTHORS]) else []
        for row in rows
    ]
    keys = recorded_keys(list(chain.from_iterable(lists)))
    return np.array(keys, np.uint32), np.array(list(map(len, lists)), np.uint32)


class AuthorIndexBuilder:
    """Collects the authors of records and writes the table ``author_index``.

    ``close`` deletes the temporary file.
    """

    def __init__(self, folder: Path) -> None:
        self._scratch = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - deleted by close
        self.close = self._scratch.close
        # For each piece on disk, the offsets of the ranges of keys, counted in pairs from the start
        # of the file.
        self._pieces: list[NDArray[np.int64]] = []
        self._waiting: list[NDArray[np.uint64]] = []
        self._pairs = self._written = 0

    def add(self, first_id: int, keys: NDArray[np.uint32], counts: NDArray[np.uint32]) -> None:
        """Add the authors of records with consecutive ids. :func:`keys_of` returns the ``keys`` and
        ``counts``.
        """
        owners = np.repeat(np.arange(first_id, first_id + len(counts), dtype=np.uint64), counts)
        self._waiting.append(keys.astype(np.uint64) << np.uint64(32) | owners)
        self._pairs += len(keys)
        if self._pairs >= _PIECE:
            self._spill()

    def write(self, file: BulkFile) -> None:
        """Create and fill the table ``author_index`` in ``file``."""
        self._spill()
        file.execute(TABLE)
        for part in range(_RANGES):
            file.execute_many("INSERT INTO author_index VALUES (?, ?)", _rows(self._range(part)))

    def _spill(self) -> None:
        pairs = np.sort(np.concatenate([np.empty(0, np.uint64), *self._waiting]))
        first_keys = np.arange(_RANGES, dtype=np.uint64) * np.uint64((1 << 64) // _RANGES)
        self._pieces.append(
            np.append(np.searchsorted(pairs, first_keys), len(pairs)) + self._written
        )
        self._scratch.seek(8 * self._written)
        self._scratch.write(pairs.tobytes())
        self._written += len(pairs)
        self._waiting, self._pairs = [], 0

    def _range(self, part: int) -> NDArray[np.uint64]:
        """Return the sorted, distinct (name key, record id) pairs whose key is in range number
        ``part``, 0 to 63.
        """
        found = [np.empty(0, np.uint64)]
        for starts in self._pieces:
            begin, end = int(starts[part]), int(starts[part + 1])
            self._scratch.seek(8 * begin)
            found.append(np.frombuffer(self._scratch.read(8 * (end - begin)), np.uint64))
        pairs = np.sort(np.concatenate(found))  # np.sort is several times as fast as np.unique
        return pairs[is_new(pairs)]


def _rows(pairs: NDArray[np.uint64]) -> Iterator[tuple[int, bytes]]:
    keys = pairs >> np.uint64(32)
    ids = pairs.astype(IDS).tobytes()
    starts = np.flatnonzero(is_new(keys))
    bounds = pairwise([*(IDS.itemsize * starts).tolist(), len(ids)])
    for key, (begin, end) in zip(keys[starts].tolist(), bounds, strict=True):
        yield key, ids[begin:end]
