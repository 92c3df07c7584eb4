"""Limits of files, folders and archives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO

LARGEST = 256 * 2**20
"""Maximum bytes of a document."""
MOST_MEMBERS = 100_000
"""Maximum files of a folder or archive. The rest is not read."""
DENSEST = 100
"""Maximum unpacked bytes per packed byte. TeX has a ratio of 3 to 5, a long .bib up to 20, a zip bomb 1,000."""
FREE = 2**20
"""Unpacked bytes that any file may have, whatever its ratio."""
MOST_UNPACKED = 4 * 2**30
"""Maximum unpacked bytes of an archive, with the archives inside it."""
DEEPEST = 3
"""Maximum depth of archives: a zip of papers, the sources of each paper, a packed file in these."""


class RefusedError(Exception):
    """Raised if a document cannot be opened. ``code`` is that of its diagnostic, without ``document.``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def too_large(largest: int = LARGEST) -> RefusedError:
    """Return the error of a document of more than ``largest`` bytes."""
    return RefusedError("too_large", f"has more than {largest // 2**20} MB; split it")


def read_at_most(stream: IO[bytes], most: int) -> bytes:
    """Return the content of ``stream``, cut after ``most`` + 1 bytes.

    Reads one megabyte at a time, because Python allocates the memory for a read before it reads.
    """
    pieces, left = [], most + 1
    while left and (piece := stream.read(min(left, 2**20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


@dataclass(slots=True)
class Budget:
    """The limits of an archive, counted over the archives inside it too."""

    left: int = MOST_UNPACKED
    """Bytes that may still be unpacked."""
    largest: int = LARGEST
    """Maximum bytes of a document in it."""
    members: int = MOST_MEMBERS
    """Maximum files of each archive."""
    most: int = field(init=False)
    """The initial value of :attr:`left`."""

    def __post_init__(self) -> None:
        self.most = self.left

    def anew(self) -> Budget:
        """Return a budget of the bytes that are left, for a document that is unpacked more than once."""
        return Budget(self.left, self.largest, self.members)

    def unpacked(self, size: int, packed: int) -> None:
        """Count ``size`` unpacked bytes of ``packed`` ones. Archives state both before they are unpacked.

        Raises:
            RefusedError: the ratio or the total is too large.
        """
        # 3 KB that unpack to 1 MB pass, whatever their ratio: 1 MB <= FREE + 100 * 3 KB.
        # 3 KB that unpack to 3 MB are refused: 3 MB > FREE + 100 * 3 KB = 1.3 MB. So are members that pass one by one
        # but unpack to more than 4 GB together.
        if size > FREE + DENSEST * packed:
            raise RefusedError("bomb", f"unpacks to more than {DENSEST} times its size; if it is good, unpack it")
        if size > self.left:
            raise RefusedError("bomb", f"its archive unpacks to more than {_amount(self.most)}; split it")
        self.left -= size


def _amount(size: int) -> str:
    """Return ``size`` as text: ``4 GB``, ``256 MB``, ``100 bytes``."""
    for name, unit in (("GB", 2**30), ("MB", 2**20)):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} bytes"
