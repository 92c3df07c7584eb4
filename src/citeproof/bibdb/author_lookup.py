"""Records by their authors: who shares the most cited names, the rarest first."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from citeproof.bibdb.author_index import IDS, is_new
from citeproof.text.name_keys import cited_keys, recorded_keys
from citeproof.text.names import NameAgreement, compare_names, parse_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from citeproof.models import Record
    from citeproof.storage.sqlite import ReadOnlyFile
    from citeproof.text.names import Name

MOST_NAMES = 50
"""So many cited names are looked for."""
MOST_RECORDS = 100_000
"""Of the rarest names so many records are read in all, of two names in any case: what all have says nothing."""
ONLY_AUTHOR_RECORDS = 200
"""A single name that more records have says nothing about which is meant."""
COMPARED = 60
"""So many of the records that share the most keys have their names compared."""

_RANK_BITS = 8
"""Bits for the rank of a name among those that are cited."""


def ids_by_authors(file: ReadOnlyFile, names: Sequence[str]) -> list[int]:
    """Return ids of records that have at least two of ``names`` (or the only one), as far as keys tell.

    Most names first, of equally many the rarest; no more than are worth comparing. A database
    without an author index has none.
    """
    if not file.rows("SELECT 1 FROM sqlite_schema WHERE name = 'author_index'"):
        return []
    groups = [group for name in dict.fromkeys(names) if (group := cited_keys(name))][:MOST_NAMES]
    sizes = _sizes(file, frozenset[int]().union(*groups))
    known = [[key for key in group if key in sizes] for group in groups]
    by_size = sorted((sum(sizes[key] for key in keys), sorted(keys)) for keys in known if keys)
    if len(groups) == 1:
        few = by_size and by_size[0][0] <= ONLY_AUTHOR_RECORDS
        return sorted({int(number) for key in by_size[0][1] for number in ids_with_key(file, key)}) if few else []
    chosen: list[list[int]] = []
    room = MOST_RECORDS
    for size, keys in by_size:
        room -= size
        if room >= 0 or len(chosen) < 2:
            chosen.append(keys)
    if len(chosen) < 2:
        return []
    ids = _ids(file, [key for keys in chosen for key in keys])
    ranked = [_ranked(np.concatenate([ids[key] for key in keys]), rank) for rank, keys in enumerate(chosen)]
    return _shared_by_two(np.concatenate(ranked))


def _ids(file: ReadOnlyFile, keys: Sequence[int]) -> dict[int, NDArray[np.uint32]]:
    """Return the ids, rising, of the records that have a name of each of ``keys``, which all have some."""
    marks = ", ".join("?" * len(keys))
    rows = file.rows(f"SELECT name_key, records FROM author_index WHERE name_key IN ({marks})", keys)  # noqa: S608
    return {key: np.frombuffer(records, IDS) for key, records in rows}


def _sizes(file: ReadOnlyFile, keys: frozenset[int]) -> dict[int, int]:
    """Return how many records have each of ``keys``, without those that none has."""
    marks = ", ".join("?" * len(keys))
    sql = f"SELECT name_key, length(records) / {IDS.itemsize} FROM author_index WHERE name_key IN ({marks})"  # noqa: S608
    return dict(file.rows(sql, sorted(keys)))


def _ranked(ids: NDArray[np.uint32], rank: int) -> NDArray[np.uint64]:
    """Return the records of one name without doubles, each with the name's rank behind it: 0 for the rarest."""
    pairs: NDArray[np.uint64] = np.sort(ids.astype(np.uint64) << np.uint64(_RANK_BITS) | np.uint64(rank))
    return pairs[is_new(pairs)]


def _shared_by_two(pairs: NDArray[np.uint64]) -> list[int]:
    """Return the records that two names and more have, most names first, then those with the rarest name."""
    pairs = np.sort(pairs)
    ids = pairs >> np.uint64(_RANK_BITS)
    starts = np.flatnonzero(is_new(ids))
    shared = np.diff(np.append(starts, len(ids)))
    starts, shared = starts[shared > 1], shared[shared > 1]
    rarest = pairs[starts] & np.uint64((1 << _RANK_BITS) - 1)
    best: list[int] = ids[starts][np.lexsort((rarest, -shared))][:COMPARED].tolist()
    return best


def ids_with_key(file: ReadOnlyFile, key: int) -> NDArray[np.uint32]:
    """Return the ids, rising, of the records that have a name of this key."""
    rows = file.rows("SELECT records FROM author_index WHERE name_key = ?", (key,))
    return np.frombuffer(rows[0][0] if rows else b"", IDS)


def by_shared_names(names: Sequence[str], records: Sequence[Record]) -> list[Record]:
    """Return those of ``records`` that have at least two of ``names`` (or the only one), by how many they have.

    Of equally many the one with fewer other authors comes first, then the order of ``records`` stands.
    """
    cited = list(map(parse_name, dict.fromkeys(names)))
    places: defaultdict[int, list[int]] = defaultdict(list)
    """Key to the places of the cited names that have it."""
    for place, name in enumerate(dict.fromkeys(names)):
        for key in cited_keys(name):
            places[key].append(place)
    recorded = list(dict.fromkeys(chain.from_iterable([record.authors for record in records])))
    meant: dict[str, set[int]] = {}
    """Recorded name to the places of the cited ones that it is: the same people come up in record after record."""
    for name, key in zip(recorded, recorded_keys(recorded), strict=True):
        if key in places:  # most are not cited: they are not taken apart
            meant[name] = {place for place in places[key] if _is_same(cited[place], name)}
    counted = []
    for index, record in enumerate(records):
        shared = len(set[int]().union(*[meant[name] for name in record.authors if name in meant]))
        if shared >= min(2, len(cited)):
            counted.append((-shared, len(record.authors), index))
    return [records[index] for _, _, index in sorted(counted)]


def _is_same(cited: Name, recorded: str) -> bool:
    return compare_names(cited, parse_name(recorded)) is NameAgreement.SAME
