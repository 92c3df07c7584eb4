"""The file, as its reader and its writer share it: a header, the sections, and a checksum for every block of each.

==========  =====================================================================================
section     holds
==========  =====================================================================================
rows        how many titles there are of each length, balance and letter width, in file order
pairs       the signature bits of each class of lengths
text        the distinct normalised titles; all of a row are equally long, so none needs an offset
cyclic      the signatures' word that is read first
near, far   their two words that are tuned for each class of lengths
starts      where the record ids of each title begin in ``ids``
ids         record ids
main_hash   hashes of main titles (the part before the first ``: ``), ascending
main_title  the title that each of them belongs to
==========  =====================================================================================

Numbers are little-endian. The header carries the checksum of each section's block checksums and
its own, so that one changed bit anywhere is noticed when its block is first read
(:mod:`~citeproof.bibdb.title_index.reader.mapped`), without reading 700 MB to open the file.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from citeproof.errors import BuildError, DatabaseError

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = ".titles"
"""What the file is called, behind the name of its database."""

VERSION = 2
MAGIC = b"citeproof titles"
_PREFIX = struct.Struct("<16sIII")
"""Magic, format version, length of the JSON that follows, its CRC-32."""

PAGE = 4096
"""Sections begin at a multiple of it."""

HEADER_ROOM = 4 * PAGE
"""The sections begin here."""

CODECS = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}
"""How text is written, by bytes a letter. All titles of one length and width are equally many bytes long."""

BITS = 128
"""Bits of the two words of a signature that are tuned for each class of lengths."""

ROW = np.dtype([("length", "<u4"), ("balance", "<u4"), ("width", "<u4"), ("count", "<u4")])
PAIRS = np.dtype([("length", "<u4"), ("classes", "u1", BITS), ("counts", "<u2", BITS)])

COLUMNS = {
    "text": "u1",
    "cyclic": "<u8",
    "near": "<u8",
    "far": "<u8",
    "starts": "<u4",
    "ids": "<i8",
    "main_hash": "<u4",
    "main_title": "<u4",
}
"""The sections that are read block by block, with the type of their numbers, in the order in which they are written."""

SECTIONS = ("rows", "pairs", *COLUMNS)

_LONG_BLOCKS = {"cyclic": 16 * PAGE, "near": 16 * PAGE}
"""Sections that are read in long runs, with the bytes under one checksum; the others are read here and there."""


class UnusableIndexError(DatabaseError):
    """The index file cannot answer for this database: missing, damaged, of another version, or stale."""


@dataclass(frozen=True, slots=True)
class Section:
    """Where a section lies in the file, in bytes, and what guards it."""

    offset: int
    size: int
    block: int
    """Bytes under one checksum."""
    sums: int
    """Offset of its block checksums: one CRC-32 of 4 bytes a block."""
    checksum: int
    """CRC-32 of those."""

    @property
    def blocks(self) -> int:
        """Number of blocks; the last may be short."""
        return -(-self.size // self.block)


@dataclass(frozen=True, slots=True)
class Header:
    """What the file says about itself."""

    normalization: int
    """Version of :mod:`citeproof.text.normalize` that its titles went through."""
    signature: int
    """Version of :mod:`~citeproof.bibdb.title_index.signature`."""
    fingerprint: dict[str, Any]
    """The database it was built from; see :mod:`~citeproof.bibdb.title_index.fingerprint`."""
    titles: int
    """Distinct normalised titles."""
    records: int
    size: int
    """Bytes of the whole file."""
    sections: dict[str, Section]

    def encode(self) -> bytes:
        """Return the header as it stands at the beginning of the file."""
        body = json.dumps(asdict(self), separators=(",", ":")).encode()
        if _PREFIX.size + len(body) > HEADER_ROOM:
            raise BuildError(f"the header of the title index would take {len(body)} bytes")
        return _PREFIX.pack(MAGIC, VERSION, len(body), zlib.crc32(body)) + body


def index_path(database: Path, index_dir: Path | None = None) -> Path:
    """Return where the title index of ``database`` is: beside it, or in ``index_dir``."""
    return (index_dir or database.parent) / (database.name + SUFFIX)


def letter_width(text: str) -> int:
    """Return the bytes a letter of ``text`` needs when all take equally many: 1, 2 or 4."""
    if text.isascii():
        return 1
    highest = ord(max(text))
    return 1 if highest < 0x100 else 2 if highest < 0x10000 else 4


def decode_header(data: bytes) -> Header:
    """Return the header at the beginning of ``data``; raise :class:`UnusableIndexError` where it is not whole."""
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


def block_size(section: str) -> int:
    """Return the bytes of ``section`` under one checksum."""
    return _LONG_BLOCKS.get(section, PAGE)


def padding(offset: int) -> int:
    """Return the bytes from ``offset`` to where a section may begin."""
    return -offset % PAGE


def block_checksums(data: memoryview, block: int) -> list[int]:
    """Return the CRC-32 of each block of ``data``, whose beginning is the beginning of a block."""
    return [zlib.crc32(data[first : first + block]) for first in range(0, len(data), block)]
