"""The file of a title index: a header, sections, and a CRC-32 of every block of each section. The sections are:

``rows``        length, balance, bytes per letter, and number of titles that share these, in file order
``pairs``       meaning of the tuned bits of signatures, for each class of similar lengths
``text``        the distinct normalised titles; the titles of a row have one length, so no offsets are stored
``cyclic``      the cyclic word of the signature of each title
``near, far``   the two tuned words of the signature of each title
``starts``      offset of the record ids of each title in ``ids``
``ids``         record ids
``main_hash``   hashes of main titles (the part before the first ``: ``), ascending
``main_title``  number of the title of each hash

The *signature* of a title is three words of bits computed from its letter counts, and its *balance* is its number of
letters from one half of the alphabet (:mod:`~citeproof.database.title_index.signature`). Example: "lamp" and "post"
have 4 letters of 1 byte each, and the balances 4 and 3. ``rows`` has (4, 3, 1, 1) and (4, 4, 1, 1), and ``text`` the
bytes ``postlamp``: title 0 begins at byte 0, title 1 at byte 4.

Numbers are little-endian. The header has a checksum of itself, and for each section a checksum of its block checksums.
A changed bit is therefore noticed when its block is first read (:mod:`~citeproof.database.title_index.mapped`), without
reading all 700 MB when the file is opened.
"""

import hashlib
import json
import struct
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from citeproof.model.errors import BuildError, DatabaseError
from citeproof.store.sqlite import ReadOnlyFile, identity, identity_or_none

_HEADER = 100  # size of the header of an SQLite file, in bytes
_PIECES = 64
_PIECE = 4096


def fingerprint(file: ReadOnlyFile) -> dict[str, Any]:
    """Return values for JSON that identify the state of a database, so that a stale index is noticed.

    In rollback-journal mode every change raises the change counter in the header of the file. Pages from the whole file
    distinguish two builds of the same size. A copy of the file has the same fingerprint. In write-ahead mode a change
    is in the log first. The fingerprint then includes the modification times of file and log, so a copy counts as
    changed (https://sqlite.org/fileformat2.html, sections 1.3.5 and 4).

    Raises :class:`DatabaseError` if the file was truncated.
    """
    size = identity(file.path).size
    if size < _HEADER:
        raise DatabaseError(f"{file.path}: was cut short while it is in use")
    header = file.read(0, _HEADER)
    digest = hashlib.blake2b(header, digest_size=16)
    step = max(_PIECE, size // _PIECES)
    for offset in [*range(0, size - _PIECE, step), max(0, size - _PIECE)]:
        digest.update(file.read(offset, min(_PIECE, size)))
    found: dict[str, Any] = {
        "size": size,
        "change_counter": int.from_bytes(header[24:28]),
        "schema_cookie": int.from_bytes(header[40:44]),
        "digest": digest.hexdigest(),
    }
    log = identity_or_none(log_path(file.path))
    logged = [log.size, log.mtime_ns] if log and log.size else []
    if logged or header[18:20] == b"\2\2":  # write-ahead mode
        found["changed_ns"] = identity(file.path).mtime_ns
        found["log"] = logged
    return found


def log_path(database: Path) -> Path:
    """Return the path of the write-ahead log of ``database``."""
    return database.with_name(database.name + "-wal")


SUFFIX = ".titles"
"""Suffix of the name of an index file, after the name of its database."""
VERSION = 2
MAGIC = b"citeproof titles"
_PREFIX = struct.Struct("<16sIII")  # start of an index file: magic, format version, length and CRC-32 of the JSON
PAGE = 4096  # alignment of sections in the file, in bytes
HEADER_ROOM = 4 * PAGE  # offset of the first section
CODECS = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}
"""Map from letter width (bytes per letter) to codec. Titles of one length and width have equally many bytes."""
BITS = 128  # number of bits in the two tuned words of a signature
ROW = np.dtype([("length", "<u4"), ("balance", "<u4"), ("width", "<u4"), ("count", "<u4")])
PAIRS = np.dtype([("length", "<u4"), ("classes", "u1", BITS), ("counts", "<u2", BITS)])
SECTIONS: dict[str, DTypeLike] = {
    "rows": ROW, "pairs": PAIRS, "text": "u1", "cyclic": "<u8", "near": "<u8", "far": "<u8", "starts": "<u4",
    "ids": "<i8", "main_hash": "<u4", "main_title": "<u4",
}  # fmt: skip
"""Map from sections, in file order, to the numpy type of their values."""
BLOCKS = dict.fromkeys(SECTIONS, PAGE) | {"cyclic": 16 * PAGE, "near": 16 * PAGE}
"""Map from sections to bytes per block. The blocks of sections that are read in long runs are larger."""


class UnusableIndexError(DatabaseError):
    """Raised if an index cannot answer for its database: it is missing, damaged, stale, or of another version."""


@dataclass(frozen=True, slots=True)
class Section:
    """Position of a section in the file, in bytes, and the checksums of the section."""

    offset: int
    size: int
    block: int  # size of a block in bytes
    sums: int  # offset in the file of the block checksums, 4 bytes each
    checksum: int  # CRC-32 of the block checksums

    @property
    def blocks(self) -> int:
        """Number of blocks; the last one may be shorter."""
        return -(-self.size // self.block)


@dataclass(frozen=True, slots=True)
class Header:
    """The header of the file."""

    normalization: int  # version of ``citeproof.text.normalize`` that normalised the titles
    signature: int  # version of the signatures
    fingerprint: dict[str, Any]  # result of ``fingerprint`` for the database to which the index belongs
    titles: int  # number of distinct normalised titles in the index
    records: int
    size: int  # bytes of the whole file
    sections: dict[str, Section]

    def encode(self) -> bytes:
        """Return the bytes of the header."""
        body = json.dumps(asdict(self), separators=(",", ":")).encode()
        if _PREFIX.size + len(body) > HEADER_ROOM:
            raise BuildError(f"the header of the title index would take {len(body)} bytes")
        return _PREFIX.pack(MAGIC, VERSION, len(body), zlib.crc32(body)) + body


def index_path(database: Path, index_dir: Path | None = None) -> Path:
    """Return the path of the title index of ``database``: beside it, or in ``index_dir``."""
    return (index_dir or database.parent) / (database.name + SUFFIX)


def letter_width(text: str) -> int:
    """Return how many bytes each letter of ``text`` takes in a codec of fixed width: 1, 2 or 4."""
    if text.isascii():
        return 1
    highest = ord(max(text))
    return 1 if highest < 0x100 else 2 if highest < 0x10000 else 4


def decode_header(data: bytes) -> Header:
    """Return the header at the start of ``data``; raise :class:`UnusableIndexError` if it is damaged."""
    if len(data) < _PREFIX.size or not data.startswith(MAGIC):
        raise UnusableIndexError("not a title index")
    _, version, length, checksum = _PREFIX.unpack_from(data)
    if version != VERSION:
        raise UnusableIndexError(f"written in format {version}, this program reads format {VERSION}")
    body = data[_PREFIX.size : _PREFIX.size + length]
    if len(body) < length or zlib.crc32(body) != checksum:
        raise UnusableIndexError("damaged header")
    fields = json.loads(body)
    fields["sections"] = {name: Section(**section) for name, section in fields["sections"].items()}
    return Header(**fields)
