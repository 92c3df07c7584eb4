"""Compare a title with all titles of a database.

This module also has the classes for the results of a search in any index.

:class:`Titles` compares a query with every title of a database. This is slow, but it needs no index
and misses nothing. A process normalises all titles once. A server keeps the normalised titles in
memory, some 130 bytes per title. A command keeps the titles in a temporary file. This is twice as
slow, but the memory does not grow with the database.
"""

import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from citeproof.database.title_index.exact import MOST_MAIN_TITLES, is_reordering, main_title
from citeproof.model.errors import DatabaseError
from citeproof.model.record import MatchKind, Record
from citeproof.store.sqlite import Identity
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarities, similarity

RecordsOf = Callable[[Sequence[int]], Mapping[int, "Record"]]
"""Type of a function that takes record ids and returns ``{record id: record}``."""


class Match(NamedTuple):
    """A record whose title was compared with the title that is looked up."""

    # from 0 to 1: 1 - (number of letters to delete or insert) / (number of letters of both titles)
    similarity: float
    record_id: int
    kind: MatchKind = MatchKind.TITLE
    record: Record | None = None  # the record; None if it has not been read from the database


@dataclass(frozen=True, slots=True)
class Matches:
    """The result of the search for a title in a database."""

    # matches with at least the wanted similarity: most similar first, then by record id
    found: tuple[Match, ...]
    nearest: Match | None  # the best match if ``found`` is empty; None if no title was compared
    examined: int  # number of titles that were compared with the query
    complete: bool  # whether the database certainly has no better match
    cut: bool = False  # whether the search stopped at the maximum number of titles to compare
    more: int = 0  # number of records that are similar enough and were left out of ``found``


def compare(
    query: str, titles: Mapping[int, str], threshold: float
) -> tuple[tuple[Match, ...], Match | None]:
    """Compare ``query`` with ``titles``, ``{record id: normalised title}``.

    Return a pair: the matches, and the nearest match.

    The matches have at least the similarity ``threshold``, 0 to 1, best match first. If there is no
    match, the nearest match is the most similar title. Otherwise, it is None.
    """
    if not titles:
        return (), None
    ids, alike = list(titles), similarities(query, list(titles.values()))
    reached = (alike >= threshold).nonzero()[0].tolist()
    if not reached:
        best = int(alike.argmax())
        return (), Match(float(alike[best]), ids[best])
    found = (Match(float(alike[place]), ids[place]) for place in reached)
    return tuple(sorted(found, key=lambda match: (-match.similarity, match.record_id))), None


def related_titles(
    title: str, titles: Iterable[tuple[int, str]], records_of: RecordsOf
) -> Iterator[Match]:
    """Yield the records whose title differs from ``title`` only by a subtitle, a remark or the
    order of words.

    ``titles`` are pairs of record id and normalised title. ``title`` is not normalised.
    """
    query, main = normalize_title(title), main_title(title)
    near = [
        (record_id, text)
        for record_id, text in titles
        if text.startswith(query + " ")
        or (main and text == main)
        or (len(text) == len(query) and is_reordering(text, query))
    ]
    records = records_of([record_id for record_id, _ in near])
    known = [
        (record_id, text, records[record_id])
        for record_id, text in sorted(near)
        if record_id in records
    ]
    subtitled = [each for each in known if main_title(each[2].title) == query]
    if len({text for _, text, _ in subtitled}) > MOST_MAIN_TITLES:
        subtitled = []
    without_subtitle = [each for each in known if main and each[1] == main]
    same_words = [each for each in known if is_reordering(each[1], query)]
    for found, kind in (
        (without_subtitle + subtitled, MatchKind.MAIN_TITLE),
        (same_words, MatchKind.SAME_WORDS),
    ):
        for record_id, text, record in found:
            yield Match(similarity(query, text), record_id, kind, record)


def contained_titles(text: str, titles: Iterable[tuple[int, str]], shortest: int) -> list[int]:
    """Return the ids of the records whose title occurs in the normalised ``text`` as a sequence of
    whole words, longest title first. Titles must have at least ``shortest`` letters.

    ``titles`` are pairs of record id and normalised title.
    """
    words = f" {text} "
    found = [
        (-len(title), record_id)
        for record_id, title in titles
        if len(title) >= shortest and f" {title} " in words
    ]
    return [record_id for _, record_id in sorted(found)]


CHUNK_TITLES = 1 << 16  # maximum number of titles in a :data:`Chunk`
# minimum similarity, 0 to 1, of the nearest title; a lower minimum would double the time of a
# search
_NEAREST_FROM = 0.6

Chunk = tuple["array[int]", list[str]]  # record ids, and the normalised title of each record


class _Scratch:
    """A list of chunks of titles in a temporary file without a name."""

    def __init__(self) -> None:
        with _explained():
            # the file is open as long as this object exists
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._places: list[tuple[int, int, int]] = []
        self._reading = Lock()

    def append(self, chunk: Chunk) -> None:
        ids, titles = chunk[0].tobytes(), "\n".join(chunk[1]).encode()
        with _explained():
            self._places.append((self._file.tell(), len(ids), len(titles)))
            self._file.write(ids + titles)
            self._file.flush()

    def __iter__(self) -> Iterator[Chunk]:
        for offset, id_bytes, title_bytes in self._places:
            with self._reading, _explained():
                self._file.seek(offset)
                ids, titles = self._file.read(id_bytes), self._file.read(title_bytes)
            yield array("q", ids), titles.decode().split("\n")


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
    """All normalised titles of a database, in memory or in a temporary file."""

    def __init__(self, titles: Iterable[tuple[int, str]], *, in_memory: bool = True) -> None:
        """Store the normalised titles of ``titles``, which has pairs of record id and title. They
        are kept in a temporary file if ``in_memory`` is false.

        Raises :class:`DatabaseError` if the disk is full.
        """
        self._count = 0
        self._chunks: list[Chunk] | _Scratch = [] if in_memory else _Scratch()
        normal = (
            (record_id, text) for record_id, title in titles if (text := normalize_title(title))
        )
        while chunk := list(islice(normal, CHUNK_TITLES)):
            self._count += len(chunk)
            self._chunks.append(
                (array("q", [record_id for record_id, _ in chunk]), [text for _, text in chunk])
            )

    def search(self, query: str, threshold: float) -> Matches:
        """Compare all titles with ``query``.

        Return the records with a similarity of at least ``threshold``, 0 to 1.
        """
        floor = min(threshold, _NEAREST_FROM)
        # similarity >= t means distance <= (1 - t) * (la + lb), and lb is at most la * (2 - t) / t
        cutoff = int(2 * len(query) * (1 - floor) / floor) + 1
        matches: list[Match] = []
        for ids, titles in self._chunks:
            distances = process.cdist(
                [query], titles, scorer=Indel.distance, score_cutoff=cutoff, dtype=np.int32
            )[0]
            totals = np.fromiter(map(len, titles), np.int64, len(titles)) + len(query)
            alike = (totals - distances) / totals
            places = np.flatnonzero((alike >= floor) & (distances <= cutoff))
            matches += [Match(float(alike[place]), ids[place]) for place in places]
        matches.sort(key=lambda match: (-match.similarity, match.record_id))
        found = tuple(match for match in matches if match.similarity >= threshold)
        nearest = matches[0] if matches and not found else None
        return Matches(found, nearest, self._count, complete=True)

    def count(self, word: str) -> int:
        """Return the number of titles that contain the normalised ``word``."""
        return sum(word in title and word in title.split() for _, title in self)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        for ids, titles in self._chunks:
            yield from zip(ids, titles, strict=True)


_ENTRIES: dict[tuple[Path, bool], tuple[Identity, Titles]] = {}
"""Cache of titles. The key is the path of a database and whether the titles are in memory."""
_LOADING = Lock()


def titles_of(
    path: Path,
    identity: Identity,
    read: Callable[[], Iterable[tuple[int, str]]],
    *,
    in_memory: bool = True,
) -> Titles:
    """Return the normalised titles of the database at ``path``.

    Titles are cached until ``identity``, the state of the file, changes. ``read`` returns pairs of
    record id and title. If ``in_memory`` is false, the titles are kept in a temporary file.
    """
    with _LOADING:
        entry = _ENTRIES.get((path, in_memory))
        if entry is None or entry[0] != identity:
            entry = _ENTRIES[path, in_memory] = identity, Titles(read(), in_memory=in_memory)
        return entry[1]
