"""Edits upon edits as edits of the first text.

Old text ``abcdef``; the first edits make ``abXYef`` of it (2 to 4 becomes ``XY``), the second ``aZYef`` (1 to 3 becomes
``Z``): together 1 to 4 becomes ``ZY``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ByteEdit = tuple[int, int, bytes]
"""First byte, end, and the bytes that come instead."""
_Piece = tuple[int, int] | bytes
"""A stretch of the old data that is kept, or new bytes."""


def composed(size: int, steps: Sequence[Sequence[ByteEdit]]) -> tuple[ByteEdit, ...]:
    """Return as one list of edits what ``steps`` do to data of ``size`` bytes one after the other.

    The edits of each step are in order and apart from each other, and are about what the step before made.
    """
    pieces: list[_Piece] = [(0, size)]
    for edits in steps:
        pieces = list(_applied(pieces, edits))
    return tuple(_edits(pieces, size))


def _applied(pieces: Iterable[_Piece], edits: Iterable[ByteEdit]) -> Iterator[_Piece]:
    """Yield the pieces that ``edits`` leave of ``pieces``, in one pass."""
    rest = iter(pieces)
    piece: _Piece | None = next(rest, None)
    at = 0
    for start, end, new in edits:
        for stop, keep in ((start, True), (end, False)):
            while piece is not None and at + _length(piece) <= stop:
                if keep:
                    yield piece
                at += _length(piece)
                piece = next(rest, None)
            if piece is not None and at < stop:
                head, piece = _cut(piece, stop - at)
                at = stop
                if keep:
                    yield head
        yield new
    while piece is not None:
        yield piece
        piece = next(rest, None)


def _edits(pieces: Iterable[_Piece], size: int) -> Iterator[ByteEdit]:
    """Yield what stands in place of the stretches of old data that are not kept."""
    at, new = 0, b""
    for piece in (*pieces, (size, size)):
        if isinstance(piece, bytes):
            new += piece
            continue
        if new or piece[0] > at:
            yield at, piece[0], new
        at, new = piece[1], b""


def _length(piece: _Piece) -> int:
    return len(piece) if isinstance(piece, bytes) else piece[1] - piece[0]


def _cut(piece: _Piece, length: int) -> tuple[_Piece, _Piece]:
    if isinstance(piece, bytes):
        return piece[:length], piece[length:]
    middle = piece[0] + length
    return (piece[0], middle), (middle, piece[1])
