"""Which titles can still be near enough to a query: of which lengths, and where of each length.

Two titles of ``a`` and ``b`` letters that differ by at most the share ``s`` of their letters are
``floor(s * (a + b))`` deletions and insertions apart at most. That bounds the length, and for each length
the balance (:mod:`~citeproof.bibdb.title_index.signature`); titles of one length lie in order of balance,
so what is left of a length is one piece of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from citeproof.bibdb.title_index import signature
from citeproof.bibdb.title_index.format import BITS

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from citeproof.bibdb.title_index.reader.mapped import TitleIndex


class Reach:
    """The lengths in reach of a query, in ascending order of the least share by which titles of them differ.

    All arrays have one item a length; :meth:`narrow` shortens them.
    """

    def __init__(self, index: TitleIndex, query: str, difference: Fraction) -> None:
        self._index = index
        self._own = len(query)
        self._balance = signature.balance(query)
        self.lengths = self._lengths(difference)
        counts = signature.counts_of(query)
        self.cyclic = signature.cyclic(counts)
        """The query's word that is compared first."""
        self.near, self.far = index.sign(self.lengths, counts)
        """Its two words that are tuned, as titles of this length are signed."""
        self.narrow(difference)

    def __len__(self) -> int:
        return len(self.lengths)

    def narrow(self, difference: Fraction) -> None:
        """Lose interest in titles that differ by a larger share of their letters than ``difference``."""
        surplus, distance = self._own - self.lengths, np.array(self.distances(difference), np.int64)
        kept = int((distance >= np.abs(surplus)).sum())
        distance, surplus = distance[:kept], surplus[:kept]
        self.lengths, self.near, self.far = self.lengths[:kept], self.near[:kept], self.far[:kept]
        deletions, insertions = (distance + surplus) // 2, (distance - surplus) // 2
        self.deletions = np.minimum(deletions, BITS).astype(np.uint8)
        """The most letters that may be deleted from the query; not more than a signature can tell."""
        self.insertions = np.minimum(insertions, BITS).astype(np.uint8)
        """The most letters that may be inserted into it, likewise."""
        self.edits: list[int] = (deletions + insertions).tolist()
        """The most of both together."""
        lowest, highest = self._balance - deletions, self._balance + insertions
        self.pieces = self._index.pieces(self.lengths, lowest, highest)
        """The titles in reach, as half-open ranges."""

    def distances(self, difference: Fraction) -> list[int]:
        """Return how many edits titles of each length may be apart to differ by no larger share of their letters."""
        numerator, denominator = difference.numerator, difference.denominator
        # integers of Python, because a threshold of 17 decimals makes products beyond 64 bits
        return [numerator * (self._own + n) // denominator for n in self.lengths.tolist()]

    def _lengths(self, difference: Fraction) -> NDArray[np.int64]:
        own, lengths = self._own, self._index.lengths
        less = difference.denominator - difference.numerator
        more = difference.denominator + difference.numerator
        shortest = -(-own * less // more)
        longest = lengths.max(initial=0)
        if less:
            longest = min(longest, own * more // less)
        first, last = np.searchsorted(lengths, (shortest, longest + 1))
        reach = lengths[first:last]
        share = np.abs(reach - own) / np.maximum(reach + own, 1)
        return reach[np.argsort(share, kind="stable")]
