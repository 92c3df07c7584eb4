"""The exact best matches of a title: no title can be nearer than those that come back.

Two titles of ``a`` and ``b`` letters that differ by ``distance`` deletions and insertions are
``1 - distance / (a + b)`` similar. All cut-offs are integers; a float would lose scores equal to it.

1. An equal title is found by binary search.
2. Otherwise the lengths are visited nearest first, as far as the cut-off reaches; the best score so
   far raises the cut-off and shrinks what is left.
3. Of each length only the titles are read whose balance is near enough, and of these only those are
   compared letter by letter whose signatures are (:mod:`~citeproof.bibdb.title_index.signature`).
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import Indel

from citeproof.bibdb.title_index.exact import equal
from citeproof.bibdb.title_index.reach import Reach
from citeproof.bibdb.title_index.scan import scan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citeproof.bibdb.title_index.mapped import TitleIndex

_MORE_LENGTHS = 2
"""How many times as many lengths are visited before the titles of them are looked at closer, from batch to batch."""


@dataclass(frozen=True, slots=True, order=True)
class Match:
    """A title of the index; matches sort best first, then by text."""

    difference: Fraction
    """1 - similarity, exactly."""
    text: str
    """The normalised title."""
    title: int
    """Its number in the index."""

    @property
    def similarity(self) -> float:
        """Normalised Indel similarity, 0 to 1."""
        return float(1 - self.difference)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found."""

    matches: tuple[Match, ...]
    """Best first."""
    examined: int
    """Titles that were compared letter by letter."""
    complete: bool
    """No title was left out: nothing better exists."""


def best(index: TitleIndex, query: str, threshold: float, max_candidates: int | None = None) -> Answer:
    """Return all titles that tie for most similar to the normalised ``query``, if they reach ``threshold``."""
    return top(index, query, 1, threshold, max_candidates)


def top(index: TitleIndex, query: str, k: int, threshold: float, max_candidates: int | None = None) -> Answer:
    """Return the ``k`` titles most similar to the normalised ``query``, and all that tie with the last of them.

    Args:
        index: the index to search.
        query: a title as :func:`~citeproof.text.normalize.normalize_title` returns it.
        k: how many titles are wanted, at least 1.
        threshold: the lowest similarity of interest, 0 to 1, taken as the decimal it prints as.
        max_candidates: compare at most so many titles; where that cuts the search, the answer is not complete.
    """
    if k < 1 or not 0 <= threshold <= 1:
        raise ValueError(f"k is {k} and must be at least 1; threshold is {threshold} and must be from 0 to 1")
    if k == 1:
        title = equal(index, query)
        if title is not None:
            return Answer((Match(Fraction(0), query, title),), 1, complete=True)
    return _Search(index, query, k, 1 - Fraction(str(threshold)), max_candidates).run()


class _Search:
    """One search while it goes on: what is found so far, and the cut-off that follows."""

    def __init__(self, index: TitleIndex, query: str, k: int, difference: Fraction, budget: int | None) -> None:
        self._index = index
        self._query = query
        self._k = k
        self._cutoff = difference
        """Interest ends with titles that differ by a larger share of their letters."""
        self._reach = Reach(index, query, difference)
        self._found: list[Match] = []
        self._budget = budget
        self._examined = 0
        self._cut = False

    def run(self) -> Answer:
        """Look at the titles that may be near enough, nearest lengths first.

        At one length first, because a find narrows the reach for all that follow; then at ever more of
        them, because looking closer at the titles of many lengths at once is cheaper than at those of each.
        """
        first, last = 0, 1
        while first < len(self._reach) and not self._cut:
            cutoff = self._cutoff
            for titles, lengths in scan(self._index, self._reach, range(first, min(last, len(self._reach)))):
                self._compare(self._filter(titles, lengths))
                if self._cut:
                    break
            if self._cutoff != cutoff:
                self._reach.narrow(self._cutoff)
            first, last = last, _MORE_LENGTHS * last + 1
        return Answer(tuple(self._found), self._examined, complete=not self._cut)

    def _filter(self, titles: NDArray[np.int64], length: NDArray[np.int64]) -> list[tuple[float, int, int, int]]:
        """Return the ``titles`` that both signature words let pass, most promising first.

        ``length`` are the places of their lengths. Each title comes with the least share of the letters in
        which it can differ, the least distance, and its length before it.
        """
        reach = self._reach
        deleted = inserted = np.zeros(len(titles), np.uint8)
        for column, words in ((self._index.near, reach.near), (self._index.far, reach.far)):
            own = words[length]
            differs = column.take(titles) ^ own
            gone = np.bitwise_count(differs & own)
            deleted, inserted = deleted + gone, inserted + np.bitwise_count(differs) - gone
            fits = ((deleted <= reach.deletions[length]) & (inserted <= reach.insertions[length])).nonzero()[0]
            titles, length, deleted, inserted = titles[fits], length[fits], deleted[fits], inserted[fits]

        lengths = reach.lengths[length]
        surplus = len(self._query) - lengths
        least = np.maximum(deleted, inserted + surplus) * 2 - surplus
        share = least / np.maximum(lengths + len(self._query), 1)
        return sorted(zip(share.tolist(), least.tolist(), lengths.tolist(), titles.tolist(), strict=True))

    def _compare(self, candidates: list[tuple[float, int, int, int]]) -> None:
        """Compare letter by letter, most promising first, and raise the cut-off with every find."""
        index, query = self._index, self._query
        for _, least, length, title in candidates:
            total = len(query) + length
            limit = self._cutoff.numerator * total // self._cutoff.denominator
            if least > limit:
                return
            if self._examined == self._budget:
                self._cut = True
                return
            self._examined += 1
            text = index.normalized(title)
            distance = Indel.distance(query, text, score_cutoff=limit)
            if distance <= limit:
                self._keep(Match(Fraction(distance, total or 1), text, title))

    def _keep(self, match: Match) -> None:
        insort(self._found, match)
        if len(self._found) >= self._k:
            last = self._found[self._k - 1].difference
            self._cutoff = last
            while self._found[-1].difference > last:
                self._found.pop()
