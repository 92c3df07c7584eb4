"""The word index: finds the titles of a database that share rare words with another title, called
the query.

Any word of the query may be wrong: a typo changes one word, and a missing hyphen two. A title is a
*candidate* if it has one of the rare words of the query, or two of its rarest words. Candidates are
then compared with the query. A word of the query is *known* if any title of the database has it.
The word index can miss a title if all rare words of the query are wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from citeproof.database.layout import Layout, sampled_titles
from citeproof.database.matches import Match, Matches, compare
from citeproof.database.title_index.search import SELECTED_FROM
from citeproof.database.word_tables import FullText, Words, WordTable
from citeproof.model.errors import DatabaseError
from citeproof.store.sqlite import ReadOnlyFile
from citeproof.text.normalize import LONGEST_TITLE, VERSION, normalize_title

# if a query has at most this number of known words, a title with any of these words is a candidate
_FEW_WORDS = 3
_CACHED_COUNTS = 100_000  # maximum number of words whose number of titles is cached
# maximum number of cached searches for a word, alone or with other words; several readings of a
# reference search for the same words
_MOST_RECENT = 64
_PROBES = 12  # number of records that are looked up to test a word index when it is opened
# maximum share of the tested records that a usable word index may miss; one missed record is always
# allowed
_LOST_SHARE = 0.1
# minimum number of letters of a part of an unknown word that is looked up
_SHORTEST_PART = 3


class FetchLimits(NamedTuple):
    """Limits of the number of titles that a search reads from the word index."""

    rare: int  # a word is rare if at most this number of titles have it
    paired: int  # all pairs of this number of words, the rarest words of the query, are searched
    # maximum number of titles that are read for a word together with a rarer word of the query
    of_pairs: int


EVERY = FetchLimits(1_000, 5, 1 << 31)
"""Limits of a look-up of a title.

Even if two of the five rarest words of a query are wrong, a pair of correct words remains among
them.
"""
NEAREST = FetchLimits(50, 4, 100)
"""Limits of the search for the nearest title, if a title is not in the database.

They were chosen with titles that are not among 626,935 records. With these limits, a title with a
similarity of at least 0.75 was found for 60 of 336 titles of the benchmark HALLMARK, and for 275 of
2,767 titles of bibliographies. With the value 50 for ``of_pairs``, the numbers were 54 and 245.
"""
NEAREST_TITLES = 200
"""Maximum number of titles that are compared to find the nearest title."""
LONGEST_WORD = 64
"""Maximum number of letters of a word that is split in two.

The time grows with the square of the number of letters.
"""
MOST_WORDS = 32
"""Maximum number of words of a query that are searched: of the words that occur in titles, and also
of the words that do not.

SQLite refuses statements with hundreds of words.
"""


class WordIndex:
    """Finds the records of an open database whose titles share rare words with another title,
    called the query.
    """

    name = "word_index"

    def __init__(self, words: Words, *, ours: bool) -> None:
        """``ours`` says whether citeproof made the database, so that no other program writes to
        it.
        """
        self._words = words
        self._cached_count = lru_cache(_CACHED_COUNTS)(words.count)
        self._most_cached = NEAREST_TITLES + 1 if ours else 0
        self._recent: dict[tuple[str, tuple[str, ...]], tuple[int, list[tuple[int, str]]]] = {}
        """Cache: map from the words of :meth:`_titles` to the limit and the titles read."""

    def search(
        self, query: str, threshold: float, max_candidates: int, *, every: bool, most: int
    ) -> Matches:
        """Find the records whose title is similar to the normalised ``query``.

        Similar titles may be missed.

        Unless ``every`` is true, an equal title ends the search. The caller keeps the first
        ``most`` records. If more than ``max_candidates`` titles are compared, only the most similar
        titles are kept.
        """
        candidates = _Candidates(max(max_candidates, SELECTED_FROM))
        known, unknown = self._known_and_unknown(query)
        if known and not unknown:
            candidates.add(self._words.titles(known, candidates.room))
        if every or query not in candidates.titles.values():
            self._fetch(known, unknown, candidates, EVERY)
        found, nearest = compare(query, candidates.titles, threshold)
        examined = min(len(candidates.titles), max_candidates)
        cut = candidates.cut or examined < len(candidates.titles)
        complete = bool(found) and found[0].similarity == 1 and not cut
        return Matches(found[:max_candidates], nearest, examined, complete, cut)

    def nearest(self, query: str) -> Match | None:
        """Return the record with the most similar title among at most 200 records with rare words
        of ``query``.
        """
        candidates = _Candidates(NEAREST_TITLES)
        self._fetch(*self._known_and_unknown(query), candidates, NEAREST)
        found, nearest = compare(query, candidates.titles, 1.0)
        return next(iter(found), nearest)

    def _known_and_unknown(self, query: str) -> tuple[list[str], list[str]]:
        """Return two lists: words of ``query`` that titles have, rarest word first; words that no
        title has.
        """
        counts = {word: self.count(word) for word in dict.fromkeys(query.split())}
        known = sorted(filter(counts.get, counts), key=lambda word: (counts[word], -len(word)))
        return (
            known[:MOST_WORDS],
            [word for word, count in counts.items() if not count][:MOST_WORDS],
        )

    def count(self, word: str) -> int:
        """Return how many titles have ``word``.

        The count of a common word is an estimate, or ends at 20,000.
        """
        return self._cached_count(word) if len(word) <= LONGEST_WORD else self._words.count(word)

    def holding(self, words: Sequence[str], limit: int) -> list[tuple[int, str]]:
        """Return ``(record id, normalised title)`` of at most ``limit`` records whose title has all
        ``words``.
        """
        found = self._words.titles(words, limit) if words else []
        return [
            (record_id, normalize_title(title))
            for record_id, title in found
            if isinstance(title, str)
        ]

    def sharing(self, query: str, limit: int) -> dict[int, str]:
        """Return ``{record id: normalised title}`` of at most ``limit`` records whose title shares
        rare words with the normalised ``query``.

        Titles with all words come first.
        """
        known, unknown = self._known_and_unknown(query)
        candidates = _Candidates(limit)
        candidates.add(self._words.titles(known, limit // 2))
        self._fetch(known, unknown, candidates, EVERY)
        return candidates.titles

    def share(self, record_id: int, title: str) -> float:
        """Return the share, 0 to 1, of the words of ``title`` by which the word index finds the
        record ``record_id``.
        """
        words = set(title.split())
        return (
            sum(self._words.contains(record_id, word) for word in words) / len(words)
            if words
            else 1.0
        )

    def _fetch(
        self, known: list[str], unknown: list[str], candidates: _Candidates, limits: FetchLimits
    ) -> None:
        """Add titles to ``candidates`` that have a rare word of the query or two of the rarest
        words.

        ``known`` are the words of the query that titles have, and ``unknown`` the other words. If
        an unknown word can be split into two words that titles have, titles with the two words are
        added. If ``known`` is empty, titles with a word that begins like an unknown word are added.
        """
        # Example: of "deep residual lerning for image recognition", 400 titles have residual,
        # 20,000 recognition, 30,000 image, 90,000 deep, and none lerning. Candidates are all titles
        # with residual, those with image and recognition, those with deep and either image or
        # recognition, and those with both halves of lerning ("ler", "ning"), if titles have both.
        few = len(known) <= _FEW_WORDS
        for word in known:
            if few or self.count(word) <= limits.rare:
                candidates.add(self._titles(word, candidates.room))
        paired = [word for word in known[: limits.paired] if self.count(word) > limits.rare]
        for place, word in enumerate(paired[1:], 1):
            limit = min(limits.of_pairs, candidates.room)
            candidates.add(self._titles(word, limit, tuple(paired[:place])))
        for word in unknown:
            if halves := self._halves(word):
                candidates.add(self._words.titles(halves, candidates.room))
            if not known and len(word) >= _SHORTEST_PART:
                beginning = word[: max(_SHORTEST_PART, (len(word) + 1) // 2)]
                candidates.add(self._words.titles_beginning(beginning, candidates.room))

    def _titles(self, word: str, limit: int, others: tuple[str, ...] = ()) -> list[tuple[int, str]]:
        """Return ``(record id, title)`` of the first ``limit`` records whose title has ``word``.

        If ``others`` is not empty, the title must also have one of these words.
        """
        most, titles = self._recent.get((word, others), (0, []))
        if most < limit and most == len(titles):  # there may be more
            titles = self._words.titles([word], limit, others)
            if limit <= self._most_cached:
                if len(self._recent) == _MOST_RECENT:
                    self._recent.clear()
                self._recent[word, others] = limit, titles
        return titles[:limit]

    def _halves(self, word: str) -> tuple[str, ...]:
        """Split ``word`` into two words that titles have, such as ``("multi", "agent")``, or return
        ``()``.
        """
        if len(word) > LONGEST_WORD:
            return ()
        halves = (
            (word[:cut], word[cut:])
            for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
        )
        known = (pair for pair in halves if self.count(pair[0]) and self.count(pair[1]))
        return max(known, key=lambda pair: min(map(self.count, pair)), default=())


class _Candidates:
    """Collects at most ``limit`` distinct records whose titles will be compared with a query."""

    def __init__(self, limit: int) -> None:
        self.titles: dict[int, str] = {}
        self._limit = limit
        self.cut = False

    @property
    def room(self) -> int:
        """Maximum number of records to read next: one more than can still be added. If the extra
        record exists, some records are left out.
        """
        return self._limit - len(self.titles) + 1

    def add(self, titles: list[tuple[int, str]]) -> None:
        """Add ``titles``, pairs of record id and title.

        The caller has read at most :attr:`room` titles.
        """
        self.cut = self.cut or len(titles) >= self.room
        for record_id, title in titles[: self.room - 1]:
            if (
                record_id not in self.titles
                and isinstance(title, str)
                and (normalized := normalize_title(title))
            ):
                self.titles[record_id] = normalized


_KINDS: dict[str, Callable[[ReadOnlyFile, Layout], Words]] = {
    "title_fts": FullText,
    "title_words": WordTable,
}


def open_word_index(file: ReadOnlyFile, layout: Layout) -> tuple[WordIndex | None, str]:
    """Return a pair: the word index of ``file``, or None if it cannot be used; and a warning for
    the user, which may be empty.
    """
    if layout.word_table not in _KINDS:
        return None, ""
    try:
        words = _KINDS[layout.word_table](file, layout)
        words.titles(["a"], 1)
        # the index of citeproof is always complete
        probed, lost = (0, 0) if layout.ours else _probe(file, layout, words)
    except DatabaseError as error:
        return (
            None,
            (
                f"the word index {layout.word_table} does not answer, so look-ups go without it:"
                f" {error}"
            ),
        )
    if lost > max(1, _LOST_SHARE * probed):
        reason = f"it lacks {lost} of {probed} records that were tried; build it again"
        return (
            None,
            (
                f"the word index {layout.word_table} is not trusted, so look-ups go without it:"
                f" {reason}"
            ),
        )
    if layout.meta.get("normalization_version", str(VERSION)) != str(VERSION):
        return (
            WordIndex(words, ours=layout.ours),
            "its words were taken by other rules than this version's: build the database again",
        )
    return WordIndex(words, ours=layout.ours), ""


def _probe(file: ReadOnlyFile, layout: Layout, words: Words) -> tuple[int, int]:
    """Look up some records by the longest word of the title.

    Return how many records were looked up, and how many of them were not found.
    """
    titles = sampled_titles(file, layout, [step / (_PROBES - 1) for step in range(_PROBES)])
    found = []
    for record_id, title in titles.items():
        # Every tokenizer makes one token of a word of ASCII letters.
        if plain := [
            word
            for word in title[:LONGEST_TITLE].lower().split()
            if word.isascii() and word.isalpha()
        ]:
            found.append(words.contains(record_id, max(plain, key=len)))
    return len(found), found.count(False)
