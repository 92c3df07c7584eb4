"""The format of the file of a title index: a header, sections, and a CRC-32 of each block of a
section.

The sections:

* ``rows``: groups of titles: length, balance, bytes per letter, and number of titles, in the order
  of the file
* ``pairs``: meaning of the tuned bits of signatures, for each range of title lengths
* ``text``: the distinct normalised titles in units of 16 bits. A unit is the number of a word or of
  a pair of letters (:mod:`~citeproof.database.title_index.words`), or a part of a title with
  letters beyond Latin-1.
* ``words``: the words that have numbers
* ``sizes``: number of units of each title; ``long_title`` and ``long_size`` have the titles with
  255 units or more
* ``offsets``: offset in ``text`` of every 16th title
* ``cyclic``: the cyclic word of the signature of each title
* ``near``, ``far``: the two tuned words of the signature of each title
* ``ids``: record id of each title. If a title has several records, the value is 2147483648 plus the
  index of an offset in ``starts``, and the record ids are in ``more_ids``, from this offset to the
  next.
* ``main_hash``: hashes of main titles (the part before a remark, or else before the first
  ``: ``), ascending
* ``main_title``: number of the title for each hash in ``main_hash``

The *signature* of a title is three words of 64 bits, which depend on how often each letter occurs.
The *balance* is the number of letters from one half of the alphabet
(:mod:`~citeproof.database.title_index.signature`). Example: "lamp" and "post" have 4 letters of 1
byte each, and the balances 4 and 3. ``rows`` has (4, 3, 1, 1) and (4, 4, 1, 1).
Title 0 is "post", title 1 "lamp".

Numbers are little-endian. The header has a checksum of the header, and for each section a checksum
of the block checksums. A block is compared with its checksum when it is first read
(:mod:`~citeproof.database.title_index.column`). The file has some 700 MB, and only its header is
read when it is opened.
"""

import json
import struct
import zlib
from _blake2 import blake2b  # hashlib would load OpenSSL
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
    """Return a JSON object that identifies the content of a database.

    The object changes whenever the database changes.

    SQLite increases the change counter in the header of the file at each change. A hash of sampled
    pages distinguishes two builds of the same size. A copy of the file has the same fingerprint. In
    write-ahead mode, SQLite first writes a change to the log. The fingerprint then includes the
    modification times of file and log, and a copy of the file has another fingerprint
    (https://sqlite.org/fileformat2.html, sections 1.3.5 and 4).

    Raises :class:`DatabaseError` if the file was truncated.
    """
    size = identity(file.path).size
    if size < _HEADER:
        raise DatabaseError(f"{file.path}: was cut short while it is in use")
    header = file.read(0, _HEADER)
    digest = blake2b(header, digest_size=16)
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
    """Return the path of SQLite's write-ahead log for ``database``: ``dblp.db-wal`` for
    ``dblp.db``.
    """
    return database.with_name(database.name + "-wal")


SUFFIX = ".titles"
"""Suffix of the file name of a title index, such as ``dblp.db.titles`` for the database
``dblp.db``.
"""
VERSION = 4
MAGIC = b"citeproof titles"
# start of the file: magic, format version, length and CRC-32 of the JSON header
_PREFIX = struct.Struct("<16sIII")
PAGE = 4096  # alignment of sections in the file, in bytes
# number of bytes reserved for the header, after which the first section begins
HEADER_ROOM = 4 * PAGE
CODECS = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}
"""Map from the number of bytes per letter to the name of the text encoding."""
BITS = 128  # number of bits in the two tuned words of a title's signature
ROW = np.dtype([("length", "<u4"), ("balance", "<u4"), ("width", "<u4"), ("count", "<u4")])
PAIRS = np.dtype([("length", "<u4"), ("classes", "u1", BITS), ("counts", "<u2", BITS)])
OFFSET_EVERY = 16
"""Distance, in titles, between two titles whose offset in ``text`` is stored."""
LONG = 255
"""Value in ``sizes`` of a title whose size is in ``long_size``."""
SEVERAL = 1 << 31
"""Number that marks a value in ``ids``. A value below this number is a record id. A higher value is
this number plus the index of an offset in ``starts``.

Higher values are used for titles with several records, or with a record id that is not below this
number.
"""
SECTIONS: dict[str, DTypeLike] = {
    "rows": ROW,
    "pairs": PAIRS,
    "text": "<u2",
    "words": "u1",
    "sizes": "u1",
    "offsets": "<u4",
    "long_title": "<u4",
    "long_size": "<u4",
    "cyclic": "<u8",
    "near": "<u8",
    "far": "<u8",
    "ids": "<u4",
    "starts": "<u4",
    "more_ids": "<i8",
    "main_hash": "<u4",
    "main_title": "<u4",
}
"""Map from the name of a section to the numpy type of the values.

The sections have the order of the file.
"""
BLOCKS = dict.fromkeys(SECTIONS, PAGE) | {"cyclic": 16 * PAGE, "near": 16 * PAGE}
"""Map from the name of a section to the bytes per block.

Sections that are read in sequence have larger blocks.
"""
SCATTERED = frozenset({"text", "ids", "more_ids"})
"""Sections from which a search needs only a few values, far from each other.

These sections are not memory-mapped, but read. With a memory map, Linux would map 64 KB around each
page that is needed, and count them as memory of the process.
"""


class UnusableIndexError(DatabaseError):
    """Raised if a title index cannot be used for a database: it is missing, damaged, outdated or of
    another version.
    """


@dataclass(frozen=True, slots=True)
class Section:
    """Position and size of a section of the file, in bytes, and where the checksums of the section
    are.
    """

    offset: int
    size: int
    block: int  # size of a block in bytes
    sums: int  # offset in the file of the block checksums, 4 bytes each
    checksum: int  # CRC-32 of the block checksums

    @property
    def blocks(self) -> int:
        """Number of blocks of the section. The last block may be shorter than the other blocks."""
        return -(-self.size // self.block)


@dataclass(frozen=True, slots=True)
class Header:
    """The header of the file of a title index."""

    # version of the rules by which ``citeproof.text.normalize`` normalised the titles
    normalization: int
    signature: int  # version of the rules by which the signatures were computed
    # result of ``fingerprint`` for the database to which the index belongs
    fingerprint: dict[str, Any]
    titles: int  # number of distinct normalised titles in the index
    records: int
    size: int  # size of the whole file in bytes
    sections: dict[str, Section]

    def encode(self) -> bytes:
        """Return the header as bytes for the start of the file."""
        body = json.dumps(asdict(self), separators=(",", ":")).encode()
        if _PREFIX.size + len(body) > HEADER_ROOM:
            raise BuildError(f"the header of the title index would take {len(body)} bytes")
        return _PREFIX.pack(MAGIC, VERSION, len(body), zlib.crc32(body)) + body


def index_path(database: Path, index_dir: Path | None = None) -> Path:
    """Return the path of the title index of ``database``.

    By default, it is in the same folder as the database.
    """
    return (index_dir or database.parent) / (database.name + SUFFIX)


def letter_width(text: str) -> int:
    """Return the smallest number of bytes, 1, 2 or 4, in which every letter of ``text`` can be
    encoded.
    """
    if text.isascii():
        return 1
    highest = ord(max(text))
    return 1 if highest < 0x100 else 2 if highest < 0x10000 else 4


def decode_header(data: bytes) -> Header:
    """Decode the header at the start of ``data``.

    Raises :class:`UnusableIndexError` if the header is damaged.
    """
    if len(data) < _PREFIX.size or not data.startswith(MAGIC):
        raise UnusableIndexError("not a title index")
    _, version, length, checksum = _PREFIX.unpack_from(data)
    if version != VERSION:
        raise UnusableIndexError(
            f"written in format {version}, this program reads format {VERSION}"
        )
    body = data[_PREFIX.size : _PREFIX.size + length]
    if len(body) < length or zlib.crc32(body) != checksum:
        raise UnusableIndexError("damaged header")
    fields = json.loads(body)
    fields["sections"] = {name: Section(**section) for name, section in fields["sections"].items()}
    return Header(**fields)
