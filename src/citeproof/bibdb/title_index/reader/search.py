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

from citeproof.bibdb.title_index.reader.exact import equal
from citeproof.bibdb.title_index.reader.letters import distances
from citeproof.bibdb.title_index.reader.reach import Reach
from citeproof.bibdb.title_index.reader.scan import scan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citeproof.bibdb.title_index.reader.mapped import TitleIndex

    Candidates = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
    """Titles, the indexes of their lengths in the reach, and in how many letters they differ at least; best first."""

_MORE_LENGTHS = 2
"""How many times as many lengths are visited before the titles of them are looked at closer, from batch to batch."""

_FEW = 1 << 16
"""Titles whose signatures are compared in about the time that a closer look at what is left of them has to begin."""

_COMPARED_FIRST = 1
"""Titles that are compared letter by letter before the first look at what was found; one of them mostly is it."""

_MORE_COMPARED = 32
"""How many times as many follow each time; comparing many at once is cheaper than one by one."""

_EQUAL = Fraction(0)


@dataclass(frozen=True, slots=True, order=True)
class TitleMatch:
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
        return float(1 - self.difference) if self.difference else 1.0


@dataclass(frozen=True, slots=True)
class TitleMatches:
    """What a search found."""

    matches: tuple[TitleMatch, ...]
    """Best first."""
    examined: int
    """Titles that were compared letter by letter."""
    complete: bool
    """No title was left out: nothing better exists."""


def best(index: TitleIndex, query: str, threshold: float, max_candidates: int | None = None) -> TitleMatches:
    """Return all titles that tie for most similar to the normalised ``query``, if they reach ``threshold``."""
    return top(index, query, 1, threshold, max_candidates)


def exact(index: TitleIndex, query: str) -> TitleMatches | None:
    """Return the title that equals the normalised ``query``: nothing is nearer. None where there is none."""
    title = equal(index, query)
    return None if title is None else TitleMatches((TitleMatch(_EQUAL, query, title),), 1, complete=True)


def top(index: TitleIndex, query: str, k: int, threshold: float, max_candidates: int | None = None) -> TitleMatches:
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
    answer = exact(index, query) if k == 1 else None
    return answer or _Search(index, query, k, 1 - Fraction(str(threshold)), max_candidates).run()


class _Search:
    """One search while it goes on: what is found so far, and the cut-off that follows."""

    def __init__(self, index: TitleIndex, query: str, k: int, difference: Fraction, budget: int | None) -> None:
        self._index = index
        self._query = query
        self._k = k
        self._cutoff = difference
        """Interest ends with titles that differ by a larger share of their letters."""
        self._reach = Reach(index, query, difference)
        self._most_edits = difference, np.array(self._reach.distances(difference), np.int64)
        """A cut-off, and the most edits that are within it for each length in reach."""
        self._found: list[TitleMatch] = []
        self._budget = budget
        self._examined = 0
        self._cut = False

    def run(self) -> TitleMatches:
        """Look at the titles that may be near enough, nearest lengths first.

        At one length first, because a find narrows the reach for all that follow; then at ever more of
        them, because looking closer at the titles of many lengths at once is cheaper than at those of each.
        """
        first = 0
        while first < len(self._reach) and not self._cut:
            cutoff, last = self._cutoff, self._batch(first)
            for titles, lengths in scan(self._index, self._reach, range(first, last)):
                self._compare(*self._filter(titles, lengths))
                if self._cut:
                    break
            if self._cutoff != cutoff:
                self._reach.narrow(self._cutoff)
            first = last
        return TitleMatches(tuple(self._found), self._examined, complete=not self._cut)

    def _batch(self, first: int) -> int:
        """Return the end of the lengths to visit together, from index ``first`` on."""
        if not first:
            return 1
        pieces, last, titles = self._reach.pieces, first, 0
        while last < len(pieces) and (last <= _MORE_LENGTHS * first or titles < _FEW):
            titles += pieces[last][1] - pieces[last][0]
            last += 1
        return last

    def _filter(self, titles: NDArray[np.int64], length: NDArray[np.int64]) -> Candidates:
        """Return the ``titles`` that both tuned words let pass; ``length`` are the indexes of their lengths.

        The second word is only looked up for what the first lets pass.

        A bit that is set in the query alone needs a deletion, one that is set in the title alone an insertion.
        Example: the query has 40 letters, a title 42; 3 bits are the query's alone, 4 the title's alone. Then at
        least 3 letters are deleted; and 5 are inserted, because the title is 2 letters longer: at least 8 edits.
        In the terms below, surplus = -2 and least = max(3, 4 - 2) * 2 + 2 = 8. A title passes when both bounds are
        within reach. Those that may need the smallest share of their letters changed, here 8 / 82, come first.
        """
        index, reach = self._index, self._reach
        deleted = inserted = np.zeros(len(titles), np.uint8)
        for column, words in ((index.near, reach.near), (index.far, reach.far)):
            own = words.take(length)
            differing = column.take(titles) ^ own
            missing = np.bitwise_count(differing & own)
            deleted, inserted = deleted + missing, inserted + (np.bitwise_count(differing) - missing)
            fits = (deleted <= reach.deletions.take(length)) & (inserted <= reach.insertions.take(length))
            places = fits.nonzero()[0]
            titles, length, deleted, inserted = (one.take(places) for one in (titles, length, deleted, inserted))

        lengths = reach.lengths.take(length)
        surplus = len(self._query) - lengths
        least = np.maximum(deleted, inserted + surplus) * 2 - surplus
        order = (least / np.maximum(lengths + len(self._query), 1)).argsort(kind="stable")
        return titles[order], length[order], least[order]

    def _compare(self, titles: NDArray[np.int64], length: NDArray[np.int64], least: NDArray[np.int64]) -> None:
        """Compare letter by letter and raise the cut-off with every find.

        A few at first, because a find rules most of the others out; then ever more at once. Where the first is no find,
        the next two lots are compared in one call, and what counts of the second is decided after the first.
        """
        lengths, limits, cutoff = self._reach.lengths.take(length), self._limits(length), self._cutoff
        edits = np.empty(len(titles), np.int64)
        first, size, compared = 0, _COMPARED_FIRST, 0
        while first < len(titles) and not self._cut:
            if cutoff != self._cutoff:
                limits, cutoff = self._limits(length), self._cutoff
            last = min(first + size, len(titles))
            if compared < last:
                compared = min(last + size * _MORE_COMPARED, len(titles)) if first else last
                near = first + (least[first:compared] <= limits[first:compared]).nonzero()[0]
                edits[near] = distances(self._index, self._query, titles[near], lengths[near], limits[near])
            near = first + (least[first:last] <= limits[first:last]).nonzero()[0]
            self._count(near, titles, edits, limits)
            if len(near) < last - first:  # those that follow differ by a larger share of their letters
                return
            first, size = last, size * _MORE_COMPARED

    def _limits(self, length: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the most edits that are of interest for titles with these indexes of lengths."""
        cutoff, limits = self._most_edits
        if cutoff != self._cutoff:
            limits = np.array(self._reach.distances(self._cutoff), np.int64)
            self._most_edits = self._cutoff, limits
        return limits.take(length)

    def _count(
        self,
        near: NDArray[np.int64],
        titles: NDArray[np.int64],
        edits: NDArray[np.int64],
        limits: NDArray[np.int64],
    ) -> None:
        """Count those of ``titles`` that ``near`` names as compared, and keep what is within its limit."""
        if self._budget is not None and len(near) > self._budget - self._examined:
            self._cut = True
            near = near[: self._budget - self._examined]
        self._examined += len(near)
        for number in near[edits[near] <= limits[near]].tolist():
            title = int(titles[number])
            text = self._index.normalized(title)
            self._keep(TitleMatch(Fraction(int(edits[number]), len(self._query) + len(text) or 1), text, title))

    def _keep(self, match: TitleMatch) -> None:
        insort(self._found, match)
        if len(self._found) >= self._k:
            last = self._found[self._k - 1].difference
            self._cutoff = last
            while self._found[-1].difference > last:
                self._found.pop()
