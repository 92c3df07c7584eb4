"""Connections to the SQLite file of the runtime store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.storage.store import Store

if TYPE_CHECKING:
    from pathlib import Path

_CACHE_KIB = 256
"""What is written goes to the end of a table, and what is read is in the system's cache: 16,000 searches take the same
time as with 2,000. A service has four connections."""


def connect(path: Path, lock_wait: float, *, durable: bool = False) -> Store:
    """Open or create the file at ``path`` as :class:`Store` does, for a process that holds it for a long time."""
    return Store(path, lock_wait=lock_wait, durable=durable, cache_kib=_CACHE_KIB)
