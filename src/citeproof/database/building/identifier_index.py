"""Build the identifier index: the table ``identifier_index``, which maps the CRC-32 of a DOI or
arXiv identifier to the ids of the records with this identifier.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

import numpy as np

from citeproof.database.building.key_pairs import RANGES, KeyPairs, Keys, Pairs, keys_in_bytes
from citeproof.database.identifier_index import (
    BITS,
    IDS,
    KEY_BITS,
    LOW,
    TABLE,
    identifier_key,
)
from citeproof.database.schema import COLUMNS, Row
from citeproof.store.sqlite import BulkFile

_FIELDS = tuple((COLUMNS.index(field), field) for field in ("doi", "arxiv_id"))
_BUCKET = 100  # approximate number of identifiers in a bucket
_LEAST_BITS = RANGES.bit_length() - 1  # a bucket lies within one range of keys


def keys_of(rows: Iterable[Row]) -> Keys:
    """Return the keys of the identifiers in ``rows``."""
    lists = [
        [identifier_key(field, str(row[at])) for at, field in _FIELDS if row[at]] for row in rows
    ]
    return keys_in_bytes(chain.from_iterable(lists), map(len, lists))


def write(pairs: KeyPairs, file: BulkFile) -> None:
    """Create and fill the table ``identifier_index`` in ``file``. ``pairs`` has the pairs of key
    and record id of all identifiers.
    """
    bits = max(_LEAST_BITS, (len(pairs) // _BUCKET).bit_length())
    file.execute(TABLE)
    file.execute("INSERT INTO meta VALUES (?, ?)", (BITS, str(bits)))
    for part in pairs.ranges():
        file.execute_many("INSERT INTO identifier_index VALUES (?, ?)", _rows(part, bits))


def _rows(pairs: Pairs, bits: int) -> Iterator[tuple[int, bytes]]:
    keys = pairs >> np.uint64(KEY_BITS)
    lows, ids = (keys & np.uint64(0xFFFF)).astype(LOW), pairs.astype(IDS)
    buckets = keys >> np.uint64(KEY_BITS - bits)
    starts = np.flatnonzero(np.diff(buckets, prepend=np.uint64(1 << 40)))
    for begin, end in pairwise([*starts.tolist(), len(pairs)]):
        yield int(buckets[begin]), lows[begin:end].tobytes() + ids[begin:end].tobytes()
