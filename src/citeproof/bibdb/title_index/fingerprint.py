"""Which database an index was built from, so that one that has changed since is noticed.

In rollback-journal mode every change raises the change counter in the file's header, which is part
of the fingerprint; pages from all over the file tell two builds of like size apart. A copy of the
file, with a new time of change, has the same fingerprint.

In write-ahead mode a change need not touch the header: it lies in the log, and later anywhere in
the file. There the times of change of file and log are part of the fingerprint too, so that a copy
counts as changed. (https://sqlite.org/fileformat2.html, sections 1.3.5 and 4)
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from citeproof.errors import DatabaseError
from citeproof.storage.sqlite import identity

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.storage.sqlite import ReadOnlyFile

Fingerprint = dict[str, Any]
"""Values that survive JSON unchanged."""

_HEADER = 100
"""Bytes of the header of an SQLite file."""
_PIECES = 64
_PIECE = 4096
_WRITE_AHEAD = b"\2\2"
"""Bytes 18 and 19 of the header: the versions that read and write the file need the log."""


def fingerprint(file: ReadOnlyFile) -> Fingerprint:
    """Return what tells this state of the database from any other.

    Raises:
        DatabaseError: the file has lost its header.
    """
    size = identity(file.path).size
    if size < _HEADER:
        raise DatabaseError(f"{file.path}: was cut short while it is in use")
    header = file.read(0, _HEADER)
    digest = hashlib.blake2b(header, digest_size=16)
    step = max(_PIECE, size // _PIECES)
    for offset in [*range(0, size - _PIECE, step), max(0, size - _PIECE)]:
        digest.update(file.read(offset, min(_PIECE, size)))
    found: Fingerprint = {
        "size": size,
        "change_counter": int.from_bytes(header[24:28]),
        "schema_cookie": int.from_bytes(header[40:44]),
        "digest": digest.hexdigest(),
    }
    log = _log_identity(file.path)
    if log or header[18:20] == _WRITE_AHEAD:
        found["changed_ns"] = identity(file.path).mtime_ns
        found["log"] = log
    return found


def log_path(database: Path) -> Path:
    """Return where the write-ahead log of ``database`` is while it has one."""
    return database.with_name(database.name + "-wal")


def _log_identity(database: Path) -> list[int]:
    """Return size and time of change of the write-ahead log of ``database``; empty where it holds nothing."""
    try:
        log = identity(log_path(database))
    except OSError:
        return []
    return [log.size, log.mtime_ns] if log.size else []
