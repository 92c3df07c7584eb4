"""A checksum over what a database knows of venues: a changed completeness would prove what is not so.

Every row counts on its own, so that the order in which rows come does not matter.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAME = "venues_checksum"
"""Its name in the table ``meta``; databases of versions before 0.2.0 have none."""


def checksum_of(rows: Iterable[Sequence[Any]]) -> int:
    """Return the exclusive or of the CRC-32 of every row, whose values are texts and numbers."""
    combined = 0
    for row in rows:
        combined ^= zlib.crc32(repr(tuple(row)).encode("utf-8", "surrogatepass"))
    return combined
