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

import threading
from bisect import insort
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rapidfuzz.distance import Indel

from citeproof.bibdb.title_index import signature
from citeproof.bibdb.title_index.exact import equal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from citeproof.bibdb.title_index.mapped import TitleIndex

_CHUNK = 1 << 16
"""Titles whose first signature words are compared at once: 512 KiB of scratch, which stays in a core's L2 cache."""

_HELD = 1 << 14
"""Titles that wait to be looked at closer; bounds the memory of a search with a low threshold."""

_BOTH_WORDS_FROM = 18
"""From so many differing bits on, the first word alone keeps more than some 3 % of the titles, and looking the
second words of these up one by one costs more than reading them all."""


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


class _Scratch(threading.local):
    """Memory of one thread for the comparison of signatures."""

    def __init__(self) -> None:
        self.words = np.empty(_CHUNK, np.uint64)
        self.bits = np.empty(_CHUNK, np.uint8)
        self.more_words = np.empty(_CHUNK, np.uint64)
        self.more_bits = np.empty(_CHUNK, np.uint8)
        self.kept = np.empty(_CHUNK, np.bool_)


_scratch = _Scratch()


class _Near(NamedTuple):
    """Titles of one length whose first signature word may be near enough."""

    length: int
    deletions: int
    insertions: int
    signature: tuple[np.uint64, np.uint64]
    """The query's."""
    titles: NDArray[np.int64]
    differs: NDArray[np.uint64]
    """In which bits their first words differ from the query's."""


class _Search:
    """One search while it goes on: what is found so far, and the cut-off that follows."""

    def __init__(self, index: TitleIndex, query: str, k: int, difference: Fraction, budget: int | None) -> None:
        self._index = index
        self._query = query
        self._k = k
        self._counts = signature.counts_of(query)
        self._balance = signature.balance(query)
        self._signatures: dict[int, tuple[np.uint64, np.uint64]] = {}
        self._found: list[Match] = []
        self._raise_cutoff(difference)
        self._budget = budget
        self._examined = 0
        self._cut = False

    def run(self) -> Answer:
        """Look at the titles that may be near enough, nearest lengths first."""
        for near in self._batches():
            self._compare(self._filter(near))
            if self._cut:
                break
        return Answer(tuple(self._found), self._examined, complete=not self._cut)

    def _raise_cutoff(self, difference: Fraction) -> None:
        """Lose interest in titles that differ by a larger share of the letters than ``difference``."""
        self._numerator, self._denominator = difference.numerator, difference.denominator

    def _lengths(self) -> list[int]:
        """The lengths that the cut-off reaches at the outset, in ascending order of the least share that differs."""
        own, lengths = len(self._query), self._index.lengths
        less = self._denominator - self._numerator
        more = self._denominator + self._numerator
        shortest = -(-own * less // more)
        longest = lengths.max(initial=0)
        if less:
            longest = min(longest, own * more // less)
        first, last = np.searchsorted(lengths, (shortest, longest + 1))
        reach = lengths[first:last]
        share = np.abs(reach - own) / np.maximum(reach + own, 1)
        order: list[int] = reach[np.argsort(share, kind="stable")].tolist()
        return order

    def _allowed(self, length: int) -> tuple[int, int] | None:
        """Return how many deletions and insertions may lead from the query to a title of ``length``; None for none."""
        surplus = len(self._query) - length
        distance = self._numerator * (len(self._query) + length) // self._denominator
        if distance < abs(surplus):
            return None
        return (distance + surplus) // 2, (distance - surplus) // 2

    def _batches(self) -> Iterator[list[_Near]]:
        """Yield what may be near enough of one length, then of two, of four...

        Few lengths at first, because a find raises the cut-off for all that follow; many later on,
        because looking closer at the titles of many lengths at once is cheaper than at those of each.
        """
        held: list[_Near] = []
        waiting, goal = 0, 1
        for visited, length in enumerate(self._lengths(), 1):
            allowed = self._allowed(length)
            if allowed is None:
                break
            for first, last in self._runs(length, *allowed):
                near = self._near(first, last, length, *allowed)
                if not len(near.titles):
                    continue
                held.append(near)
                waiting += len(near.titles)
                if waiting > _HELD:
                    yield held
                    held, waiting = [], 0
            if visited == goal:
                yield held
                held, waiting, goal = [], 0, 2 * goal + 1
        yield held

    def _runs(self, length: int, deletions: int, insertions: int) -> Iterator[tuple[int, int]]:
        """Yield the titles of ``length`` whose balance is near enough, as half-open ranges of a chunk at most."""
        rows = self._index.rows(length, self._balance - deletions, self._balance + insertions)
        first, last = (self._index.row_start[row] for row in rows)
        for start in range(first, last, _CHUNK):
            yield start, min(start + _CHUNK, last)

    def _near(self, first: int, last: int, length: int, deletions: int, insertions: int) -> _Near:
        """Return the titles from ``first`` to before ``last`` whose first signature words are near enough."""
        near, far = self._signature(length)
        size, allowed = last - first, min(deletions + insertions, signature.BITS)
        words, bits, kept = _scratch.words[:size], _scratch.bits[:size], _scratch.kept[:size]
        np.bitwise_xor(self._index.near.run(first, last), near, out=words)
        np.bitwise_count(words, out=bits)
        if allowed >= _BOTH_WORDS_FROM:
            more, more_bits = _scratch.more_words[:size], _scratch.more_bits[:size]
            np.bitwise_xor(self._index.far.run(first, last), far, out=more)
            np.bitwise_count(more, out=more_bits)
            np.add(bits, more_bits, out=bits)
        np.less_equal(bits, allowed, out=kept)
        places = kept.nonzero()[0]
        return _Near(length, deletions, insertions, (near, far), places + first, words[places])

    def _filter(self, batch: list[_Near]) -> list[tuple[float, int, int, int]]:
        """Return the titles of ``batch`` that both signature words let pass, most promising first.

        Each as the least share of the letters in which it can differ, least distance, length and title.
        """
        if not batch:
            return []
        owner = np.repeat(np.arange(len(batch)), [len(each.titles) for each in batch])
        titles = np.concatenate([each.titles for each in batch])
        differs = np.concatenate([each.differs for each in batch])
        near, far = np.array([each.signature for each in batch], np.uint64).T
        length, deletions, insertions = np.array([each[:3] for each in batch], np.int64).T

        deleted = np.bitwise_count(differs & near[owner])
        inserted = np.bitwise_count(differs) - deleted
        fits = ((deleted <= deletions[owner]) & (inserted <= insertions[owner])).nonzero()[0]
        titles, owner, deleted, inserted = titles[fits], owner[fits], deleted[fits], inserted[fits]
        own = far[owner]
        differs = self._index.far.take(titles) ^ own
        more = np.bitwise_count(differs & own)
        deleted += more
        inserted += np.bitwise_count(differs) - more
        fits = ((deleted <= deletions[owner]) & (inserted <= insertions[owner])).nonzero()[0]

        lengths = length[owner[fits]]
        surplus = len(self._query) - lengths
        least = np.maximum(deleted[fits], inserted[fits] + surplus) * 2 - surplus
        share = least / np.maximum(lengths + len(self._query), 1)
        return sorted(zip(share.tolist(), least.tolist(), lengths.tolist(), titles[fits].tolist(), strict=True))

    def _signature(self, length: int) -> tuple[np.uint64, np.uint64]:
        number = self._index.pairs_number(length)
        if number not in self._signatures:
            near, far = self._index.pairs(number).sign(self._counts)[0]
            self._signatures[number] = (near, far)
        return self._signatures[number]

    def _compare(self, candidates: list[tuple[float, int, int, int]]) -> None:
        """Compare letter by letter, most promising first, and raise the cut-off with every find."""
        index, query = self._index, self._query
        for _, least, length, title in candidates:
            total = len(query) + length
            limit = self._numerator * total // self._denominator
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
            self._raise_cutoff(last)
            while self._found[-1].difference > last:
                self._found.pop()
