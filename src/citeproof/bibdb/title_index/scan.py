"""Reading the signatures of all titles in reach: which of them may be near enough to look at closer?"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from citeproof.bibdb.title_index import signature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from citeproof.bibdb.title_index.mapped import TitleIndex
    from citeproof.bibdb.title_index.reach import Reach

    Titles = tuple[NDArray[np.int64], NDArray[np.int64]]
    _Piece = tuple[int, int, int]
    """The first title, the one after the last, and the place of their length."""

_CHUNK = 1 << 17
"""The most titles compared by one call. Fewer cost more in calls than the caches give back; more bring nothing."""

_ROOM = 1 << 21
"""Titles that are compared before those worth a closer look are gathered, since gathering has a price of its own."""

_AT_ONCE = 1 << 15
"""The most titles handed on at once; bounds the memory of a search with a low threshold."""

_GAP = 1 << 11
"""Titles out of reach that are compared all the same, because that takes no longer than another call."""


class _Scratch(threading.local):
    """Memory of one thread."""

    def __init__(self) -> None:
        self.words = np.empty(_CHUNK, np.uint64)
        self.bits = np.empty(_CHUNK, np.uint8)
        self.more_bits = np.empty(_CHUNK, np.uint8)
        self.kept = np.empty(_ROOM, np.bool_)


_scratch = _Scratch()


def scan(index: TitleIndex, reach: Reach, lengths: range) -> Iterator[Titles]:
    """Yield the titles whose signatures differ from the query's in no more bits than letters may be edited.

    ``lengths`` are places in ``reach``. Titles come in arrays of bounded size, and beside each of
    them one with the places of their lengths.
    """
    pieces = sorted(_pieces(reach, lengths))
    runs: list[tuple[int, int]] = []
    used = 0
    for run in _runs(reach, pieces):
        first, last = run[0][0], run[-1][1]
        if used + last - first > _ROOM:
            yield from _gathered(used, runs, pieces)
            runs, used = [], 0
        _compare(index, reach, run, _scratch.kept[used:])
        runs.append((used, first))
        used += last - first
    yield from _gathered(used, runs, pieces)


def _pieces(reach: Reach, lengths: range) -> Iterator[_Piece]:
    """Yield the titles in reach in pieces of :data:`_CHUNK` at most, each with the place of its length."""
    for length in lengths:
        first, last = reach.pieces[length]
        parts = -(-(last - first) // _CHUNK)
        for part in range(parts):
            yield first + (last - first) * part // parts, first + (last - first) * (part + 1) // parts, length


def _runs(reach: Reach, pieces: list[_Piece]) -> Iterator[list[_Piece]]:
    """Yield ``pieces`` in groups that one comparison takes, those titles included that lie between them."""
    run: list[_Piece] = []
    for piece in pieces:
        first, last, length = piece
        if run:
            begin, end, before = run[0][0], run[-1][1], run[-1][2]
            if first - end > _GAP or last - begin > _CHUNK or not reach.signed_alike(before, length):
                yield run
                run = []
        run.append(piece)
    if run:
        yield run


def _compare(index: TitleIndex, reach: Reach, run: list[_Piece], kept: NDArray[np.bool_]) -> None:
    """Write into ``kept`` which titles from the first to the last of ``run`` may be near enough."""
    begin, end, length = run[0][0], run[-1][1], run[0][2]
    size = end - begin
    words, bits = _scratch.words[:size], _scratch.bits[:size]
    if reach.by_cycles(length):
        np.bitwise_xor(index.cyclic.run(begin, end), reach.cyclic, out=words)
        np.bitwise_count(words, out=bits)
    else:
        more_bits = _scratch.more_bits[:size]
        np.bitwise_xor(index.near.run(begin, end), reach.near[length], out=words)
        np.bitwise_count(words, out=bits)
        np.bitwise_xor(index.far.run(begin, end), reach.far[length], out=words)
        np.bitwise_count(words, out=more_bits)
        np.add(bits, more_bits, out=bits)
    kept[:size] = False
    for first, last, length in run:
        part = slice(first - begin, last - begin)
        np.less_equal(bits[part], min(reach.edits[length], signature.BITS), out=kept[part])


def _gathered(used: int, runs: list[tuple[int, int]], pieces: list[_Piece]) -> Iterator[Titles]:
    """Yield the titles kept among the first ``used``; of each run ``runs`` has its place and its first title."""
    kept = _scratch.kept[:used].nonzero()[0]
    places, firsts = np.array(runs, np.int64).reshape(-1, 2).T
    begins, _, lengths = np.array(pieces, np.int64).reshape(-1, 3).T
    for first in range(0, len(kept), _AT_ONCE):
        some = kept[first : first + _AT_ONCE]
        run = places.searchsorted(some, "right") - 1
        titles = some - places[run] + firsts[run]
        yield titles, lengths[begins.searchsorted(titles, "right") - 1]
