"""The query against every title of a database: slow, exact, and in need of nothing but the titles.

It knows no cap: ``max_candidates`` bounds what an index proposes, and comparing some of the titles in the
order of their ids would neither find a title nor prove that there is none. Every answer is complete.

Titles are normalised once a process. Where many look-ups come over a long time, as to a server, they are
kept in memory: some 130 bytes a title. A run on the command line puts them into a scratch file instead, and
streams them from it for each query: twice as slow, in memory that does not grow with the database.
"""

from __future__ import annotations

import tempfile
from array import array
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from citeproof.bibdb.matches import Match, Matches
from citeproof.errors import DatabaseError
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from citeproof.storage.sqlite import Identity

CHUNK_TITLES = 1 << 16
"""Titles compared at a time."""
NEAREST_FROM = 0.6
"""A miss names the nearest title from this similarity up; looking for worse ones would take twice as long."""


class Chunk(NamedTuple):
    """Some titles, normalised."""

    ids: array[int]
    """The records that they belong to."""
    titles: list[str]


class Chunks(Protocol):
    """Where the titles are, in an order that stays."""

    def append(self, chunk: Chunk, /) -> None:
        """Add some."""

    def __iter__(self) -> Iterator[Chunk]:
        """Yield them in the order in which they were added."""


class _Scratch:
    """Titles in a file without a name, which is gone when this object or the process is."""

    def __init__(self) -> None:
        with _explained():
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as this object lives
        self._places: list[tuple[int, int, int]] = []
        self._reading = Lock()

    def append(self, chunk: Chunk, /) -> None:
        ids, titles = chunk.ids.tobytes(), "\n".join(chunk.titles).encode()
        with _explained():
            self._places.append((self._file.tell(), len(ids), len(titles)))
            self._file.write(ids + titles)
            self._file.flush()

    def __iter__(self) -> Iterator[Chunk]:
        for offset, id_bytes, title_bytes in self._places:
            with self._reading, _explained():
                self._file.seek(offset)
                ids, titles = self._file.read(id_bytes), self._file.read(title_bytes)
            yield Chunk(array("q", ids), titles.decode().split("\n"))


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DatabaseError(
            f"no room for the titles of a database without an index: {error.strerror or error}; "
            "'citeproof db index' writes an index"
        ) from error


class Titles:
    """All titles of a database, normalised, with the ids of their records."""

    def __init__(self, titles: Iterable[tuple[int, str]], *, in_memory: bool = True) -> None:
        """Take ``titles`` in; raise :class:`DatabaseError` when there is no room for a scratch file."""
        self._count = 0
        self._chunks: Chunks = [] if in_memory else _Scratch()
        chunk = Chunk(array("q"), [])
        for record_id, title in titles:
            if normalized := normalize_title(title):
                if len(chunk.titles) == CHUNK_TITLES:
                    self._add(chunk)
                    chunk = Chunk(array("q"), [])
                chunk.ids.append(record_id)
                chunk.titles.append(normalized)
        if chunk.titles:
            self._add(chunk)

    def _add(self, chunk: Chunk) -> None:
        self._count += len(chunk.titles)
        self._chunks.append(chunk)

    def search(self, query: str, threshold: float) -> Matches:
        """Return all records whose title is like the normalised ``query``; always complete."""
        floor = min(threshold, NEAREST_FROM)
        matches = [match for chunk in self._similar(query, floor) for match in chunk]
        matches.sort(key=lambda match: (-match.similarity, match.record_id))
        found = tuple(match for match in matches if match.similarity >= threshold)
        nearest = matches[0] if matches and not found else None
        return Matches(found, nearest, self._count, complete=True)

    def count(self, word: str) -> int:
        """Return how many titles hold the normalised ``word``."""
        return sum(word in title and word in title.split() for _, title in self)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Yield id and normalised title of every record."""
        for ids, titles in self._chunks:
            yield from zip(ids, titles, strict=True)

    def _similar(self, query: str, floor: float) -> Iterator[list[Match]]:
        """Yield the matches at or above ``floor``, a chunk of the titles at a time."""
        # similarity >= t means distance <= (1 - t) * (la + lb), and lb is at most la * (2 - t) / t
        cutoff = int(2 * len(query) * (1 - floor) / floor) + 1
        for ids, titles in self._chunks:
            distances = process.cdist([query], titles, scorer=Indel.distance, score_cutoff=cutoff, dtype=np.int32)[0]
            totals = np.fromiter(map(len, titles), np.int64, len(titles)) + len(query)
            similarities = (totals - distances) / totals
            near = np.flatnonzero((similarities >= floor) & (distances <= cutoff))
            yield [Match(float(similarities[i]), ids[i]) for i in near]


class _Entry:
    """The titles of one database, or the lock that whoever needs them first holds while loading."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.identity: Identity | None = None
        self.titles: Titles | None = None


_ENTRIES: dict[tuple[Path, bool], _Entry] = {}
_ENTRIES_LOCK = Lock()


def titles_of(
    path: Path, identity: Identity, read: Callable[[], Iterable[tuple[int, str]]], *, in_memory: bool = True
) -> Titles:
    """Return the titles of the database at ``path``, from ``read`` on first use and kept ever after.

    Callers that come while they are loaded wait for them. Nothing is ever dropped; only a file
    that was replaced (another ``identity``) is read again.
    """
    with _ENTRIES_LOCK:
        entry = _ENTRIES.setdefault((path, in_memory), _Entry())
    with entry.lock:
        if entry.titles is None or entry.identity != identity:
            entry.titles = Titles(read(), in_memory=in_memory)
            entry.identity = identity
        return entry.titles
