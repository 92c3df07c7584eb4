"""The author index of a database: a table that finds records by the names of their authors.

The key of a name is a checksum of family name and initial (:mod:`~citeproof.text.names`). The table
``author_index`` maps a key to the ids of the records by authors with this key. If the title of a
reference is wrong, the cited work may still be found by its authors.

Different names can have the same key. The number of keys that the authors of a work share with the
cited names is therefore only an upper *limit* of the number of cited authors. The names of the
works with the highest limits are compared first.

Example: three works have the limits 4, 3 and 3. A comparison of the names finds 3 cited authors in
the first work. Another work is better only if it also has 3 cited authors, and fewer authors in
total.
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
"""SQL statement that creates the author index.

The column ``records`` has ascending ids of type :data:`IDS`.
"""
IDS = np.dtype("<u4")
"""Numpy type of a record id in the author index: an unsigned integer of 4 bytes, little-endian."""
_MOST_NAMES = 50  # maximum number of cited names that are looked up in the author index
MOST_RECORDS = 100_000
"""Maximum number of record ids read per lookup.

The two rarest cited names are always looked up, even if together they have more records.
"""
ONLY_AUTHOR_RECORDS = 200
"""Maximum number of records by the only author of a reference. If the author has more records, no
work is suggested.
"""
_COMPARED = 60  # maximum number of records whose authors are compared with the cited names
_NONE = frozenset[int]()
# number of bits that store the rank of a cited name, which is 0 for the rarest name and at most 49
_RANK_BITS = 6


def ids_by_authors(file: ReadOnlyFile, names: Sequence[str]) -> dict[int, int]:
    """Return ``{record id: limit}`` for records that may have at least two of the authors
    ``names``.

    A limit is the maximum number of ``names`` that can be authors of the record. At most 60 records
    are returned, those with the highest limits, highest limit first. If ``names`` has only one
    name, all records that may have this author are returned, or none if there are more than
    :data:`ONLY_AUTHOR_RECORDS`. ``file`` must have an author index.
    """
    named = [group for name in dict.fromkeys(names) if (group := cited_keys(name))]
    groups = named[:_MOST_NAMES]
    sql = (
        f"SELECT name_key, length(records) / {IDS.itemsize} FROM author_index"  # noqa: S608
        " WHERE name_key IN ({})"
    )
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
    """Return ``{key: ascending record ids}`` from the author index, for each of ``keys``.

    Keys that no author has are left out.
    """
    rows = file.rows_with("SELECT name_key, records FROM author_index WHERE name_key IN ({})", keys)
    return {key: np.frombuffer(records, IDS) for key, records in rows}


def _shared_by_two(found: Sequence[tuple[NDArray[np.uint32], int]]) -> list[tuple[int, int]]:
    """Return ``(record id, number of cited names)`` of the records with at least two cited names,
    most names first.

    ``found`` has a pair for each cited name: the ids of the records with the key of this name, and
    the rank of the name. The rarest name has rank 0. Among records with the same number of names,
    the record with the rarest name comes first.
    """
    # Example: names 0 and 2 lead to record 5, name 1 to record 7. With 6 bits for the rank, the
    # pairs are 5 * 64 + 0, 5 * 64 + 2 and 7 * 64 + 1. After sorting, the pairs of a record follow
    # each other, and the first of them has the rarest name. Record 5 has two pairs, and therefore
    # two names. Record 7 has one pair and is left out.
    ids, ranks = [each for each, _ in found], [rank for _, rank in found]
    # Ids up to 67 million fit into 32 bits together with the rank. Sorting 32-bit numbers takes
    # half the time of sorting 64-bit numbers.
    number: Any = (
        np.uint64 if max(int(each[-1]) for each in ids) >> (32 - _RANK_BITS) else np.uint32
    )
    pairs: NDArray[Any] = np.concatenate(ids).astype(number) << number(_RANK_BITS)
    pairs |= np.repeat(np.array(ranks, number), [len(each) for each in ids])
    # the ids of each key are ascending, so a merge of these runs is faster than a general sort
    pairs.sort(kind="stable")
    # 1 to 63 if both pairs have the same record; 0 - 1 wraps around below
    differing = pairs[1:] ^ pairs[:-1]
    last = np.flatnonzero(differing - number(1) < (1 << _RANK_BITS) - 1)
    owners = pairs[last] >> number(_RANK_BITS)
    starts = np.flatnonzero(is_new(owners))
    followed = np.append(starts[1:], len(owners)) - starts
    rarest = pairs[last[starts]] & number((1 << _RANK_BITS) - 1)
    best = np.lexsort((rarest, -followed))[:_COMPARED]
    return list(zip(owners[starts[best]].tolist(), (followed[best] + 1).tolist(), strict=True))


def ids_with_key(file: ReadOnlyFile, key: int) -> NDArray[np.uint32]:
    """Return the ascending ids of the records with an author whose name has the key ``key``. The
    function :func:`recorded_key` computes keys.
    """
    return _ids(file, [key]).get(key, np.array([], IDS))


def ids_by_name(file: ReadOnlyFile, name: str) -> list[int]:
    """Return the ascending ids of the records that may have an author called ``name``. If ``name``
    is a single word, it is taken as a family name.
    """
    family = name if len(name.split()) == 1 else ""
    initials = (recorded_key(f"{initial} {family}") for initial in ascii_lowercase)
    found = _ids(file, list(initials) if family else sorted(cited_keys(name)))
    ids: list[int] = np.unique(np.concatenate([*found.values(), np.array([], IDS)])).tolist()
    return ids


def is_new(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether each of the sorted ``values`` differs from the previous value: ``[3, 3, 5]``
    gives true, false, true.
    """
    return np.append(np.ones(len(values[:1]), bool), values[1:] != values[:-1])


# sort key of a work: the negative number of cited names, the number of authors, and the index
_Rank = tuple[int, int, int]


class Suggested(NamedTuple):
    """A work that some of the cited authors may have written."""

    title: str
    authors: tuple[str, ...]
    most: int  # upper limit of the number of cited names among the authors


def by_shared_names(
    names: Sequence[str], works: Sequence[Suggested], telling: Callable[[str], bool] | None = None
) -> list[int]:
    """Return the indexes of the ``works`` by at least two of the authors ``names``, best work
    first.

    If ``names`` has only one name, one author is enough. The best work has the most authors in
    ``names``, and among works with equally many, the fewest other authors.

    If the function ``telling`` is given, the result has only three kinds of works: the best work,
    works by exactly the same authors, and works for whose title ``telling`` returns true. If no
    other work has exactly the authors of the best work, the second best work is returned, too.
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
    """Counts how many of the cited names are among the authors of a work.

    Comparisons of names are cached.
    """

    def __init__(self, names: Sequence[str]) -> None:
        distinct = list(dict.fromkeys(names))
        # minimum number of cited names among the authors of a suggested work
        self.least = min(2, len(distinct))
        self._cited = list(map(parse_name, distinct))
        self._places = defaultdict[int, list[int]](list)
        """Map from a key (checksum of family name and initial) to the indexes of the cited names
        with this key.
        """
        for place, name in enumerate(distinct):
            for key in cited_keys(name):
                self._places[key].append(place)
        self._likely: dict[str, Sequence[int]] = {}
        """Map from the name of an author to the indexes of the cited names with the same family
        name and initial.
        """
        self._meant: dict[str, frozenset[int]] = {}
        """Map from the name of an author to the indexes of the cited names of the same person."""

    def in_order(self, works: Sequence[Suggested]) -> Iterator[_Rank]:
        """Yield the sort keys of the works by at least :attr:`least` of the cited authors, best
        work first.
        """
        waiting = [
            ((-work.most, len(work.authors), place), False) for place, work in enumerate(works)
        ]
        heapify(waiting)
        while waiting:
            rank, compared = heappop(waiting)
            if compared:
                yield rank
            elif count := self.count(works[rank[2]].authors):
                heappush(waiting, ((-count, rank[1], rank[2]), True))

    def count(self, authors: Sequence[str]) -> int:
        """Return how many of the cited names are among ``authors``, or 0 if fewer than
        :attr:`least` are.
        """
        unknown = [name for name in authors if name not in self._likely]
        for name, key in zip(unknown, recorded_keys(unknown), strict=True):
            # most authors are not cited, so their names need not be parsed
            self._likely[name] = self._places.get(key, ())
        likely = [name for name in authors if self._likely[name]]
        found = [self._meant.get(name, self._likely[name]) for name in likely]
        shared = len(_NONE.union(*found))
        for place, name in enumerate(likely):
            if shared < self.least:
                return 0
            if name not in self._meant:
                recorded = parse_name(name)
                same = (
                    compare_names(self._cited[cited], recorded) is NameAgreement.SAME
                    for cited in found[place]
                )
                found[place] = self._meant[name] = frozenset(compress(found[place], same))
                shared = len(_NONE.union(*found))
        return shared if shared >= self.least else 0
