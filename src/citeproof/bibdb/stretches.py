"""Stretches of a source file: some whole lines each, so that several processes can read one dump."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from citeproof.bibdb.lines import whole_lines
from citeproof.bibdb.source_file import SourceFile
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citeproof.bibdb.source_file import Reading

STRETCH_BYTES = 1 << 20


class Stretch(NamedTuple):
    """Some whole lines of a file, or what is broken in their place."""

    path: str
    content: bytes
    first_line: int
    """The number of its first line in the file."""
    position: int
    """Bytes of the source that have been read with it."""
    fault: str = ""
    """Why the rest of the file could not be read; there are no lines then."""


class StretchFile(SourceFile):
    """A stretch, to be read as a file is."""

    def __init__(self, stretch: Stretch) -> None:
        self.path = Path(stretch.path)
        self.first_line = stretch.first_line
        self.size, self._position = 0, stretch.position
        self._bytes = io.BytesIO(stretch.content)
        self._raw = cast("io.BufferedReader", self._bytes)
        self._ahead = b""

    @property
    def position(self) -> int:
        """Bytes of the whole source that have been read."""
        return self._position


def split(file: SourceFile, whole: Reading) -> Iterator[Stretch]:
    """Yield the stretches of ``file``, a part of ``whole``; raise :class:`BuildError` where it is broken."""
    line = 1
    for content in _joined(whole_lines(file)):
        yield Stretch(str(file.path), content, line, whole.position)
        line += content.count(b"\n")


def _joined(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield ``pieces`` joined to some :data:`STRETCH_BYTES`; where they end with a fault, first what came before it."""
    some: list[bytes] = []
    size = 0
    try:
        for piece in pieces:
            some.append(piece)
            size += len(piece)
            if size >= STRETCH_BYTES:
                yield b"".join(some)
                some, size = [], 0
    except BuildError:
        if some:
            yield b"".join(some)
        raise
    if some:
        yield b"".join(some)
