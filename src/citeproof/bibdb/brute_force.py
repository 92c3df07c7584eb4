"""The query against every title of a database: slow, exact, and in need of nothing but the titles."""

from __future__ import annotations

from array import array
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from citeproof.bibdb.matches import Match, Matches
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from citeproof.storage.sqlite import Identity

CHUNK_TITLES = 1 << 16
NEAREST_FROM = 0.6
"""A miss names the nearest title from this similarity up; looking for worse ones would take twice as long."""


class Titles:
    """All titles of a database, normalised, with the ids of their records."""

    def __init__(self, titles: Iterable[tuple[int, str]]) -> None:
        self._ids = array("q")
        self._titles: list[str] = []
        for record_id, title in titles:
            if normalized := normalize_title(title):
                self._ids.append(record_id)
                self._titles.append(normalized)
        self._lengths = np.fromiter(map(len, self._titles), np.int64, len(self._titles))

    def search(self, query: str, threshold: float) -> Matches:
        """Return all records whose title is like the normalised ``query``; always complete."""
        floor = min(threshold, NEAREST_FROM)
        matches = [match for chunk in self._similar(query, floor) for match in chunk]
        matches.sort(key=lambda match: (-match.similarity, match.record_id))
        found = tuple(match for match in matches if match.similarity >= threshold)
        nearest = matches[0] if matches and not found else None
        return Matches(found, nearest, len(self._titles), complete=True)

    def _similar(self, query: str, floor: float) -> Iterator[list[Match]]:
        """Yield the matches at or above ``floor``, a chunk of the titles at a time."""
        # similarity >= t means distance <= (1 - t) * (la + lb), and lb is at most la * (2 - t) / t
        cutoff = int(2 * len(query) * (1 - floor) / floor) + 1
        for start in range(0, len(self._titles), CHUNK_TITLES):
            titles = self._titles[start : start + CHUNK_TITLES]
            distances = process.cdist([query], titles, scorer=Indel.distance, score_cutoff=cutoff, dtype=np.int32)[0]
            totals = self._lengths[start : start + CHUNK_TITLES] + len(query)
            similarities = (totals - distances) / totals
            near = np.flatnonzero((similarities >= floor) & (distances <= cutoff))
            yield [Match(float(similarities[i]), self._ids[start + int(i)]) for i in near]


class _Entry:
    """The titles of one database, or the lock that whoever needs them first holds while loading."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.identity: Identity | None = None
        self.titles: Titles | None = None


_ENTRIES: dict[Path, _Entry] = {}
_ENTRIES_LOCK = Lock()


def titles_of(path: Path, identity: Identity, read: Callable[[], Iterable[tuple[int, str]]]) -> Titles:
    """Return the titles of the database at ``path``, from ``read`` on first use and from memory ever after.

    Callers that come while they are loaded wait for them. Nothing is ever dropped; only a file
    that was replaced (another ``identity``) is read again.
    """
    with _ENTRIES_LOCK:
        entry = _ENTRIES.setdefault(path, _Entry())
    with entry.lock:
        if entry.titles is None or entry.identity != identity:
            entry.titles = Titles(read())
            entry.identity = identity
        return entry.titles
