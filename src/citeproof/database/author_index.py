"""The author index: records by the names of their authors.

The table ``author_index`` maps the key of a name (:mod:`~citeproof.text.name_keys`) to the ids of the records that have
a name with this key. It suggests which works a wrong reference may mean, and proves nothing.

Several names have the same key, so the index gives an upper limit of the cited names that a work has, and the names
themselves give the number. Works are therefore compared in the order of their limits, and a compared work is the
next best as soon as no other work has a higher limit. Example: three works have the limits 4, 3 and 3, and the first
has 3 of the cited names. Only works with the limit 3 and fewer authors may still come before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import compress
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citeproof.store.sqlite import ReadOnlyFile
from citeproof.text.name_comparison import NameAgreement, compare_names
from citeproof.text.name_keys import cited_keys, recorded_key, recorded_keys
from citeproof.text.names import parse_name

TABLE = """
CREATE TABLE author_index (name_key INTEGER PRIMARY KEY, records BLOB NOT NULL);
"""
"""SQL statement that creates the author index. ``records`` has the rising ids of a key's records as :data:`IDS`."""
IDS = np.dtype("<u4")
"""Type of a record id in ``records``: 4 bytes, little-endian."""
MOST_NAMES = 50
"""Maximum cited names that are looked up."""
MOST_RECORDS = 100_000
"""Maximum records read per query. The records of the two rarest names are always read."""
ONLY_AUTHOR_RECORDS = 200
"""Maximum records of a name that is cited alone. A more frequent name suggests no work."""
COMPARED = 60
"""Maximum records whose names are compared; those that share the most keys come first."""
_SIZES = f"SELECT name_key, length(records) / {IDS.itemsize} FROM author_index WHERE name_key IN ({{}})"  # noqa: S608
"""SQL statement that selects the number of records of each of the given keys."""
_RANK_BITS = 6  # number of bits for the rank of one of :data:`MOST_NAMES` names


def ids_by_authors(file: ReadOnlyFile, names: Sequence[str]) -> dict[int, int]:
    """Return the ids of records that may have at least two of ``names`` (or the only one), each with its limit.

    At most :data:`COMPARED` records, highest limit first, then rarest name first. ``file`` must have an author index.
    """
    named = [group for name in dict.fromkeys(names) if (group := cited_keys(name))]
    groups = named[:MOST_NAMES]
    sizes = dict(file.rows_with(_SIZES, sorted(frozenset[int]().union(*groups))))
    known = [[key for key in group if key in sizes] for group in groups]
    by_size = sorted((sum(sizes[key] for key in keys), sorted(keys)) for keys in known if keys)
    if len(groups) == 1:
        if not by_size or by_size[0][0] > ONLY_AUTHOR_RECORDS:
            return {}
        found = _ids(file, by_size[0][1]).values()
        return dict.fromkeys(sorted({number for ids in found for number in ids.tolist()}), 1)
    chosen: list[list[int]] = []
    room = MOST_RECORDS
    for size, keys in by_size:
        room -= size
        if room >= 0 or len(chosen) < 2:
            chosen.append(keys)
    if len(chosen) < 2:
        return {}
    ids = _ids(file, [key for keys in chosen for key in keys])
    shared = _shared_by_two([(ids[key], rank) for rank, keys in enumerate(chosen) for key in keys])
    not_looked_for = len(by_size) - len(chosen) + len(named) - len(groups)
    return {number: count + not_looked_for for number, count in shared}


def _ids(file: ReadOnlyFile, keys: Sequence[int]) -> dict[int, NDArray[np.uint32]]:
    """Return the rising ids of the records of each of ``keys``; keys without records are left out."""
    rows = file.rows_with("SELECT name_key, records FROM author_index WHERE name_key IN ({})", keys)
    return {key: np.frombuffer(records, IDS) for key, records in rows}


def _shared_by_two(found: Sequence[tuple[NDArray[np.uint32], int]]) -> list[tuple[int, int]]:
    """Return the records of at least two names, each with its number of names: most names first, then rarest name.

    ``found`` has for each key its record ids and the rank of its name, 0 for the rarest.
    """
    # Example: names 0 and 2 lead to record 5, name 1 to record 7. With 6 bits for the rank, the pairs are
    # 5 * 64 + 0, 5 * 64 + 2 and 7 * 64 + 1. Sorted, a pair is followed by another pair of its record once for
    # each further name: record 5 has 1 + 1 names, and its first pair has its rarest name. Record 7 is left out.
    ids, ranks = [each for each, _ in found], [rank for _, rank in found]
    # Ids up to 67 million fit into 32 bits with the rank; 32-bit numbers sort in half the time of 64-bit ones.
    number: Any = np.uint64 if max(int(each[-1]) for each in ids) >> (32 - _RANK_BITS) else np.uint32
    pairs: NDArray[Any] = np.concatenate(ids).astype(number) << number(_RANK_BITS)
    pairs |= np.repeat(np.array(ranks, number), [len(each) for each in ids])
    pairs.sort(kind="stable")  # the ids of each key rise, so merging their runs takes less than a general sort
    differing = pairs[1:] ^ pairs[:-1]  # 1 to 63 where another name of the record follows; 0 - 1 is the largest number
    last = np.flatnonzero(differing - number(1) < (1 << _RANK_BITS) - 1)
    owners = pairs[last] >> number(_RANK_BITS)
    starts = np.flatnonzero(is_new(owners))
    followed = np.append(starts[1:], len(owners)) - starts
    rarest = pairs[last[starts]] & number((1 << _RANK_BITS) - 1)
    best = np.lexsort((rarest, -followed))[:COMPARED]
    return list(zip(owners[starts[best]].tolist(), (followed[best] + 1).tolist(), strict=True))


def ids_with_key(file: ReadOnlyFile, key: int) -> NDArray[np.uint32]:
    """Return the rising ids of the records that have a name of this key."""
    return _ids(file, [key]).get(key, np.array([], IDS))


def ids_with_family(file: ReadOnlyFile, family: str) -> list[int]:
    """Return the rising ids of the records that have a name with this family name and any initial."""
    found = _ids(file, [recorded_key(f"{initial} {family}") for initial in ascii_lowercase])
    ids: list[int] = np.unique(np.concatenate([*found.values(), np.array([], IDS)])).tolist()
    return ids


def is_new(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for each of sorted ``values`` whether it differs from the value before it."""
    return np.append(np.ones(len(values[:1]), bool), values[1:] != values[:-1])


_LEAST = 2  # minimum cited names that a suggested work must have, unless only one name is cited
_BEST = 2  # number of works after which :func:`by_shared_names` stops the search for the best ones
_NONE = frozenset[int]()
_Rank = tuple[int, int, int]
"""Sort key of a work, best first: negative number of cited names, number of authors, index of the work."""


class Suggested(NamedTuple):
    """A work that the author index suggests."""

    title: str
    authors: tuple[str, ...]
    most: int
    """Maximum number of cited names that the work can have."""


def by_shared_names(
    names: Sequence[str], works: Sequence[Suggested], telling: Callable[[str], bool] | None = None
) -> list[int]:
    """Return the indexes of the ``works`` that have at least two of ``names`` (or the only one), best first.

    The order is by number of cited names, then by fewer authors, then that of ``works``. If ``telling`` is given, works
    are left out unless they are among the best or ``telling`` accepts their title.
    """
    shared = _SharedNames(names)
    ranks = _in_order(shared, works)
    if telling is None:
        return [place for _, _, place in ranks]
    found = dict[int, _Rank]()
    for rank in ranks:
        found[rank[2]] = rank
        if len(found) == 1:
            authors = set(works[rank[2]].authors)
            same = (place for place, work in enumerate(works) if set(work.authors) == authors)
            found |= {place: (rank[0], len(works[place].authors), place) for place in same}
        if len(found) >= _BEST:
            break
    for place, work in enumerate(works):
        if found and place not in found and telling(work.title) and (count := shared.count(work.authors)):
            found[place] = (-count, len(work.authors), place)
    return [place for _, _, place in sorted(found.values())]


def _in_order(shared: _SharedNames, works: Sequence[Suggested]) -> Iterator[_Rank]:
    """Yield the ranks of the works with enough cited names, best first. Names are compared as late as possible."""
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


class _SharedNames:
    """Counts the cited names among the authors of works. Each recorded name is compared once; many works have it."""

    def __init__(self, names: Sequence[str]) -> None:
        distinct = list(dict.fromkeys(names))
        self.least = min(_LEAST, len(distinct))
        self._cited = list(map(parse_name, distinct))
        self._places = defaultdict[int, list[int]](list)
        """Indexes of the cited names, by the key of the name."""
        for place, name in enumerate(distinct):
            for key in cited_keys(name):
                self._places[key].append(place)
        self._likely: dict[str, Sequence[int]] = {}
        """Indexes of the cited names that share a key with a recorded name, by recorded name."""
        self._meant: dict[str, frozenset[int]] = {}
        """Indexes of the cited names that a recorded name equals, by recorded name."""

    def count(self, authors: Sequence[str]) -> int:
        """Return how many of the cited names are among ``authors``; 0 for fewer than :attr:`least`."""
        unknown = [name for name in authors if name not in self._likely]
        for name, key in zip(unknown, recorded_keys(unknown), strict=True):
            self._likely[name] = self._places.get(key, ())  # most are not cited, and need no parsing
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
        """Return the indexes of the cited names that mean the same person as a recorded name."""
        recorded = parse_name(name)
        same = (compare_names(self._cited[place], recorded) is NameAgreement.SAME for place in self._likely[name])
        return frozenset(compress(self._likely[name], same))
