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
from bisect import bisect_left, insort
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import Indel

from citeproof.bibdb.title_index import keys, signature
from citeproof.bibdb.title_index.spill import CODECS, letter_width

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citeproof.bibdb.title_index.mapped import TitleIndex

_CHUNK = 1 << 16
"""Titles whose first signature words are compared at once: 512 KiB of scratch, which stays in a core's L2 cache."""

_MAX_MAIN_TITLES = 50
"""A main title that more titles share ("Editorial", "Introduction") says nothing about which is meant."""


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


def equal(index: TitleIndex, query: str) -> int | None:
    """Return the number of the title that equals the normalised ``query``, or None."""
    width = letter_width(query)
    wanted = query.encode(CODECS[width])
    balance = int(signature.balances(_counts(query))[0])
    for row in range(*index.rows(len(query), balance, balance)):
        if index.row_width[row] == width:
            first, last = int(index.row_start[row]), int(index.row_start[row + 1])
            title = bisect_left(range(last), wanted, first, key=partial(index.raw, row=row))
            if title < last and index.raw(title, row) == wanted:
                return title
    return None


def same_words(index: TitleIndex, query: str) -> list[int]:
    """Return the titles that have the words of the normalised ``query`` in another order.

    Such titles are equally long and have the same letters, so they lie side by side under one signature.
    """
    counts = _counts(query)
    balance = int(signature.balances(counts)[0])
    first_row, last_row = index.rows(len(query), balance, balance)
    if first_row == last_row:
        return []
    first, last = int(index.row_start[first_row]), int(index.row_start[last_row])
    near, far = index.pairs(index.pairs_number(len(query))).sign(counts)[0]
    places = first + np.flatnonzero(index.near.run(first, last) == near)
    places = places[index.far.take(places) == far]
    return [title for title in places.tolist() if keys.same_words(index.normalized(title), query)]


def main_titles(index: TitleIndex, query: str, main: str) -> list[int]:
    """Return the titles that equal the normalised ``query`` but for a subtitle that one of the two lacks.

    ``main`` is the query's own main title, or empty. The record's raw title has the last word on where
    its subtitle begins: see :func:`~citeproof.bibdb.title_index.keys.main_title`.
    """
    title = equal(index, main) if main else None
    found = [] if title is None else [title]
    hashes, wanted = index.main_hash, keys.main_hash(query)
    first = bisect_left(range(len(hashes)), wanted, key=hashes.item)
    last = bisect_left(range(len(hashes)), wanted + 1, first, key=hashes.item)
    if last - first > _MAX_MAIN_TITLES:
        return found
    subtitled = index.main_title.run(first, last).tolist()
    return found + [title for title in subtitled if index.normalized(title).startswith(query + " ")]


class _Scratch(threading.local):
    """Memory of one thread for the comparison of signatures."""

    def __init__(self) -> None:
        self.words = np.empty(_CHUNK, np.uint64)
        self.bits = np.empty(_CHUNK, np.uint8)
        self.near = np.empty(_CHUNK, np.bool_)


_scratch = _Scratch()


class _Search:
    """One search while it goes on: what is found so far, and the cut-off that follows."""

    def __init__(self, index: TitleIndex, query: str, k: int, difference: Fraction, budget: int | None) -> None:
        self._index = index
        self._query = query
        self._k = k
        self._counts = _counts(query)
        self._balance = int(signature.balances(self._counts)[0])
        self._signatures: dict[int, tuple[np.uint64, np.uint64]] = {}
        self._found: list[Match] = []
        self._difference = difference
        """The cut-off: titles that differ by a larger share of the letters are of no interest."""
        self._budget = budget
        self._examined = 0
        self._cut = False

    def run(self) -> Answer:
        """Visit the lengths, nearest first."""
        for length in self._lengths():
            if self._cut or self._allowed(length) is None:
                break
            self._visit(length)
        return Answer(tuple(self._found), self._examined, complete=not self._cut)

    def _lengths(self) -> list[int]:
        """The lengths that the cut-off reaches at the outset, in ascending order of the least share that differs."""
        own, lengths = len(self._query), self._index.lengths
        less = self._difference.denominator - self._difference.numerator
        more = self._difference.denominator + self._difference.numerator
        shortest = -(-own * less // more)
        longest = lengths.max(initial=0)
        if less:
            longest = min(longest, own * more // less)
        first, last = np.searchsorted(lengths, (shortest, longest + 1))
        reach = lengths[first:last]
        share = np.abs(reach - own) / np.maximum(reach + own, 1)
        return [int(length) for length in reach[np.argsort(share, kind="stable")]]

    def _allowed(self, length: int) -> tuple[int, int] | None:
        """Return how many deletions and insertions may lead from the query to a title of ``length``; None for none."""
        total = len(self._query) + length
        distance = self._difference.numerator * total // self._difference.denominator
        surplus = len(self._query) - length
        if distance < abs(surplus):
            return None
        return (distance + surplus) // 2, (distance - surplus) // 2

    def _visit(self, length: int) -> None:
        deletions, insertions = self._allowed(length) or (0, 0)
        rows = self._index.rows(length, self._balance - deletions, self._balance + insertions)
        first, last = (int(self._index.row_start[row]) for row in rows)
        while first < last and not self._cut:
            allowed = self._allowed(length)
            if allowed is None:
                return
            end = min(first + _CHUNK, last)
            self._compare(self._near(first, end, length, *allowed), length)
            first = end

    def _near(self, first: int, last: int, length: int, deletions: int, insertions: int) -> list[tuple[int, int]]:
        """Return the titles from ``first`` to before ``last`` that may be near enough, as (least distance, title)."""
        near, far = self._signature(length)
        size = last - first
        words, bits, kept = _scratch.words[:size], _scratch.bits[:size], _scratch.near[:size]
        np.bitwise_xor(self._index.near.run(first, last), near, out=words)
        np.bitwise_count(words, out=bits)
        np.less_equal(bits, min(deletions + insertions, 64), out=kept)
        places = kept.nonzero()[0]
        if not len(places):
            return []
        differs_near = words[places]
        places += first
        differs_far = self._index.far.take(places) ^ far
        deleted = np.bitwise_count(differs_near & near) + np.bitwise_count(differs_far & far)
        inserted = np.bitwise_count(differs_near & ~near) + np.bitwise_count(differs_far & ~far)
        fits = (deleted <= min(deletions, 128)) & (inserted <= min(insertions, 128))
        surplus = len(self._query) - length
        least = np.maximum(deleted[fits], inserted[fits].astype(np.int64) + surplus) * 2 - surplus
        return sorted(zip(least.tolist(), places[fits].tolist(), strict=True))

    def _signature(self, length: int) -> tuple[np.uint64, np.uint64]:
        number = self._index.pairs_number(length)
        if number not in self._signatures:
            near, far = self._index.pairs(number).sign(self._counts)[0]
            self._signatures[number] = (near, far)
        return self._signatures[number]

    def _compare(self, candidates: list[tuple[int, int]], length: int) -> None:
        """Compare letter by letter, most promising first, and raise the cut-off with every find."""
        index, total = self._index, len(self._query) + length
        rows = index.row_of(np.array([title for _, title in candidates], np.int64)).tolist()
        limit = self._difference.numerator * total // self._difference.denominator
        for (least, title), row in zip(candidates, rows, strict=True):
            if least > limit:
                return
            if self._examined == self._budget:
                self._cut = True
                return
            self._examined += 1
            raw = index.raw(title, row)
            width = int(index.row_width[row])
            text = raw if width == 1 else raw.decode(CODECS[width])
            distance = Indel.distance(self._query, text, score_cutoff=limit)
            if distance <= limit:
                self._keep(Match(Fraction(distance, total or 1), raw.decode(CODECS[width]), title))
                limit = self._difference.numerator * total // self._difference.denominator

    def _keep(self, match: Match) -> None:
        insort(self._found, match)
        if len(self._found) >= self._k:
            self._difference = self._found[self._k - 1].difference
            while self._found[-1].difference > self._difference:
                self._found.pop()


def _counts(query: str) -> NDArray[np.uint16]:
    codes = np.frombuffer(query.encode("utf-32-le"), "<u4")
    return signature.letter_counts(codes.reshape(1, -1))
