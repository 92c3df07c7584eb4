"""Works that share cited names: those that the author index suggests are compared name by name, no more than needed.

The index says how many of the names a work may have, the names themselves how many it has, which is never more.
So the works are taken by what they may have, and one whose names were compared is the next best as soon as
no other one may have more. Example: of three works that may have 4, 3 and 3 of the cited names, the first has 3. It is
the best but for those that may have 3 and have fewer authors; the names of the others are not looked at.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heapify, heappop, heappush
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from citeproof.text.name_keys import cited_keys, recorded_keys
from citeproof.text.names import NameAgreement, compare_names, parse_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_LEAST = 2
"""So many cited names at least a work has, or the only one."""
_BEST = 2
"""So many works are the best ones, or all that have the names of the best one."""
_NONE = frozenset[int]()

_Rank = tuple[int, int, int]
"""Cited names (negative), authors, place in the order of before: the least rank is the best work's."""


class Suggested(NamedTuple):
    """A work that the author index suggests."""

    title: str
    authors: tuple[str, ...]
    most: int
    """It has no more of the cited names."""


def by_shared_names(
    names: Sequence[str], works: Sequence[Suggested], telling: Callable[[str], bool] | None = None
) -> list[int]:
    """Return the places of those of ``works`` that have at least two of ``names`` (or the only one), most names first.

    Of equally many the one with fewer other authors comes first, then the order of ``works`` stands. With ``telling``
    only the best ones are needed, and those with a title of which it says so: the others may be left out.
    """
    shared = _SharedNames(names)
    ranks = _in_order(shared, works)
    if telling is None:
        return [place for _, _, place in ranks]
    found = dict[int, _Rank]()
    for rank in ranks:
        found[rank[2]] = rank
        if len(found) == 1:
            found |= _of_the_same_people(rank, works)
        if len(found) >= _BEST:
            break
    for place, work in enumerate(works):
        if found and place not in found and telling(work.title) and (count := shared.count(work.authors)):
            found[place] = (-count, len(work.authors), place)
    return [place for _, _, place in sorted(found.values())]


def _in_order(shared: _SharedNames, works: Sequence[Suggested]) -> Iterator[_Rank]:
    """Yield the ranks of the works that have enough names, best first; compare names as late as that allows."""
    waiting = [((-work.most, len(work.authors), place), False) for place, work in enumerate(works)]
    heapify(waiting)
    while waiting:
        rank, compared = heappop(waiting)
        if compared:
            yield rank
            continue
        _, size, place = rank
        if count := shared.count(works[place].authors):
            heappush(waiting, ((-count, size, place), True))


def _of_the_same_people(best: _Rank, works: Sequence[Suggested]) -> dict[int, _Rank]:
    """Return the ranks of the works of all those people that wrote the best one, in any order."""
    people = set(works[best[2]].authors)
    same = [place for place, work in enumerate(works) if set(work.authors) == people]
    return {place: (best[0], len(works[place].authors), place) for place in same}


class _SharedNames:
    """How many of the cited names a work has. The same people come up in work after work: each is compared once."""

    def __init__(self, names: Sequence[str]) -> None:
        distinct = list(dict.fromkeys(names))
        self.least = min(_LEAST, len(distinct))
        self._cited = list(map(parse_name, distinct))
        self._places = defaultdict[int, list[int]](list)
        """Key to the places of the cited names that have it."""
        for place, name in enumerate(distinct):
            for key in cited_keys(name):
                self._places[key].append(place)
        self._likely: dict[str, Sequence[int]] = {}
        """Recorded name to the places of the cited ones that share a key with it."""
        self._meant: dict[str, frozenset[int]] = {}
        """Recorded name to the places of the cited ones that it is."""

    def count(self, authors: Sequence[str]) -> int:
        """Return how many of the cited names are among ``authors``; 0 where these are too few."""
        unknown = [name for name in authors if name not in self._likely]
        for name, key in zip(unknown, recorded_keys(unknown), strict=True):
            self._likely[name] = self._places.get(key, ())  # most are not cited: they are not taken apart
        likely = [name for name in authors if self._likely[name]]
        found = [self._meant.get(name, self._likely[name]) for name in likely]
        shared = len(_NONE.union(*found))
        for place, name in enumerate(likely):
            if shared < self.least:
                return 0
            if name not in self._meant:
                found[place] = self._meant[name] = self._cited_as(name)
                shared = len(_NONE.union(*found))
        return shared if shared >= self.least else 0

    def _cited_as(self, name: str) -> frozenset[int]:
        """Return the places of the cited names that a recorded one is."""
        recorded = parse_name(name)
        same = (compare_names(self._cited[place], recorded) is NameAgreement.SAME for place in self._likely[name])
        return frozenset(compress(self._likely[name], same))
