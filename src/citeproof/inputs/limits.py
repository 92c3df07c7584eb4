"""How much may be read, so that no file, folder or archive costs more than it can be worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO

LARGEST = 256 * 2**20
"""Most bytes of one document; a larger one is no bibliography of a paper."""
MOST_MEMBERS = 100_000
"""Most files of one folder or archive; what comes behind is not looked at."""
DENSEST = 100
"""Most bytes that one packed byte may become. TeX becomes 3 to 5, a long .bib up to 20, a bomb 1,000."""
FREE = 2**20
"""Bytes that any packed file may become, however small it is."""
MOST_UNPACKED = 4 * 2**30
"""Most bytes that one archive and those inside it may become together."""
DEEPEST = 3
"""Most archives inside each other: a zip of papers, a bundle of sources for each, one packed file in it."""


class RefusedError(Exception):
    """Something cannot be opened; ``code`` is that of a diagnostic of a document, without its first word."""

    def __init__(self, code: str, message: str) -> None:
        """``message`` says what is wrong, and what to do."""
        super().__init__(message)
        self.code = code


def too_large(largest: int = LARGEST) -> RefusedError:
    """Return what is said of a document of more than ``largest`` bytes."""
    return RefusedError("too_large", f"has more than {largest // 2**20} MB; split it")


def read_at_most(stream: IO[bytes], most: int) -> bytes:
    """Return what ``stream`` holds, or its first ``most`` bytes and one more.

    Python takes the memory of as many bytes as are asked for before it looks how many there are; so no more than a
    megabyte is asked for at once.
    """
    pieces, left = [], most + 1
    while left and (piece := stream.read(min(left, 2**20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


@dataclass(slots=True)
class Budget:
    """What an archive, with the archives inside it, may still become."""

    left: int = MOST_UNPACKED
    largest: int = LARGEST
    """Most bytes of one document in it."""
    members: int = MOST_MEMBERS
    """Most files of each archive."""
    most: int = field(init=False)
    """What was ``left`` at first."""

    def __post_init__(self) -> None:
        """Note what there is to begin with."""
        self.most = self.left

    def anew(self) -> Budget:
        """Return a budget of what is left now, for something that may be unpacked more than once."""
        return Budget(self.left, self.largest, self.members)

    def unpacked(self, size: int, packed: int) -> None:
        """Count ``packed`` bytes that became ``size``, or are said to become so many.

        Raises:
            RefusedError: they are too many for so few, or too many in all.
        """
        if size > FREE + DENSEST * packed:
            raise RefusedError("bomb", f"unpacks to more than {DENSEST} times its size; if it is good, unpack it")
        if size > self.left:
            raise RefusedError("bomb", f"its archive unpacks to more than {_amount(self.most)}; split it")
        self.left -= size


def _amount(size: int) -> str:
    """Return ``size`` bytes in words: ``4 GB``, ``256 MB``, ``100 bytes``."""
    for name, unit in (("GB", 2**30), ("MB", 2**20)):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} bytes"
