"""The identifier index of a database: a table that finds records by DOI or arXiv identifier.

The key of an identifier is its CRC-32. The index is divided by the first bits of the keys into
*buckets* of about a hundred records. Example: with 20 bits, the key ``0x1234abcd`` is in the bucket
``0x1234a``. A bucket has the last 16 bits of each key (``0xabcd``) and the id of each record,
together 6 bytes per record. Different identifiers can have the same bits, so the records found are
read, and their identifiers are compared.
"""

import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from citeproof.store.sqlite import ReadOnlyFile

TABLE = "CREATE TABLE identifier_index (bucket INTEGER PRIMARY KEY, entries BLOB NOT NULL);"
"""SQL statement that creates the identifier index.

``entries`` has the last 16 bits of all keys (:data:`LOW`), then the ids of all records
(:data:`IDS`).
"""
BITS = "identifier_bits"
"""Name of a value in the table ``meta``: how many of the first bits of a key are the number of the
bucket.
"""
KEY_BITS = 32
LOW, IDS = np.dtype("<u2"), np.dtype("<u4")
_SEEDS = {"doi": 0, "arxiv_id": 1}  # start value of the CRC-32 of each kind of identifier


def identifier_key(field: str, value: str) -> int:
    """Return the 32-bit key of an identifier. ``field`` is ``doi`` or ``arxiv_id``."""
    return zlib.crc32(value.encode(), _SEEDS[field])


def ids_with_identifier(
    file: ReadOnlyFile, meta: Mapping[str, Any], field: str, value: str
) -> list[int]:
    """Return the ascending ids of all records that have the identifier ``value``. A few ids may be
    of records with another identifier, so the caller must compare.

    ``field`` is ``doi`` or ``arxiv_id``. ``meta`` is the table ``meta`` as a map.
    """
    key = identifier_key(field, value)
    bucket = key >> (KEY_BITS - int(meta[BITS]))
    rows = file.rows("SELECT entries FROM identifier_index WHERE bucket = ?", (bucket,))
    if not rows:
        return []
    entries = rows[0][0]
    count = len(entries) // (LOW.itemsize + IDS.itemsize)
    lows = np.frombuffer(entries, LOW, count)
    ids = np.frombuffer(entries, IDS, count, LOW.itemsize * count)
    found: list[int] = sorted(ids[lows == (key & 0xFFFF)].tolist())
    return found
