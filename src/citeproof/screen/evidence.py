"""What each verdict of a screening was decided from: one file, which ``citeproof replay`` reads.

It is a gzip file of lines, as docs/evidence.md describes them, with the number of the distinct reference as ``key``.
What is kept together is one member of it, so lines are found again without reading those before them, and what a run
that was killed had begun to write is cut off.
"""

from __future__ import annotations

import gzip
import os
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FILE = "evidence.jsonl.gz"
_FAST = 1
"""How hard to press: a ninth remains in 0.02 ms a line; the hardest leaves a twelfth in three times as long."""


class EvidenceFile:
    """The file as far as it belongs to what is kept; one process at a time writes it."""

    def __init__(self, path: Path, size: int) -> None:
        """Take the first ``size`` bytes of the file at ``path`` for what was kept; the rest is cut off."""
        self._path = path
        found = path.stat().st_size if path.exists() else 0
        self.whole = found >= size
        """Whether all that was kept is there; nothing is counted as kept where not."""
        self.size = size if self.whole else 0
        if found > self.size:
            os.truncate(path, self.size)

    def append(self, lines: Sequence[str]) -> int:
        """Write ``lines``, so that they outlive a power cut; return where they begin, for :meth:`lines`."""
        start = self.size
        with self._path.open("ab") as file:
            file.write(gzip.compress("".join(f"{line}\n" for line in lines).encode(), _FAST))
            file.flush()
            os.fsync(file.fileno())
            self.size = file.tell()
        return start

    def line(self, start: int, number: int) -> str:
        """Return one of the lines that :meth:`append` wrote at ``start``, counted from 0."""
        return _lines(self._path, start)[number]


@lru_cache(4)
def _lines(path: Path, start: int) -> list[str]:
    engine = zlib.decompressobj(wbits=31)
    parts = []
    with path.open("rb") as file:
        file.seek(start)
        while not engine.eof and (data := file.read(1 << 16)):
            parts.append(engine.decompress(data))
    return b"".join(parts).decode().split("\n")
