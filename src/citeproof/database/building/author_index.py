"""Build the author index: the table ``author_index``, which maps a number computed from a name to
ids of records.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from citeproof.database import schema
from citeproof.database.author_index import IDS, TABLE, is_new
from citeproof.database.building.key_pairs import KeyPairs, Pairs
from citeproof.database.schema import Row
from citeproof.store.sqlite import BulkFile
from citeproof.text.names import recorded_keys

_AUTHORS = schema.COLUMNS.index("authors")


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


def write(pairs: KeyPairs, file: BulkFile) -> None:
    """Create and fill the table ``author_index`` in ``file`` from the ``pairs`` of all authors."""
    file.execute(TABLE)
    for part in pairs.ranges():
        file.execute_many("INSERT INTO author_index VALUES (?, ?)", _rows(part))


def _rows(pairs: Pairs) -> Iterator[tuple[int, bytes]]:
    keys = pairs >> np.uint64(32)
    ids = pairs.astype(IDS).tobytes()
    starts = np.flatnonzero(is_new(keys))
    bounds = pairwise([*(IDS.itemsize * starts).tolist(), len(ids)])
    for key, (begin, end) in zip(keys[starts].tolist(), bounds, strict=True):
        yield key, ids[begin:end]
