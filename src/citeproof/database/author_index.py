"""The author index: records by the names of their authors.

The table ``author_index`` maps the key of a name (:mod:`~citeproof.text.names`) to the ids of the records that have
a name with this key. It suggests which works a wrong reference may mean, and proves nothing.

Different names can have the same key, so the number of cited keys that a work has is only an upper *limit* of its
number of cited names. Names are compared in the order of the limits, until no other work can have more cited names.
Example: three works have the limits 4, 3 and 3. The names of the first are compared, and 3 of them are cited. Only the
other two works can still come before it: if they have 3 cited names, too, and fewer authors.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import compress, islice
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citeproof.store.sqlite import ReadOnlyFile
from citeproof.text.name_comparison import NameAgreement, compare_names
from citeproof.text.names import cited_keys, parse_name, recorded_key, recorded_keys

TABLE = "CREATE TABLE author_index (name_key INTEGER PRIMARY KEY, records BLOB NOT NULL);"
"""SQL statement that creates the author index. ``records`` is an array of :data:`IDS`: the ascending ids of a key."""
IDS = np.dtype("<u4")
"""Type of a record id in ``records``: 4 bytes, little-endian."""
_MOST_NAMES = 50  # maximum number of cited names that are looked up
MOST_RECORDS = 100_000
"""Maximum number of record ids read per query. The ids for the two rarest names are always read."""
ONLY_AUTHOR_RECORDS = 200
"""Maximum number of records of a name, if it is the only cited name. A more frequent name suggests no work."""
_COMPARED = 60  # maximum number of records whose names are compared
_NONE = frozenset[int]()
_RANK_BITS = 6  # number of bits for the rank of one of :data:`_MOST_NAMES` names


def ids_by_authors(file: ReadOnlyFile, names: Sequence[str]) -> dict[int, int]:
    """Return a map from ids of records that may have two of ``names`` (one, if only one is given) to their limits.

    A limit is the maximum number of the names that the record can have. At most 60 ids are returned: the highest limit
    first, then the record with the rarest name. ``file`` must have an author index.
    """
    named = [group for name in dict.fromkeys(names) if (group := cited_keys(name))]
    groups = named[:_MOST_NAMES]
    sql = f"SELECT name_key, length(records) / {IDS.itemsize} FROM author_index WHERE name_key IN ({{}})"  # noqa: S608
    sizes = dict(file.rows_with(sql, sorted(_NONE.union(*groups))))
    known = ([key for key in group if key in sizes] for group in groups)
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
    """Return a map from ``keys`` to the ascending ids of their records; keys without records are left out."""
    rows = file.rows_with("SELECT name_key, records FROM author_index WHERE name_key IN ({})", keys)
    return {key: np.frombuffer(records, IDS) for key, records in rows}


def _shared_by_two(found: Sequence[tuple[NDArray[np.uint32], int]]) -> list[tuple[int, int]]:
    """Return the ids of records with two names or more, and their numbers of names: most names first, then rarest name.

    ``found`` has pairs of the record ids of a key and the rank of its name; the rarest name has rank 0.
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
    best = np.lexsort((rarest, -followed))[:_COMPARED]
    return list(zip(owners[starts[best]].tolist(), (followed[best] + 1).tolist(), strict=True))


def ids_with_key(file: ReadOnlyFile, key: int) -> NDArray[np.uint32]:
    """Return the ascending ids of the records that have a name with this key."""
    return _ids(file, [key]).get(key, np.array([], IDS))


def ids_with_family(file: ReadOnlyFile, family: str) -> list[int]:
    """Return the ascending ids of the records that have a name with this family name and any initial."""
    found = _ids(file, [recorded_key(f"{initial} {family}") for initial in ascii_lowercase])
    ids: list[int] = np.unique(np.concatenate([*found.values(), np.array([], IDS)])).tolist()
    return ids


def is_new(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for each of the sorted ``values`` whether it differs from the value before it; true for the first."""
    return np.append(np.ones(len(values[:1]), bool), values[1:] != values[:-1])


_Rank = tuple[int, int, int]  # sort key, best first: negative number of cited names, number of authors, index of work


class Suggested(NamedTuple):
    """A work that may have some of the cited names."""

    title: str
    authors: tuple[str, ...]
    most: int  # maximum number of cited names that the work can have


def by_shared_names(
    names: Sequence[str], works: Sequence[Suggested], telling: Callable[[str], bool] | None = None
) -> list[int]:
    """Return the indexes of the ``works`` that have two of ``names`` (one, if only one is given), best first.

    Works with more cited names come first, then works with fewer authors. If ``telling``, a test of titles, is given,
    a work that is not among the two best must pass it, or have the authors of the best work.
    """
    shared = _SharedNames(names)
    ranks = shared.in_order(works)
    if telling is None:
        return [place for _, _, place in ranks]
    first = next(ranks, None)
    if first is None:
        return []
    authors = set(works[first[2]].authors)
    same_authors = (place for place, work in enumerate(works) if set(work.authors) == authors)
    found = {place: (first[0], len(works[place].authors), place) for place in same_authors}
    if len(found) == 1:
        found |= {rank[2]: rank for rank in islice(ranks, 1)}
    for place, work in enumerate(works):
        if place not in found and telling(work.title) and (count := shared.count(work.authors)):
            found[place] = (-count, len(work.authors), place)
    return [place for _, _, place in sorted(found.values())]


class _SharedNames:
    """A counter of the cited names among the authors of works. It compares each recorded name only once."""

    def __init__(self, names: Sequence[str]) -> None:
        distinct = list(dict.fromkeys(names))
        self.least = min(2, len(distinct))  # minimum cited names of a suggested work
        self._cited = list(map(parse_name, distinct))
        self._places = defaultdict[int, list[int]](list)
        """Map from the key of a name to the indexes of the cited names with this key."""
        for place, name in enumerate(distinct):
            for key in cited_keys(name):
                self._places[key].append(place)
        self._likely: dict[str, Sequence[int]] = {}
        """Map from a recorded name to the indexes of the cited names that share its key."""
        self._meant: dict[str, frozenset[int]] = {}
        """Map from a recorded name to the indexes of the cited names that mean the same person."""

    def in_order(self, works: Sequence[Suggested]) -> Iterator[_Rank]:
        """Yield the ranks of the works with enough cited names, best first, and compare names as late as possible."""
        waiting = [((-work.most, len(work.authors), place), False) for place, work in enumerate(works)]
        heapify(waiting)
        while waiting:
            rank, compared = heappop(waiting)
            if compared:
                yield rank
            elif count := self.count(works[rank[2]].authors):
                heappush(waiting, ((-count, rank[1], rank[2]), True))

    def count(self, authors: Sequence[str]) -> int:
        """Return how many of the cited names are among ``authors``; 0 if fewer than :attr:`least` are."""
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
                recorded = parse_name(name)
                same = (compare_names(self._cited[cited], recorded) is NameAgreement.SAME for cited in found[place])
                found[place] = self._meant[name] = frozenset(compress(found[place], same))
                shared = len(_NONE.union(*found))
        return shared if shared >= self.least else 0
