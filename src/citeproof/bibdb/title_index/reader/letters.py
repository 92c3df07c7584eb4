"""How many edits titles are from a query, letter by letter: by their beginnings first, where there are many.

Example: a title may be reached by 9 deletions and 9 insertions. Its first 40 letters then have 31 at least in common,
in order, with the first 40 + 9 of the query; among titles of other words hardly one has so many. To see that takes a
third of the time of comparing whole titles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel, LCSseq

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citeproof.bibdb.title_index.reader.mapped import TitleIndex

_MANY = 16
"""From so many titles on, reading and comparing them all at once takes less time than one by one."""

_MANY_BEGINNINGS = 400
"""From so many on, reading beginnings, and then the rest of what is alike there, takes less time than reading all."""

_BEGINNING = 40
"""Letters of a beginning, which RapidFuzz holds in one number as far as 64."""

_MOST_MISSING = 15
"""Beginnings of which more letters may be missing say little: by chance 25 of 40 agree."""


def distances(
    index: TitleIndex, query: str, titles: NDArray[np.int64], lengths: NDArray[np.int64], limits: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return how many edits each of ``titles`` is from ``query``, or more than its limit where it is more.

    ``lengths`` are the letters of each, ``limits`` the most edits that are of interest.
    """
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
    index: TitleIndex, query: str, titles: NDArray[np.int64], lengths: NDArray[np.int64], limits: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which of ``titles`` begin so that they may be within their limits.

    ``d`` letters are deleted from the query at most and ``i`` inserted. The first letters of a title come from as many
    and ``d`` more of the query, and all but ``i`` of them are there. Likewise the first letters of the query are found,
    all but ``d``, among as many and ``i`` more of the title. Where the title is the longer one, the latter says more.
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
            common = process.cdist((own,), index.texts(titles[some], most), scorer=LCSseq.similarity)[0]
            shorter = np.minimum(lengths[some], len(query))
            alike[some] = common >= np.minimum(shorter, _BEGINNING) - missing[some]
    return alike
