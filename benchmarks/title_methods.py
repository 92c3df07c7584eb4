"""The ways to find a title that are compared: each answers a normalised query with its best
similarity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
import tantivy
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Indel

from citeproof.database.layout import detect
from citeproof.database.title_index.search import best
from citeproof.database.word_index import FullText, WordIndex
from citeproof.store.sqlite import ReadOnlyFile
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from citeproof.database.title_index.mapped import TitleIndex

THRESHOLD = 0.9
MAX_CANDIDATES = 100_000


class Method(Protocol):
    """A way to find the title most similar to a query."""

    name: str

    def search(self, query: str) -> float:
        """Return the highest similarity found at or above :data:`THRESHOLD`, or 0."""


class ByTitleIndex:
    """The title index."""

    name = "title index"

    def __init__(self, index: TitleIndex) -> None:
        self._index = index

    def search(self, query: str) -> float:
        """Return the exact best."""
        matches = best(self._index, query, THRESHOLD, MAX_CANDIDATES).matches
        return matches[0].similarity if matches else 0.0


class ByComparingAll:
    """RapidFuzz over every title, as its documentation recommends."""

    name = "RapidFuzz over all"

    def __init__(self, titles: list[str]) -> None:
        self._titles = titles

    def search(self, query: str) -> float:
        """Return the best of all titles."""
        found = process.extractOne(
            query, self._titles, scorer=fuzz.ratio, score_cutoff=100 * THRESHOLD
        )
        return found[1] / 100 if found else 0.0


class ByWords:
    """The word index of a database, with the query that citeproof makes of it."""

    name = "word index (citeproof)"

    def __init__(self, database: Path) -> None:
        file = ReadOnlyFile(database)
        self._index = WordIndex(FullText(file, detect(file)))

    def search(self, query: str) -> float:
        """Return the best of the candidates."""
        found = self._index.search(query, THRESHOLD, MAX_CANDIDATES, every=False, most=1).found
        return found[0].similarity if found else 0.0


class ByFiveWords:
    """FTS5: the five longest words, all of which a candidate must have."""

    name = "FTS5, 5 words ANDed"
    operator = " AND "

    def __init__(self, database: Path) -> None:
        self._file = ReadOnlyFile(database)

    def words(self, query: str) -> list[str]:
        """Return the words that are asked for."""
        return sorted(set(query.split()), key=lambda word: (-len(word), word))[:5]

    def search(self, query: str) -> float:
        """Return the best of the candidates."""
        expression = self.operator.join(f'"{word}"' for word in self.words(query))
        if not expression:
            return 0.0
        rows = self._file.rows(
            "SELECT title FROM publications WHERE id IN (SELECT rowid FROM title_fts WHERE"
            " title_fts MATCH ? LIMIT ?)",
            (expression, MAX_CANDIDATES),
        )
        return best_of(query, (normalize_title(title) for (title,) in rows))


class ByRareWords(ByFiveWords):
    """FTS5: the three rarest words, one of which a candidate must have."""

    name = "FTS5, 3 rarest ORed"
    operator = " OR "

    def words(self, query: str) -> list[str]:
        """Return the rarest words; counting stops where a word is common."""
        count = "SELECT count(*) FROM (SELECT 1 FROM title_fts WHERE title_fts MATCH ? LIMIT 20000)"
        counts = {word: self._file.rows(count, (f'"{word}"',))[0][0] for word in set(query.split())}
        return sorted(
            (word for word in counts if counts[word]), key=lambda word: (counts[word], word)
        )[:3]


class ByTantivy:
    """tantivy: the hundred titles that score highest by BM25 for the words of the query."""

    name = "tantivy, 100 by BM25"

    def __init__(self, folder: Path, titles: Iterable[str] | None = None) -> None:
        """Open the index in ``folder``, after filling it with ``titles`` where these are given."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("title", stored=True, tokenizer_name="whitespace")
        folder.mkdir(exist_ok=True)
        index = tantivy.Index(builder.build(), path=str(folder))
        if titles is not None:
            writer = index.writer(heap_size=256 << 20, num_threads=1)
            for title in titles:
                writer.add_document(tantivy.Document(title=title))
            writer.commit()
            writer.wait_merging_threads()
        index.reload()
        self._index, self._searcher = index, index.searcher()
        self._schema = index.schema

    def search(self, query: str) -> float:
        """Return the best of the candidates."""
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "title", word))
            for word in set(query.split())
        ]
        hits = self._searcher.search(tantivy.Query.boolean_query(terms), 100).hits
        return best_of(query, (self._searcher.doc(address)["title"][0] for _, address in hits))


def best_of(query: str, titles: Iterable[str]) -> float:
    """Return the highest similarity among ``titles`` at or above the threshold, or 0."""
    highest = max((Indel.normalized_similarity(query, title) for title in titles), default=0.0)
    return highest if highest >= THRESHOLD else 0.0


def best_of_all(query: str, titles: list[str], lengths: np.ndarray) -> tuple[float, set[str]]:
    """Return the highest similarity at or above the threshold and all titles that have it, in
    integer arithmetic.
    """
    highest, found = (0, 1), set[str]()
    # at 0.9 a title is at most 11/9 as long, and a tenth of both lengths may differ
    limit = len(query) * 2 // 9 + 1
    for start in range(0, len(titles), 1 << 18):
        part = titles[start : start + (1 << 18)]
        totals = lengths[start : start + (1 << 18)] + len(query)
        distances = process.cdist(
            [query], part, scorer=Indel.distance, score_cutoff=limit, dtype=np.int32
        )[0]
        for place in np.flatnonzero((distances * 10 <= totals) & (distances <= limit)).tolist():
            common, total = int(totals[place] - distances[place]), int(totals[place])
            if common * highest[1] > highest[0] * total:
                highest, found = (common, total), set()
            if common * highest[1] == highest[0] * total:
                found.add(part[place])
    return highest[0] / highest[1], found
