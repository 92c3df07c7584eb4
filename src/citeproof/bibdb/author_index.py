"""The author index: for the key of a name, the records that have a name of this key.

It names the works of a group of people, to say what a wrong reference may have meant; it proves
nothing. While a database is built, (key, record) pairs are sorted in pieces on disk and merged range
by range into the table, so that memory does not grow with the records.
"""

from __future__ import annotations

import tempfile
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from citeproof.bibdb import schema
from citeproof.text.name_keys import recorded_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from citeproof.bibdb.schema import Row

TABLE = """
CREATE TABLE author_index (name_key INTEGER PRIMARY KEY, records BLOB NOT NULL);
"""
"""``records`` holds the ids of the records in rising order, each as :data:`IDS`."""

IDS = np.dtype("<u4")
"""Four bytes a record, the lowest first."""
_INSERT = "INSERT INTO author_index VALUES (?, ?)"
_AUTHORS = schema.COLUMNS.index("authors")
_PIECE = 1 << 20
"""Pairs that are sorted at once: 8 MB of memory."""
_RANGES = 64
"""Ranges of keys that are merged one after the other: of 24 million names some 3 MB each."""


class Sink(Protocol):
    """The database in the making."""

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        """Run statements."""

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each of ``rows``."""


def keys_of(rows: Iterable[Row]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the keys of all names of ``rows``, and how many names each row has."""
    lists = [str(authors).split(schema.AUTHOR_SEPARATOR) if (authors := row[_AUTHORS]) else [] for row in rows]
    keys = recorded_keys(list(chain.from_iterable(lists)))
    return np.array(keys, np.uint32), np.array(list(map(len, lists)), np.uint32)


class AuthorIndexBuilder:
    """Collects the names of records and writes the table."""

    def __init__(self, folder: Path) -> None:
        """Keep scratch data in ``folder``."""
        self._scratch = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by close
        self._pieces: list[NDArray[np.int64]] = []
        """Of each piece on disk, where its ranges begin, in pairs from the beginning of the file."""
        self._waiting: list[NDArray[np.uint64]] = []
        self._pairs = self._written = 0

    def add(self, first_id: int, keys: NDArray[np.uint32], counts: NDArray[np.uint32]) -> None:
        """Take in what :func:`keys_of` says of consecutive records, the first of which is ``first_id``."""
        owners = np.repeat(np.arange(first_id, first_id + len(counts), dtype=np.uint64), counts)
        self._waiting.append(keys.astype(np.uint64) << np.uint64(32) | owners)
        self._pairs += len(keys)
        if self._pairs >= _PIECE:
            self._spill()

    def write(self, file: Sink) -> None:
        """Write the table into ``file``."""
        self._spill()
        file.execute(TABLE)
        for part in range(_RANGES):
            file.execute_many(_INSERT, _rows(self._range(part)))

    def close(self) -> None:
        """Give the scratch file up."""
        self._scratch.close()

    def _spill(self) -> None:
        pairs = np.sort(np.concatenate([np.empty(0, np.uint64), *self._waiting]))
        first_keys = np.arange(_RANGES, dtype=np.uint64) * np.uint64((1 << 64) // _RANGES)
        self._pieces.append(np.append(np.searchsorted(pairs, first_keys), len(pairs)) + self._written)
        self._scratch.seek(8 * self._written)
        self._scratch.write(pairs.tobytes())
        self._written += len(pairs)
        self._waiting, self._pairs = [], 0

    def _range(self, part: int) -> NDArray[np.uint64]:
        """Return the pairs of one range of keys, from all pieces, sorted and without doubles."""
        found = [np.empty(0, np.uint64)]
        for starts in self._pieces:
            begin, end = int(starts[part]), int(starts[part + 1])
            self._scratch.seek(8 * begin)
            found.append(np.frombuffer(self._scratch.read(8 * (end - begin)), np.uint64))
        pairs = np.sort(np.concatenate(found))  # several times as fast as np.unique
        return pairs[is_new(pairs)]


def _rows(pairs: NDArray[np.uint64]) -> Iterator[tuple[int, bytes]]:
    """Yield the rows of sorted pairs."""
    keys = pairs >> np.uint64(32)
    ids = pairs.astype(IDS).tobytes()
    starts = np.flatnonzero(is_new(keys))
    bounds = pairwise([*(IDS.itemsize * starts).tolist(), len(ids)])
    for key, (begin, end) in zip(keys[starts].tolist(), bounds, strict=True):
        yield key, ids[begin:end]


def is_new(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for each of sorted values whether it is another one than that before it."""
    return np.append(np.ones(len(values[:1]), bool), values[1:] != values[:-1])
