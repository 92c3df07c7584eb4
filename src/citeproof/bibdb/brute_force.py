"""The query against every title of a database: slow, exact, and in need of nothing but the titles."""

from __future__ import annotations

import tempfile
from array import array
from itertools import count
from threading import Lock
from typing import IO, TYPE_CHECKING

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
CHUNKS_IN_MEMORY = 16
"""A million titles take some 130 MB as text objects; those of a larger database are read back from a scratch file."""
NEAREST_FROM = 0.6
"""A miss names the nearest title from this similarity up; looking for worse ones would take twice as long."""


class _Chunks:
    """Lists of titles, the first in memory and all further ones in a file without a name."""

    def __init__(self) -> None:
        self._held: list[list[str]] = []
        self._places: list[tuple[int, int]] = []
        self._file: IO[bytes] | None = None
        self._reading = Lock()

    def append(self, titles: list[str]) -> None:
        """Add a list of titles."""
        if len(self._held) < CHUNKS_IN_MEMORY:
            self._held.append(titles)
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as this object lives
        data = "\n".join(titles).encode()
        self._places.append((self._file.tell(), len(data)))
        self._file.write(data)

    def __iter__(self) -> Iterator[list[str]]:
        yield from self._held
        for offset, size in self._places:
            yield self._read(offset, size).decode().split("\n")

    def _read(self, offset: int, size: int) -> bytes:
        if self._file is None:
            return b""
        with self._reading:
            self._file.seek(offset)
            return self._file.read(size)


class Titles:
    """All titles of a database, normalised, with the ids of their records."""

    def __init__(self, titles: Iterable[tuple[int, str]]) -> None:
        self._ids = array("q")
        self._chunks = _Chunks()
        chunk: list[str] = []
        for record_id, title in titles:
            if normalized := normalize_title(title):
                self._ids.append(record_id)
                chunk.append(normalized)
                if len(chunk) == CHUNK_TITLES:
                    self._chunks.append(chunk)
                    chunk = []
        if chunk:
            self._chunks.append(chunk)

    def search(self, query: str, threshold: float) -> Matches:
        """Return all records whose title is like the normalised ``query``; always complete."""
        floor = min(threshold, NEAREST_FROM)
        matches = [match for chunk in self._similar(query, floor) for match in chunk]
        matches.sort(key=lambda match: (-match.similarity, match.record_id))
        found = tuple(match for match in matches if match.similarity >= threshold)
        nearest = matches[0] if matches and not found else None
        return Matches(found, nearest, len(self._ids), complete=True)

    def _similar(self, query: str, floor: float) -> Iterator[list[Match]]:
        """Yield the matches at or above ``floor``, a chunk of the titles at a time."""
        # similarity >= t means distance <= (1 - t) * (la + lb), and lb is at most la * (2 - t) / t
        cutoff = int(2 * len(query) * (1 - floor) / floor) + 1
        for start, titles in zip(count(step=CHUNK_TITLES), self._chunks, strict=False):
            distances = process.cdist([query], titles, scorer=Indel.distance, score_cutoff=cutoff, dtype=np.int32)[0]
            totals = np.fromiter(map(len, titles), np.int64, len(titles)) + len(query)
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
    """Return the titles of the database at ``path``, from ``read`` on first use and kept ever after.

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
