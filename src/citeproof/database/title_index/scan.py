"""Reads the signatures of all titles in reach of a query, and keeps those that may be similar enough.

Two titles of ``a`` and ``b`` letters that differ by at most the share ``s`` of their letters are at most
``floor(s * (a + b))`` edits (deletions and insertions) apart. That bounds the length and, for each length, the balance
(:mod:`~citeproof.database.title_index.signature`). Titles of one length are sorted by balance, so those in reach are
one range of the file.
"""

import threading
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from citeproof.database.title_index import signature
from citeproof.database.title_index.format import BITS
from citeproof.database.title_index.mapped import TitleIndex

Titles = tuple[NDArray[np.int64], NDArray[np.int64]]


class Reach:
    """The lengths of titles that may be similar enough to a query, those with the smallest possible difference first.

    All arrays have one item a length. :meth:`narrow` shortens them.
    """

    # Example: the query has 40 letters and titles may differ by 1/10 of their letters. Lengths 33 to 48 are in reach:
    # 33 letters allow floor(73 / 10) = 7 edits and need 7. A title of 42 letters allows 8 edits, 3 deletions and
    # 5 insertions, so its balance is at most 3 below and at most 5 above that of the query.

    def __init__(self, index: TitleIndex, query: str, difference: Fraction) -> None:
        self._index = index
        self._own = len(query)
        self._balance = signature.balance(query)
        self.lengths = self._lengths(difference)
        counts = signature.counts_of(query)
        self.cyclic = signature.cyclic(counts)
        """The cyclic signature word of the query."""
        self.near, self.far = index.sign(self.lengths, counts)
        """The two tuned signature words of the query for each length."""
        self.narrow(difference)

    def __len__(self) -> int:
        return len(self.lengths)

    def narrow(self, difference: Fraction) -> None:
        """Drop lengths and titles that must differ from the query by a larger share of letters than ``difference``."""
        surplus, distance = self._own - self.lengths, np.array(self.distances(difference), np.int64)
        kept = int((distance >= np.abs(surplus)).sum())
        distance, surplus = distance[:kept], surplus[:kept]
        self.lengths, self.near, self.far = self.lengths[:kept], self.near[:kept], self.far[:kept]
        deletions, insertions = (distance + surplus) // 2, (distance - surplus) // 2
        self.deletions = np.minimum(deletions, BITS).astype(np.uint8)
        """Maximum letters deleted from the query, at most :data:`BITS`."""
        self.insertions = np.minimum(insertions, BITS).astype(np.uint8)
        """Maximum letters inserted into the query, at most :data:`BITS`."""
        self.edits: list[int] = (deletions + insertions).tolist()
        """Maximum edits, deletions and insertions together."""
        lowest, highest = self._balance - deletions, self._balance + insertions
        self.pieces = self._index.pieces(self.lengths, lowest, highest)
        """Half-open ranges of the titles that may be similar enough."""

    def distances(self, difference: Fraction) -> list[int]:
        """Return for each length the maximum edits that ``difference``, a share of all letters, allows."""
        numerator, denominator = difference.numerator, difference.denominator
        # Python's integers: a threshold of 17 decimals makes products of more than 64 bits
        return [numerator * (self._own + n) // denominator for n in self.lengths.tolist()]

    def _lengths(self, difference: Fraction) -> NDArray[np.int64]:
        own, lengths = self._own, self._index.lengths
        less = difference.denominator - difference.numerator
        more = difference.denominator + difference.numerator
        shortest = -(-own * less // more)
        longest = int(lengths[-1]) if len(lengths) else 0
        if less:
            longest = min(longest, own * more // less)
        first, last = np.searchsorted(lengths, (shortest, longest + 1))
        reach = lengths[first:last]
        share = np.abs(reach - own) / np.maximum(reach + own, 1)
        return reach[np.argsort(share, kind="stable")]


_CHUNK = 1 << 17
"""Maximum titles compared by one numpy call. Fewer cost more in calls than the caches save; more save nothing."""
_ROOM = 1 << 21
"""Maximum titles compared before the accepted ones are collected. Each collection has a fixed cost."""
_GATHERED = 1 << 15
"""Maximum titles yielded together. It limits the memory of a search with a low threshold."""
_WORD = 8  # numpy type of 64 bits, with which eight booleans are tested at once
_TUNED_FROM = 22
"""Minimum edits from which both tuned words are compared in place of the cyclic word. The cyclic word then accepts more
than some 3 % of the titles. Looking up their other words at random costs more than reading both words of all titles.
"""


class _Scratch(threading.local):
    """Reusable arrays of one thread."""

    def __init__(self) -> None:
        self.words = np.empty(_CHUNK, np.uint64)
        self.bits = np.empty(_CHUNK, np.uint8)
        self.more_bits = np.empty(_CHUNK, np.uint8)
        self.kept = np.empty(_ROOM + _WORD, np.bool_)


_scratch = _Scratch()


def scan(index: TitleIndex, reach: Reach, lengths: range) -> Iterator[Titles]:
    """Yield the titles whose signature differs from that of the query in at most as many bits as edits are allowed.

    Each yielded pair of arrays has titles and, for each, the index of its length in ``reach``. ``lengths`` are the
    indexes to search.
    """
    # Example: length 41 is titles 900 to 999, and 8 edits are allowed. The signatures of 100 titles are compared in one
    # call: title 917 differs in 6 bits and is kept, title 918 differs in 11 bits, so it is more than 8 edits away.
    # Titles of several lengths fill `kept` one after the other, and are collected when it is full or at the end.
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
    """Yield a half-open range in equal parts of at most :data:`_CHUNK` titles."""
    parts = -(-(last - first) // _CHUNK)
    for part in range(parts):
        yield first + (last - first) * part // parts, first + (last - first) * (part + 1) // parts


def _compare(index: TitleIndex, reach: Reach, length: int, titles: range, kept: NDArray[np.bool_]) -> None:
    """Compare the signatures of ``titles``, all of one length. Set in ``kept`` those that may be similar enough."""
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
    """Yield the accepted titles. ``parts`` has for each chunk its offset in ``kept``, first title and length."""
    indexes = _true(_scratch.kept, used)
    starts, firsts, lengths = np.array(parts, np.int64).reshape(-1, 3).T
    ends = np.append(starts[1:], used)
    counts = indexes.searchsorted(ends) - indexes.searchsorted(starts)
    titles, of_length = indexes + (firsts - starts).repeat(counts), lengths.repeat(counts)
    for first in range(0, len(titles), _GATHERED):
        yield titles[first : first + _GATHERED], of_length[first : first + _GATHERED]


def _true(kept: NDArray[np.bool_], used: int) -> NDArray[np.int64]:
    """Return the indexes of the true values among the first ``used`` of ``kept``.

    Few are true, so eight values are tested as one number first: a third of the time of testing each.
    """
    kept[used : used + -used % _WORD] = False
    words = kept[: used + -used % _WORD].view(np.uint64)
    some = (words != 0).nonzero()[0]
    places = words.take(some).view(np.bool_).nonzero()[0]
    indexes: NDArray[np.int64] = (some << 3).take(places >> 3) + (places & 7)
    return indexes
