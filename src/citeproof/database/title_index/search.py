"""Find the titles of an index that are most similar to a query.

No title is missed, unless a search is cut short.

An *edit* deletes or inserts a letter. If ``d`` edits turn a title of ``a`` letters into a title of
``b`` letters, the difference is ``d / (a + b)``, and the similarity is ``1 - d / (a + b)``. Limits
are integers and fractions, because a float could exclude a title that is just similar enough.

1. An equal title is found by its signature.
2. If no title is equal, titles of similar length are searched, the nearest length first. After a
   title is found, only titles with a smaller or equal difference are searched.
3. The *balance* (number of letters from one half of the alphabet) and the *signature* (bits of
   letter counts) exclude most titles (:mod:`~citeproof.database.title_index.scan`). The other
   titles are compared letter by letter.

Example: the query is "a lamp for sheep" (16 letters) with threshold 0.9. The index has "a lamp for
sheeps" and "the lamps of oz". Length 16 is searched first, then 17, 15, 18 and so on. "a lamp for
sheeps" needs 1 edit, and the difference is 1/33. A title of length 15 needs at least 1 edit, and
1/31 is more than 1/33. The search is over.
"""

from bisect import insort
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Indel, LCSseq

from citeproof.database.title_index.column import Integers
from citeproof.database.title_index.exact import equal
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.scan import Ranges, scan

Candidates = tuple[Integers, Integers, Integers]
"""Titles to compare, as three arrays: the numbers of the titles, the indexes of their lengths in
``Ranges.lengths``, and the minimum numbers of edits.
"""

# minimum number of titles that one call compares together; fewer titles are compared one by one
_MANY = 6
# minimum number of titles whose beginnings are compared before the whole titles
_MANY_BEGINNINGS = 400
# number of letters of the beginning of a title; RapidFuzz is fast for up to 64 letters
_BEGINNING = 40
# maximum number of missing letters for which beginnings are compared; 25 of 40 letters agree by
# chance
_MOST_MISSING = 15


def distances(
    index: TitleIndex, query: str, titles: Integers, lengths: Integers, limits: Integers
) -> Integers:
    """Return how many letters must be deleted from and inserted into ``query`` to get each of
    ``titles``.

    ``lengths`` are the lengths of the titles. ``limits`` has a maximum for each title. A result
    above the maximum may be inexact.
    """
    # Example: a title may be reached by 9 deletions and 9 insertions. At least 40 - 9 = 31 of its
    # first 40 letters are then, in order, among the first 40 + 9 letters of the query. Hardly any
    # title with other words has so many of these letters. A comparison of beginnings takes a third
    # of the time of a comparison of whole titles.
    if not len(titles):
        return limits
    cutoff = int(limits.max())
    if len(titles) < _MANY:
        one_by_one = map(index.normalized, titles.tolist())
        return np.array([Indel.distance(query, text, score_cutoff=cutoff) for text in one_by_one])
    found = limits + 1
    near = np.arange(len(titles))
    if len(titles) >= _MANY_BEGINNINGS:
        near = _begin_alike(index, query, titles, lengths, limits).nonzero()[0]
    if len(near):
        texts = index.texts(titles[near])
        found[near] = process.cdist((query,), texts, scorer=Indel.distance, score_cutoff=cutoff)[0]
    return found


def _begin_alike(
    index: TitleIndex, query: str, titles: Integers, lengths: Integers, limits: Integers
) -> NDArray[np.bool_]:
    """Return for each of ``titles`` whether at most ``limits`` edits may turn the query into it,
    judged by the first letters.

    Let at most ``d`` letters be deleted from the query and at most ``i`` letters inserted. Then all
    but ``i`` of the first ``n`` letters of a title are among the first ``n + d`` letters of the
    query. If the title is longer than the query, another test is better: all but ``d`` of the first
    ``n`` letters of the query are among the first ``n + i`` letters of the title.
    """
    surplus = len(query) - lengths
    deleted, inserted = (limits + surplus) >> 1, (limits - surplus) >> 1
    missing, further = np.minimum(deleted, inserted), np.maximum(deleted, inserted)
    alike: NDArray[np.bool_] = missing > _MOST_MISSING
    for longer in (False, True):
        (some,) = (~alike & ((surplus < 0) == longer)).nonzero()
        if len(some):
            reach = _BEGINNING + int(further[some].max())
            own, most = (query[:_BEGINNING], reach) if longer else (query[:reach], _BEGINNING)
            common = process.cdist(
                (own,), index.texts(titles[some], most), scorer=LCSseq.similarity
            )[0]
            shorter = np.minimum(lengths[some], len(query))
            alike[some] = common >= np.minimum(shorter, _BEGINNING) - missing[some]
    return alike


# number of title lengths in the first batch: the length of the query, one letter more and one
# letter less
_FIRST_LENGTHS = 3
# factor by which the number of searched title lengths grows from one batch to the next
_MORE_LENGTHS = 2
_LEAST_IN_BATCH = 1 << 16  # minimum number of titles in a batch after the first batch
# minimum number of titles in a batch if the allowed difference is at most _SIMILAR
_LEAST_SIMILAR_IN_BATCH = 1 << 20
_SIMILAR = Fraction(3, 20)
# number of titles compared letter by letter at first; usually, the first title is the match
_COMPARED_FIRST = 1
_MORE_COMPARED = 32  # factor by which the number of titles compared together grows
_STEPS = tuple(Fraction(part, 20) for part in range(18, -1, -1))
"""Minimum similarities of the successive searches in :func:`from_above`: 0.9, 0.85, 0.8 and so on,
down to 0.
"""
SELECTED_FROM = 1000
"""Minimum number of titles that are compared to select the most similar titles, even if only a few
are wanted.

Among 2.4 million titles, at most 51 had to be compared to find a title with up to three typing
errors.
"""


@dataclass(frozen=True, slots=True, order=True)
class TitleMatch:
    """A title of the index that was compared with a query.

    Sorted matches begin with the most similar title.
    """

    difference: Fraction  # share of letters that differ, which is exactly 1 - similarity
    text: str  # the normalised title
    title: int  # number of the title in the index

    @property
    def similarity(self) -> float:
        """Similarity to the query, 0 to 1: the share of the letters of both texts that are neither
        deleted nor inserted.
        """
        return float(1 - self.difference) if self.difference else 1.0


@dataclass(frozen=True, slots=True)
class TitleMatches:
    """The result of a search in the title index."""

    matches: tuple[TitleMatch, ...]  # the titles found, most similar title first
    examined: int  # number of candidates: titles that were compared letter by letter
    complete: bool  # whether the index certainly has no better title than the titles found

    def limited(self, max_candidates: int) -> Self:
        """Return this result, limited to the ``max_candidates`` most similar of the candidates."""
        return replace(
            self,
            matches=self.matches[:max_candidates],
            examined=min(self.examined, max_candidates),
            complete=self.complete and self.examined <= max_candidates,
        )


def exact(index: TitleIndex, query: str) -> TitleMatches | None:
    """Find the title that equals the normalised ``query``. Return None if no title does."""
    title = equal(index, query)
    return (
        None
        if title is None
        else TitleMatches((TitleMatch(Fraction(0), query, title),), 1, complete=True)
    )


def top(
    index: TitleIndex, query: str, k: int, threshold: float, max_candidates: int | None = None
) -> TitleMatches:
    """Find the ``k`` titles most similar to the normalised ``query``, and all titles as similar as
    the last of these.

    ``threshold`` is the minimum similarity, 0 to 1. It is read as a decimal number: 0.9 is exactly
    9/10. If there are more than ``max_candidates`` titles to compare, the result has only the most
    similar titles and is not complete. These titles are selected from at least
    :data:`SELECTED_FROM` titles.
    """
    if k < 1 or not 0 <= threshold <= 1:
        raise ValueError(
            f"k is {k} and must be at least 1; threshold is {threshold} and must be from 0 to 1"
        )
    if k == 1 and (answer := exact(index, query)):
        return answer
    difference = 1 - Fraction(str(threshold))
    if max_candidates is None:
        return _Search(index, query, k, difference, None).run()
    most = max(max_candidates, SELECTED_FROM)
    return _Search(index, query, k, difference, most).run().limited(max_candidates)


def from_above(
    index: TitleIndex, query: str, threshold: float, max_candidates: int, *, every: bool
) -> TitleMatches:
    """Find the most similar title and equally similar titles.

    If ``every`` is true, find all similar titles.

    The titles have at least the similarity ``threshold``, 0 to 1. If there are more than
    ``max_candidates`` titles to compare, the most similar titles are selected as in :func:`top`,
    and only less similar titles are missed. A lower threshold therefore never finds fewer titles.
    """
    # Example: at threshold 0.72 and a limit of 1,000, the search from 0.9 compares 10 titles and
    # finds one, the search from 0.85 compares 90, and the search from 0.8 reaches the limit. All
    # titles with a similarity of at least 0.85 are then found. They are also found at any threshold
    # below 0.85, because the first steps are the same.
    equal_title = exact(index, query)
    if equal_title and not every:
        return equal_title
    found = {match.title: match for match in equal_title.matches} if equal_title else {}
    examined, complete, difference = len(found), True, 1 - Fraction(str(threshold))
    most = max(max_candidates, SELECTED_FROM)
    for step in _STEPS if difference else ():
        wanted = max(len(index), 1) if every else 1
        answer = _Search(index, query, wanted, 1 - step, most - examined).run()
        found |= {match.title: match for match in answer.matches}
        examined, complete = examined + answer.examined, answer.complete
        if not complete or 1 - step >= difference or (found and not every):
            break
    matches = sorted(match for match in found.values() if match.difference <= difference)
    return TitleMatches(tuple(matches), examined, complete).limited(max_candidates)


class _Search:
    """A search in progress: the titles found so far, and the maximum difference of titles that are
    still wanted.
    """

    def __init__(
        self, index: TitleIndex, query: str, k: int, difference: Fraction, budget: int | None
    ) -> None:
        self._index = index
        self._query = query
        self._k = k
        self._cutoff = difference
        self._ranges = Ranges(index, query, difference)
        self._most_edits = difference, np.array(self._ranges.distances(difference), np.int64)
        """Cached pair: a difference, and an array with the maximum number of edits that it allows
        for each title length.
        """
        self._found: list[TitleMatch] = []
        self._budget = budget
        self._examined = 0
        self._cut = False

    def run(self) -> TitleMatches:
        """Search titles in the order of their lengths, the length of the query first.

        Return the result.
        """
        first = 0
        while first < len(self._ranges) and not self._cut:
            cutoff, last = self._cutoff, self._batch(first)
            for titles, lengths in scan(self._index, self._ranges, range(first, last)):
                self._compare(*self._filter(titles, lengths))
                if self._cut:
                    break
            if self._cutoff != cutoff:
                self._ranges.narrow(self._cutoff)
            first = last
        return TitleMatches(tuple(self._found), self._examined, complete=not self._cut)

    def _batch(self, first: int) -> int:
        """Return the end of the batch of title lengths that begins at index ``first``.

        The first batch has few lengths, because a match excludes many other titles. Later batches
        have more, because it is faster to compare many titles together.
        """
        if not first:
            return min(_FIRST_LENGTHS, len(self._ranges))
        few = _LEAST_SIMILAR_IN_BATCH if self._cutoff <= _SIMILAR else _LEAST_IN_BATCH
        pieces, last, titles = self._ranges.pieces, first, 0
        while last < len(pieces) and (last <= _MORE_LENGTHS * first or titles < few):
            titles += pieces[last][1] - pieces[last][0]
            last += 1
        return last

    def _filter(self, titles: Integers, length: Integers) -> Candidates:
        """Return those of ``titles`` whose signatures allow for few enough edits. Titles with the
        lowest minimum of edits come first.

        ``length`` has for each title the index of the length in the list of searched lengths.
        """
        # A bit set only in the query needs a deletion, a bit set only in the title an insertion.
        # Example: the query has 40 letters, a title 42; 3 bits are set only in the query, 4 only in
        # the title. At least 3 letters are deleted, and 3 + 2 inserted as the title is 2 longer: 8
        # edits. Below, surplus = -2 and least = max(3, 4 - 2) * 2 + 2.
        index, ranges = self._index, self._ranges
        deleted = inserted = np.zeros(len(titles), np.uint8)
        for column, words in ((index.near, ranges.near), (index.far, ranges.far)):
            own = words.take(length)
            differing = column.take(titles) ^ own
            missing = np.bitwise_count(differing & own)
            deleted, inserted = (
                deleted + missing,
                inserted + (np.bitwise_count(differing) - missing),
            )
            fits = (deleted <= ranges.deletions.take(length)) & (
                inserted <= ranges.insertions.take(length)
            )
            places = fits.nonzero()[0]
            titles, length, deleted, inserted = (
                one.take(places) for one in (titles, length, deleted, inserted)
            )

        lengths = ranges.lengths.take(length)
        surplus = len(self._query) - lengths
        least = np.maximum(deleted, inserted + surplus) * 2 - surplus
        order = (least / np.maximum(lengths + len(self._query), 1)).argsort(kind="stable")
        return titles[order], length[order], least[order]

    def _compare(self, titles: Integers, length: Integers, least: Integers) -> None:
        """Compare ``titles`` letter by letter.

        A match lowers the allowed difference of the titles that follow.
        """
        # Groups of titles grow from 1 to 32 to 1,024 titles. If the first title is not a match, one
        # call compares groups 2 and 3, up to `compared`. The results are still taken group by
        # group, because a match in group 2 lowers the limits of group 3.
        lengths, limits, cutoff = (
            self._ranges.lengths.take(length),
            self._limits(length),
            self._cutoff,
        )
        edits = np.empty(len(titles), np.int64)
        first, size, compared = 0, _COMPARED_FIRST, 0
        while first < len(titles) and not self._cut:
            if cutoff != self._cutoff:
                limits, cutoff = self._limits(length), self._cutoff
            last = min(first + size, len(titles))
            if compared < last:
                compared = min(last + size * _MORE_COMPARED, len(titles)) if first else last
                near = first + (least[first:compared] <= limits[first:compared]).nonzero()[0]
                edits[near] = distances(
                    self._index, self._query, titles[near], lengths[near], limits[near]
                )
            near = first + (least[first:last] <= limits[first:last]).nonzero()[0]
            self._take(near, titles, edits, limits)
            # the titles that follow differ by a larger share of their letters
            if len(near) < last - first:
                return
            first, size = last, size * _MORE_COMPARED

    def _limits(self, length: Integers) -> Integers:
        cutoff, limits = self._most_edits
        if cutoff != self._cutoff:
            limits = np.array(self._ranges.distances(self._cutoff), np.int64)
            self._most_edits = self._cutoff, limits
        return limits.take(length)

    def _take(self, near: Integers, titles: Integers, edits: Integers, limits: Integers) -> None:
        """Count ``titles[near]`` as compared titles. Add those whose ``edits`` are within
        ``limits`` to the results.
        """
        if self._budget is not None and len(near) > self._budget - self._examined:
            self._cut = True
            near = near[: self._budget - self._examined]
        self._examined += len(near)
        for number in near[edits[near] <= limits[near]].tolist():
            title = int(titles[number])
            text = self._index.normalized(title)
            difference = Fraction(int(edits[number]), len(self._query) + len(text) or 1)
            insort(self._found, TitleMatch(difference, text, title))
            if len(self._found) >= self._k:
                self._cutoff = last = self._found[self._k - 1].difference
                while self._found[-1].difference > last:
                    self._found.pop()
