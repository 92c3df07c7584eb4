"""Records by their authors: who shares the most cited names, the rarest first."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from citeproof.bibdb.author_index import IDS
from citeproof.text.name_keys import cited_keys, recorded_key
from citeproof.text.names import Agreement, compare_names, parse_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from citeproof.models import Record
    from citeproof.text.names import Name

MOST_NAMES = 50
"""So many cited names are looked for."""
MOST_RECORDS = 300_000
"""Of the rarest names so many records are read in all: a name of 60,000 records says next to nothing."""
ONLY_AUTHOR_RECORDS = 200
"""A single name that more records have says nothing about which is meant."""
COMPARED = 60
"""So many of the records that share the most keys have their names compared."""


class Rows(Protocol):
    """A database to read from."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""


def ids_by_authors(file: Rows, names: Sequence[str]) -> list[int]:
    """Return ids of records that have at least two of ``names`` (or the only one), as far as keys tell.

    Most names first, of equally many the rarest; no more than are worth comparing. A database
    without an author index has none.
    """
    if not file.rows("SELECT 1 FROM sqlite_schema WHERE name = 'author_index'"):
        return []
    groups = [cited_keys(name) for name in dict.fromkeys(names)][:MOST_NAMES]
    found = _records_of(file, [group for group in groups if group])
    if len(groups) == 1:
        return found[0].tolist() if found and len(found[0]) <= ONLY_AUTHOR_RECORDS else []
    if len(found) < 2:
        return []
    ids, shared = np.unique(np.concatenate(found), return_counts=True)
    ids, shared = ids[shared > 1], shared[shared > 1]
    rarest = np.full(len(ids), len(found))
    for rank in reversed(range(len(found))):
        rarest[np.isin(ids, found[rank], assume_unique=True)] = rank
    best: list[int] = ids[np.lexsort((ids, rarest, -shared))][:COMPARED].tolist()
    return best


def _records_of(file: Rows, groups: Sequence[frozenset[int]]) -> list[NDArray[np.uint32]]:
    """Return for each name, by its keys, the records that have it, the rarest name first; too common ones are left."""
    keys = sorted(frozenset[int]().union(*groups))
    marks = ", ".join("?" * len(keys))
    sizes = dict(file.rows(f"SELECT name_key, length(records) FROM author_index WHERE name_key IN ({marks})", keys))  # noqa: S608
    by_size = sorted((sum(sizes.get(key, 0) for key in group), sorted(group & sizes.keys())) for group in groups)
    found: list[NDArray[np.uint32]] = []
    room = MOST_RECORDS * IDS.itemsize
    for size, held in by_size:
        room -= size
        if held and (room >= 0 or len(found) < 2):
            found.append(np.unique(np.concatenate([ids_with_key(file, key) for key in held])))
    return found


def ids_with_key(file: Rows, key: int) -> NDArray[np.uint32]:
    """Return the ids, rising, of the records that have a name of this key."""
    rows = file.rows("SELECT records FROM author_index WHERE name_key = ?", (key,))
    return np.frombuffer(rows[0][0] if rows else b"", IDS)


def by_shared_names(names: Sequence[str], records: Sequence[Record]) -> list[Record]:
    """Return those of ``records`` that have at least two of ``names`` (or the only one), by how many they have.

    Of equally many the one with fewer other authors comes first, then the order of ``records`` stands.
    """
    cited = [(parse_name(name), cited_keys(name)) for name in dict.fromkeys(names)]
    counted = []
    for place, record in enumerate(records):
        by_key: defaultdict[int, list[Name]] = defaultdict(list)
        for name in record.authors:
            by_key[recorded_key(name)].append(parse_name(name))
        shared = sum(
            any(compare_names(ours, theirs) is Agreement.SAME for key in keys for theirs in by_key.get(key, ()))
            for ours, keys in cited
        )
        if shared >= min(2, len(cited)):
            counted.append((-shared, len(record.authors), place))
    return [records[place] for _, _, place in sorted(counted)]
