"""Records by their authors: who may share the most cited names, the rarest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from citeproof.bibdb.author_index import IDS, is_new
from citeproof.text.name_keys import cited_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from citeproof.storage.sqlite import ReadOnlyFile

MOST_NAMES = 50
"""So many cited names are looked for."""
MOST_RECORDS = 100_000
"""Of the rarest names so many records are read in all, of two names in any case: what all have says nothing."""
ONLY_AUTHOR_RECORDS = 200
"""A single name that more records have says nothing about which is meant."""
COMPARED = 60
"""So many of the records that share the most keys have their names compared."""

_RANK_BITS = 6
"""Bits for the rank of a name among those that are cited, which are at most :data:`MOST_NAMES`."""


def ids_by_authors(file: ReadOnlyFile, names: Sequence[str]) -> dict[int, int]:
    """Return ids of records that may have at least two of ``names`` (or the only one), with how many at most.

    Most names first, of equally many the rarest; no more than are worth comparing. The file has an author index.
    """
    named = [group for name in dict.fromkeys(names) if (group := cited_keys(name))]
    groups = named[:MOST_NAMES]
    sizes = _sizes(file, frozenset[int]().union(*groups))
    known = [[key for key in group if key in sizes] for group in groups]
    by_size = sorted((sum(sizes[key] for key in keys), sorted(keys)) for keys in known if keys)
    if len(groups) == 1:
        few = bool(by_size) and by_size[0][0] <= ONLY_AUTHOR_RECORDS
        return dict.fromkeys(_with_any(file, by_size[0][1]), 1) if few else {}
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
    """Return the ids, rising, of the records that have a name of each of ``keys``, which all have some."""
    marks = ", ".join("?" * len(keys))
    rows = file.rows(f"SELECT name_key, records FROM author_index WHERE name_key IN ({marks})", keys)  # noqa: S608
    return {key: np.frombuffer(records, IDS) for key, records in rows}


def _sizes(file: ReadOnlyFile, keys: frozenset[int]) -> dict[int, int]:
    """Return how many records have each of ``keys``, without those that none has."""
    marks = ", ".join("?" * len(keys))
    sql = f"SELECT name_key, length(records) / {IDS.itemsize} FROM author_index WHERE name_key IN ({marks})"  # noqa: S608
    return dict(file.rows(sql, sorted(keys)))


def _shared_by_two(found: Sequence[tuple[NDArray[np.uint32], int]]) -> list[tuple[int, int]]:
    """Return the records of two names and more, with how many they have: most names first, then the rarest name.

    ``found`` holds for each key its records and the rank of its name, 0 for the rarest.

    Example: with 6 bits for the rank, record 5 of the names 0 and 2 becomes 5 * 64 + 0 and 5 * 64 + 2. Sorted, the
    names of one record stand together, the rarest first: 5 * 64 + 0 is followed by one more. No record of one name is.
    """
    ids, ranks = [each for each, _ in found], [rank for _, rank in found]
    # Ids up to 67 million leave room for the rank in 32 bits, which are sorted in half the time of 64.
    number: Any = np.uint64 if max(int(each[-1]) for each in ids) >> (32 - _RANK_BITS) else np.uint32
    pairs: NDArray[Any] = np.concatenate(ids).astype(number) << number(_RANK_BITS)
    pairs |= np.repeat(np.array(ranks, number), [len(each) for each in ids])
    pairs.sort()
    owners = pairs >> number(_RANK_BITS)
    last = np.flatnonzero((owners[:-1] == owners[1:]) & (pairs[:-1] != pairs[1:]))  # another name of the record follows
    owners = owners[last]
    starts = np.flatnonzero(is_new(owners))
    followed = np.diff(starts, append=len(owners))
    rarest = pairs[last[starts]] & number((1 << _RANK_BITS) - 1)
    best = np.lexsort((rarest, -followed))[:COMPARED]
    return list(zip(owners[starts[best]].tolist(), (followed[best] + 1).tolist(), strict=True))


def _with_any(file: ReadOnlyFile, keys: Sequence[int]) -> list[int]:
    """Return the ids, rising, of the records that have a name of one of ``keys``."""
    return sorted({int(number) for key in keys for number in ids_with_key(file, key)})


def ids_with_key(file: ReadOnlyFile, key: int) -> NDArray[np.uint32]:
    """Return the ids, rising, of the records that have a name of this key."""
    rows = file.rows("SELECT records FROM author_index WHERE name_key = ?", (key,))
    return np.frombuffer(rows[0][0] if rows else b"", IDS)
