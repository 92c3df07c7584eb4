"""Find the titles that may be similar enough to a query, without reading the titles.

An *edit* deletes or inserts a letter. Let a query have ``a`` letters and a title ``b`` letters. If
at most the share ``s`` of all letters may differ, then at most ``floor(s * (a + b))`` edits are
allowed. The *balance* of a title is the number of letters from one half of the alphabet. Length and
balance exclude titles that need more edits. Titles of the same length are sorted by balance, so the
remaining titles are one range of the file. The *signature* of a title has bits computed from letter
counts (:mod:`~citeproof.database.title_index.signature`). An edit flips at most one bit. A title is
therefore also excluded if more bits differ than edits are allowed.
"""

import threading
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from citeproof.database.title_index import signature
from citeproof.database.title_index.column import Integers
from citeproof.database.title_index.format import BITS
from citeproof.database.title_index.mapped import TitleIndex

# two arrays: the numbers of titles, and for each title the index of its length in
# ``Ranges.lengths``
Titles = tuple[Integers, Integers]


class Ranges:
    """The titles that a search must look at, and how many letters of each title may be deleted or
    inserted.

    All arrays have one item per length of titles. The length nearest to the length of the query
    comes first.
    """

    # Example: the query has 40 letters and titles may differ by 1/10 of their letters. Lengths 33
    # to 48 are searched: 33 letters allow floor(73 / 10) = 7 edits and need 7. A title of 42
    # letters allows 8 edits, 3 deletions and 5 insertions, so its balance is at most 3 below and at
    # most 5 above that of the query.

    def __init__(self, index: TitleIndex, query: str, difference: Fraction) -> None:
        self._index = index
        self._own = len(query)
        self._balance = signature.balance(query)
        self.lengths = self._lengths(difference)
        counts = signature.counts_of(query)
        self.cyclic = signature.cyclic(counts)
        """The cyclic word of the signature of the query: 64 bits that encode the letter counts."""
        self.near, self.far = index.sign(self.lengths, counts)
        """Two more 64-bit words of the signature of the query.

        Each length of titles has different words.
        """
        self.narrow(difference)

    def __len__(self) -> int:
        return len(self.lengths)

    def narrow(self, difference: Fraction) -> None:
        """Exclude the titles that certainly differ from the query by a larger share of letters than
        ``difference``.
        """
        surplus, distance = self._own - self.lengths, np.array(self.distances(difference), np.int64)
        kept = int((distance >= np.abs(surplus)).sum())
        distance, surplus = distance[:kept], surplus[:kept]
        self.lengths, self.near, self.far = self.lengths[:kept], self.near[:kept], self.far[:kept]
        deletions, insertions = (distance + surplus) // 2, (distance - surplus) // 2
        self.deletions = np.minimum(deletions, BITS).astype(np.uint8)
        self.insertions = np.minimum(insertions, BITS).astype(np.uint8)
        """Maximum number of letters to insert into the query, for each length of titles.

        At most :data:`BITS`.
        """
        self.edits: list[int] = (deletions + insertions).tolist()
        lowest, highest = self._balance - deletions, self._balance + insertions
        self.pieces = self._index.pieces(self.lengths, lowest, highest)
        """Half-open range of the numbers of the titles to search, for each length of titles."""

    def distances(self, difference: Fraction) -> list[int]:
        """Convert the share ``difference`` of letters that may differ to a number of letters, for
        each title length.
        """
        numerator, denominator = difference.numerator, difference.denominator
        # Python's integers: a threshold of 17 decimals makes products of more than 64 bits
        return [numerator * (self._own + n) // denominator for n in self.lengths.tolist()]

    def _lengths(self, difference: Fraction) -> Integers:
        own, lengths = self._own, self._index.lengths
        less = difference.denominator - difference.numerator
        more = difference.denominator + difference.numerator
        shortest = -(-own * less // more)
        longest = int(lengths[-1]) if len(lengths) else 0
        if less:
            longest = min(longest, own * more // less)
        first, last = np.searchsorted(lengths, (shortest, longest + 1))
        allowed = lengths[first:last]
        return allowed[
            np.argsort(np.abs(allowed - own) / np.maximum(allowed + own, 1), kind="stable")
        ]


# maximum number of signatures that one numpy call compares; they fit into the processor's cache
_CHUNK = 1 << 17
# maximum number of signatures that are compared before the numbers of the similar titles are
# collected
_ROOM = 1 << 21
# maximum number of titles yielded together; this limits the memory used for a low threshold
_GATHERED = 1 << 15
_WORD = 8  # number of booleans that are tested together, as one 64-bit number
_TUNED_FROM = 22
"""If at least this number of edits is allowed, the two tuned words of all signatures are compared,
and not the cyclic word first.

With so many allowed edits, the cyclic word excludes less than 97 % of the titles. To read the tuned
words of the remaining titles, which are scattered over the file, takes longer than to read the
tuned words of all titles.
"""


class _Scratch(threading.local):
    """Arrays for intermediate results.

    Each thread has its own arrays and uses them again in the next search.
    """

    def __init__(self) -> None:
        self.words = np.empty(_CHUNK, np.uint64)
        self.bits = np.empty(_CHUNK, np.uint8)
        self.more_bits = np.empty(_CHUNK, np.uint8)
        self.kept = np.empty(_ROOM + _WORD, np.bool_)


_scratch = _Scratch()


def scan(index: TitleIndex, ranges: Ranges, lengths: range) -> Iterator[Titles]:
    """Yield the titles that may be similar enough to the query, judged by the signatures of the
    titles.

    Each item has two arrays: the numbers of titles, and for each title an index in
    ``ranges.lengths``. ``lengths`` is the range of indexes in ``ranges.lengths`` to search.
    """
    # Example: length 41 is titles 900 to 999, and 8 edits are allowed. The signatures of 100 titles
    # are compared in one call: title 917 differs in 6 bits and is kept, title 918 differs in 11
    # bits, so it is more than 8 edits away. Titles of several lengths fill `kept` one after the
    # other, and are collected when it is full or at the end.
    parts: list[tuple[int, int, int]] = []
    used = 0
    for length in lengths:
        start, end = ranges.pieces[length]
        for first in range(start, end, _CHUNK):
            last = min(first + _CHUNK, end)
            if used + last - first > _ROOM:
                yield from _gathered(used, parts)
                parts, used = [], 0
            _compare(index, ranges, length, range(first, last), _scratch.kept[used:])
            parts.append((used, first, length))
            used += last - first
    yield from _gathered(used, parts)


def _compare(
    index: TitleIndex, ranges: Ranges, length: int, titles: range, kept: NDArray[np.bool_]
) -> None:
    """Compare the signatures of ``titles`` of one length.

    Set ``kept`` to true where a title may be similar enough.
    """
    size, allowed = len(titles), min(ranges.edits[length], BITS)
    words, bits = _scratch.words[:size], _scratch.bits[:size]
    if allowed < _TUNED_FROM:
        np.bitwise_xor(index.cyclic.run(titles.start, titles.stop), ranges.cyclic, out=words)
        np.bitwise_count(words, out=bits)
    else:
        more_bits = _scratch.more_bits[:size]
        np.bitwise_xor(index.near.run(titles.start, titles.stop), ranges.near[length], out=words)
        np.bitwise_count(words, out=bits)
        np.bitwise_xor(index.far.run(titles.start, titles.stop), ranges.far[length], out=words)
        np.bitwise_count(words, out=more_bits)
        np.add(bits, more_bits, out=bits)
    np.less_equal(bits, allowed, out=kept[:size])


def _gathered(used: int, parts: list[tuple[int, int, int]]) -> Iterator[Titles]:
    """Yield the titles for which ``_scratch.kept`` is true.

    ``used`` is the number of values that are in use in ``_scratch.kept``. ``parts`` has tuples: the
    offset of a part in ``_scratch.kept``, the number of the first title in the part, and the index
    of the length of its titles.
    """
    indexes = _true_indexes(_scratch.kept, used)
    starts, firsts, lengths = np.array(parts, np.int64).reshape(-1, 3).T
    ends = np.append(starts[1:], used)
    counts = indexes.searchsorted(ends) - indexes.searchsorted(starts)
    titles, of_length = indexes + (firsts - starts).repeat(counts), lengths.repeat(counts)
    for first in range(0, len(titles), _GATHERED):
        yield titles[first : first + _GATHERED], of_length[first : first + _GATHERED]


def _true_indexes(kept: NDArray[np.bool_], used: int) -> Integers:
    # Few values are true. Testing eight of them as one number first takes a third of the time of
    # testing each.
    kept[used : used + -used % _WORD] = False
    words = kept[: used + -used % _WORD].view(np.uint64)
    some = (words != 0).nonzero()[0]
    places = words.take(some).view(np.bool_).nonzero()[0]
    indexes: Integers = (some << 3).take(places >> 3) + (places & 7)
    return indexes
