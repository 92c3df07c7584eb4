"""The checks of ``citeproof db check --deep``: every byte of the title index, and its answers beside brute force."""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from citeproof.bibdb.check import Finding
from citeproof.bibdb.title_index.reader.attached import AttachedIndex
from citeproof.errors import DatabaseError
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.bibdb.database import Database

QUERIES = 40
THRESHOLD = 0.85
CHUNK_TITLES = 20_000


class _Best(NamedTuple):
    """The best similarity of a query so far, as letters in common of all letters, and the records that have it."""

    common: int
    total: int
    ids: set[int]


def deep_check(database: Database) -> Iterator[Finding]:
    """Yield whether each block of the title index is sound, and whether it answers as comparing all titles does.

    It reads all titles of the database twice, in bounded memory.
    """
    try:
        database.verify_title_index()
        yield Finding("index blocks", True, "every block agrees with its checksum")
    except DatabaseError as error:
        yield Finding("index blocks", False, str(error))
        return
    queries = _queries(database, random.Random())  # noqa: S311 - a sample, no secret
    differing = [query for query, best in _compare_all(database, queries).items() if not _agrees(database, query, best)]
    if differing:
        detail = f"{len(differing)} of {len(queries)} queries are answered otherwise, such as {differing[0]!r}"
        yield Finding("deep", False, detail)
    else:
        yield Finding("deep", True, f"{len(queries)} of {len(queries)} queries are answered as by comparing all titles")


def _queries(database: Database, choice: random.Random) -> list[str]:
    """Return titles of the database, some equal, some damaged, and some whose words are from many titles."""
    drawn: list[str] = []
    for number, (_, title) in enumerate(database.titles()):
        if number < QUERIES:
            drawn.append(title)
        elif (index := choice.randrange(number + 1)) < QUERIES:
            drawn[index] = title
    normalized = [title for title in map(normalize_title, drawn) if title]
    words = [word for title in normalized for word in title.split()]
    kinds = (
        lambda title: title,
        lambda title: title[: len(title) // 3] + "q" + title[len(title) // 3 + 1 :],
        lambda title: " ".join(title.split()[1:]) or title,
        lambda title: " ".join(choice.choice(words) for _ in title.split()),
    )
    return sorted({kinds[number % len(kinds)](title) for number, title in enumerate(normalized)})


def _compare_all(database: Database, queries: list[str]) -> dict[str, _Best]:
    """Compare every query with every title."""
    best = {query: _Best(0, 1, set()) for query in queries}
    titles = ((number, normal) for number, title in database.titles() if (normal := normalize_title(title)))
    while chunk := list(islice(titles, CHUNK_TITLES)):
        lengths = np.array([len(title) for _, title in chunk])
        distances = process.cdist(queries, [title for _, title in chunk], scorer=Indel.distance, dtype=np.int32)
        for query, row in zip(queries, distances, strict=True):
            totals = lengths + len(query)
            for index in np.flatnonzero(totals - row >= THRESHOLD * totals).tolist():
                best[query] = _better(best[query], int(totals[index] - row[index]), int(totals[index]), chunk[index][0])
    return best


def _better(best: _Best, common: int, total: int, record_id: int) -> _Best:
    mine, theirs = common * best.total, best.common * total
    if mine > theirs:
        return _Best(common, total, {record_id})
    if mine == theirs:
        best.ids.add(record_id)  # not a new set: thousands of records may share a title
    return best


def _agrees(database: Database, query: str, best: _Best) -> bool:
    lookup = database.look_up(query, THRESHOLD)
    if lookup.index != AttachedIndex.name or not lookup.complete:
        return False
    if not best.ids:
        return not lookup.found
    expected = sorted(map(repr, database.records(sorted(best.ids))))
    same_records = sorted(repr(candidate.record) for candidate in lookup.candidates) == expected
    return same_records and lookup.candidates[0].similarity == best.common / best.total
