"""Build the author index: the table ``author_index``, which maps the key of a name (a checksum of
family name and initial) to the ids of the records by authors with this key.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

import numpy as np

from citeproof.database import schema
from citeproof.database.author_index import IDS, TABLE, is_new
from citeproof.database.building.key_pairs import KeyPairs, Keys, Pairs, keys_in_bytes
from citeproof.database.schema import Row
from citeproof.store.sqlite import BulkFile
from citeproof.text.names import recorded_keys

_AUTHORS = schema.COLUMNS.index("authors")


def keys_of(rows: Iterable[Row]) -> Keys:
    """Return the keys of the authors' names in ``rows``."""
    lists = [
        str(authors).split(schema.AUTHOR_SEPARATOR) if (authors := row[_AUTHORS]) else []
        for row in rows
    ]
    keys = recorded_keys(list(chain.from_iterable(lists)))
    return keys_in_bytes(keys, map(len, lists))


def write(pairs: KeyPairs, file: BulkFile) -> None:
    """Create and fill the table ``author_index`` in ``file``. ``pairs`` has the pairs of name key
    and record id of all authors.
    """
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
