"""Reading the signatures of all titles in reach: which of them may be near enough to look at closer?"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from citeproof.bibdb.title_index.format import BITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from citeproof.bibdb.title_index.reader.mapped import TitleIndex
    from citeproof.bibdb.title_index.reader.reach import Reach

    Titles = tuple[NDArray[np.int64], NDArray[np.int64]]

_CHUNK = 1 << 17
"""The most titles compared by one call. Fewer cost more in calls than the caches give back; more bring nothing."""

_ROOM = 1 << 21
"""Titles that are compared before those worth a closer look are gathered, since gathering has a price of its own."""

_GATHERED = 1 << 15
"""The most titles handed on together; bounds the memory of a search with a low threshold."""

_WORD = 8
"""Truth values that fill one number of 64 bits."""

_TUNED_FROM = 22
"""From so many differing letters on, the cyclic word alone keeps more than some 3 % of the titles, and looking the
other words of these up one by one costs more than reading both of all titles."""


class _Scratch(threading.local):
    """Memory of one thread."""

    def __init__(self) -> None:
        self.words = np.empty(_CHUNK, np.uint64)
        self.bits = np.empty(_CHUNK, np.uint8)
        self.more_bits = np.empty(_CHUNK, np.uint8)
        self.kept = np.empty(_ROOM + _WORD, np.bool_)


_scratch = _Scratch()


def scan(index: TitleIndex, reach: Reach, lengths: range) -> Iterator[Titles]:
    """Yield the titles whose signatures differ from the query's in no more bits than letters may be edited.

    ``lengths`` are indexes into ``reach``. Titles come in arrays of bounded size, and beside each of
    them one with the indexes of their lengths.
    """
    parts: list[tuple[int, int, int]] = []
    used = 0
    for length in lengths:
        for first, last in _chunks(*reach.pieces[length]):
            if used + last - first > _ROOM:
                yield from _gathered(used, parts)
                parts, used = [], 0
            _compare(index, reach, length, range(first, last), _scratch.kept[used:])
            parts.append((used, first, length))
            used += last - first
    yield from _gathered(used, parts)


def _chunks(first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield a half-open range in equal parts of :data:`_CHUNK` at most."""
    parts = -(-(last - first) // _CHUNK)
    for part in range(parts):
        yield first + (last - first) * part // parts, first + (last - first) * (part + 1) // parts


def _compare(index: TitleIndex, reach: Reach, length: int, titles: range, kept: NDArray[np.bool_]) -> None:
    """Write into ``kept`` which of ``titles``, all of one length, may be near enough."""
    size, allowed = len(titles), min(reach.edits[length], BITS)
    words, bits = _scratch.words[:size], _scratch.bits[:size]
    if allowed < _TUNED_FROM:
        np.bitwise_xor(index.cyclic.run(titles.start, titles.stop), reach.cyclic, out=words)
        np.bitwise_count(words, out=bits)
    else:
        more_bits = _scratch.more_bits[:size]
        np.bitwise_xor(index.near.run(titles.start, titles.stop), reach.near[length], out=words)
        np.bitwise_count(words, out=bits)
        np.bitwise_xor(index.far.run(titles.start, titles.stop), reach.far[length], out=words)
        np.bitwise_count(words, out=more_bits)
        np.add(bits, more_bits, out=bits)
    np.less_equal(bits, allowed, out=kept[:size])


def _gathered(used: int, parts: list[tuple[int, int, int]]) -> Iterator[Titles]:
    """Yield the titles kept among the first ``used``; of each chunk ``parts`` has its index, first title and length."""
    indexes = _true(_scratch.kept, used)
    starts, firsts, lengths = np.array(parts, np.int64).reshape(-1, 3).T
    ends = np.append(starts[1:], used)
    counts = indexes.searchsorted(ends) - indexes.searchsorted(starts)
    titles, of_length = indexes + (firsts - starts).repeat(counts), lengths.repeat(counts)
    for first in range(0, len(titles), _GATHERED):
        yield titles[first : first + _GATHERED], of_length[first : first + _GATHERED]


def _true(kept: NDArray[np.bool_], used: int) -> NDArray[np.int64]:
    """Return where the first ``used`` of ``kept`` are true.

    Few are, so eight are looked at as one number first, which takes a third of the time of looking at each.
    """
    kept[used : used + -used % _WORD] = False
    words = kept[: used + -used % _WORD].view(np.uint64)
    some = (words != 0).nonzero()[0]
    places = words.take(some).view(np.bool_).nonzero()[0]
    indexes: NDArray[np.int64] = (some << 3).take(places >> 3) + (places & 7)
    return indexes
