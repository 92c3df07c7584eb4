"""Candidates by their rarest words.

No single word is trusted: a typo costs the query a word, a hyphen two. So a title becomes a
candidate when it shares one of the query's rare words, or any two of its rarest; a word that no
title holds is tried in two halves, and a query of nothing but such words by their beginnings. A
miss still proves nothing, because a title may be spelled in other words throughout.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, Protocol

from citeproof.bibdb.layout import quoted
from citeproof.bibdb.matches import Matches, compare
from citeproof.errors import DatabaseError
from citeproof.text.normalize import LONGEST_TITLE, VERSION, normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from citeproof.bibdb.layout import Layout
    from citeproof.bibdb.matches import Match
    from citeproof.storage.sqlite import ReadOnlyFile

COUNT_LIMIT = 20_000
"""A word of more titles than this is common in a database of others; how common no longer matters."""
COUNTED = 1_001
"""So many titles of a word are counted in a database of ours. From where they are the number of all is estimated."""
FEW_WORDS = 3
"""A query of so few known words may have only one right: all titles of each are candidates."""
MOST_TITLES = 1 << 31
"""More than any database holds."""


class Reach(NamedTuple):
    """How many titles are fetched."""

    rare: int
    """All titles of a word are candidates while they are no more than this."""
    paired: int
    """So many of the rarest words are taken two by two."""
    of_a_pair: int
    """Titles of one pair at most."""


EVERY = Reach(1_000, 5, MOST_TITLES)
"""To find the cited title: any two errors leave a pair of five words."""
NEAREST = Reach(300, 4, 50)
"""To show a title that is like the cited one.

Of HALLMARK's titles that DBLP lacks, 54 then get one of 0.75 and more, with all pairs of five words and up to 1,000
titles of each word 50; that takes twice the time. With three words they are 48, with 30 titles of a pair 53.
"""
NEAREST_TITLES = 200
"""So many are compared to show the nearest. With 300, and 100 of a pair, 57 reach 0.75, for a third more time."""

KEPT_COUNTS = 100_000
"""Words whose count is remembered; a server may be asked for any number of them."""
PROBES = 12
"""So many records, evenly spread over the ids, are looked for when a word index is opened."""
LOST_SHARE = 0.1
"""A word index that lacks a larger share of them, and more than one, is empty or was filled in part."""
TELLING_WORDS = 4
"""Titles that hold so many of the rarest words are few: whether they hold the common ones too is quicker seen in them
than in the lists of hundreds of thousands of titles that these words have."""
SHORTEST_PART = 3
"""Letters of the shortest half or beginning of a word that is worth a try."""
LONGEST_WORD = 64
"""A longer word is not tried in halves, and its count is not remembered: the work would grow with its square."""
MOST_WORDS = 32
"""So many of the rarest words are looked for, and so many unknown ones; SQLite refuses some hundreds in a statement."""


class Words(Protocol):
    """An inverted index over the words of titles."""

    def count(self, word: str) -> int:
        """Return how many titles hold ``word``: exactly for a rare one, for a common one as an estimate or a limit."""

    def titles(self, words: Sequence[str], limit: int) -> list[tuple[int, str]]:
        """Return id and title of at most ``limit`` records that hold all ``words``."""

    def titles_beginning(self, beginning: str, limit: int) -> list[tuple[int, str]]:
        """Return id and title of at most ``limit`` records with a word that begins so."""

    def holds(self, record_id: int, word: str) -> bool:
        """Whether the title of this record holds ``word``."""


class WordIndex:
    """The look-up by words."""

    name = "word_index"

    def __init__(self, words: Words) -> None:
        self._words = words
        self._remembered = lru_cache(KEPT_COUNTS)(words.count)

    def search(self, query: str, threshold: float, max_candidates: int) -> Matches:
        """Return the records whose title is like the normalised ``query``; complete only when one is equal."""
        candidates = _Candidates(max_candidates)
        known, unknown = self._parted(query)
        if known and not unknown:
            candidates.add(self._words.titles(known, candidates.room))
        if query not in candidates.titles.values():
            self._gather(known, unknown, candidates, EVERY)
        found, nearest = compare(query, candidates.titles, threshold)
        equal = bool(found) and found[0].similarity == 1
        return Matches(
            found, nearest, len(candidates.titles), complete=equal and not candidates.cut, cut=candidates.cut
        )

    def nearest(self, query: str) -> Match | None:
        """Return the record whose title is most like the normalised ``query`` among a few that share its rare words.

        That proves nothing, and costs half of what :meth:`search` does.
        """
        candidates = _Candidates(NEAREST_TITLES)
        self._gather(*self._parted(query), candidates, NEAREST)
        found, nearest = compare(query, candidates.titles, 1.0)
        return next(iter(found), nearest)

    def _parted(self, query: str) -> tuple[list[str], list[str]]:
        """Return the words of ``query`` that titles hold, the rarest first, and those that none holds."""
        words = list(dict.fromkeys(query.split()))
        counts = {word: self.count(word) for word in words}
        known = sorted((word for word in words if counts[word]), key=lambda word: (counts[word], -len(word)))
        return known[:MOST_WORDS], [word for word in words if not counts[word]][:MOST_WORDS]

    def count(self, word: str) -> int:
        """Return how many titles hold ``word``: exactly for a rare one, for a common one as an estimate or a limit."""
        return self._remembered(word) if len(word) <= LONGEST_WORD else self._words.count(word)

    def holding(self, words: Sequence[str], limit: int) -> list[tuple[int, str]]:
        """Return id and normalised title of at most ``limit`` records whose title holds all ``words``."""
        found = self._words.titles(words, limit) if words else []
        return [(record_id, normalize_title(title)) for record_id, title in found if isinstance(title, str)]

    def share(self, record_id: int, title: str) -> float:
        """Return which share of the words of a record's normalised title lead to it, 0 to 1."""
        words = set(title.split())
        return sum(self._words.holds(record_id, word) for word in words) / len(words) if words else 1.0

    def _gather(self, known: list[str], unknown: list[str], candidates: _Candidates, reach: Reach) -> None:
        """Collect the titles of rare words, then of pairs of the rarest, then of what unknown words may stand for."""
        few = len(known) <= FEW_WORDS
        for word in known:
            if few or self.count(word) <= reach.rare:
                candidates.add(self._words.titles([word], candidates.room))
        for pair in combinations(known[: reach.paired], 2):
            if self.count(pair[0]) > reach.rare:
                candidates.add(self._words.titles(pair, min(reach.of_a_pair, candidates.room)))
        for word in unknown:
            self._gather_respelled(word, candidates, alone=not known)

    def _gather_respelled(self, word: str, candidates: _Candidates, *, alone: bool) -> None:
        """Collect titles that may spell an unknown word otherwise; without any known word, by its first half too."""
        if halves := self._halves(word):
            candidates.add(self._words.titles(halves, candidates.room))
        beginning = word[: max(SHORTEST_PART, (len(word) + 1) // 2)]
        if alone and len(beginning) >= SHORTEST_PART:
            candidates.add(self._words.titles_beginning(beginning, candidates.room))

    def _halves(self, word: str) -> tuple[str, ...]:
        """Return the two known words that an unknown one is made of: a hyphen or a space may have been lost."""
        if len(word) > LONGEST_WORD:
            return ()
        cuts = range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)
        halves = ((word[:cut], word[cut:]) for cut in cuts)
        return max(
            (pair for pair in halves if self.count(pair[0]) and self.count(pair[1])),
            key=lambda pair: min(map(self.count, pair)),
            default=(),
        )


class _Candidates:
    """Records to be compared, each once, at most so many."""

    def __init__(self, limit: int) -> None:
        self.titles: dict[int, str] = {}
        self._limit = limit
        self.cut = False

    @property
    def room(self) -> int:
        """One more than may still be added, so that it shows when there are more."""
        return self._limit - len(self.titles) + 1

    def add(self, titles: list[tuple[int, str]]) -> None:
        """Take in ``titles``, which were fetched with :attr:`room` as their limit."""
        self.cut = self.cut or len(titles) >= self.room
        for record_id, title in titles[: self.room - 1]:
            if record_id not in self.titles and isinstance(title, str) and (normalized := normalize_title(title)):
                self.titles[record_id] = normalized


class FullText:
    """Words in an FTS5 table ``title_fts`` whose rowid is the record's id, or which has a column for it."""

    def __init__(self, file: ReadOnlyFile, layout: Layout) -> None:
        self._file = file
        self._plain = layout.ours
        """Its words are those of the normalised titles, as a build writes them."""
        id_column, title, table = layout.id_column, quoted(layout.title), layout.table
        columns = {row[1] for row in file.rows("PRAGMA table_info(title_fts)")}
        named = "id" in columns and file.rows("SELECT id FROM title_fts WHERE id IS NOT NULL LIMIT 1")
        own, theirs = ("id", layout.key_column) if named else ("rowid", id_column)
        self._scope = "title : " if "title" in columns and len(columns) > 1 else ""
        self._count = "SELECT count(*), max(rowid) FROM (SELECT rowid FROM title_fts WHERE title_fts MATCH ? LIMIT ?)"
        self._counted = COUNTED if layout.ours else COUNT_LIMIT
        self._last = file.rows(f"SELECT max({theirs}) FROM {table}")[0][0] if layout.ours else 0  # noqa: S608
        self._titles = (
            f"SELECT t.{id_column}, t.{title} FROM title_fts f CROSS JOIN {table} t ON t.{theirs} = f.{own} "  # noqa: S608
            "WHERE f.title_fts MATCH ? LIMIT ?"
        )
        record = f"SELECT {theirs} FROM {table} WHERE {id_column} = ?"  # noqa: S608
        self._holds = f"SELECT 1 FROM title_fts WHERE title_fts MATCH ? AND {own} = ({record})"  # noqa: S608

    def count(self, word: str) -> int:
        """Return how many titles hold ``word``: of a common one that many as if it were everywhere as common as before.

        When the first 1,001 titles that hold it are among the first 10,000 of 100,000 records, it counts as 10,010.
        """
        ((count, reached),) = self._file.rows(self._count, (self._match([word]), self._counted))
        return int(count) if count < self._counted else max(count, count * self._last // reached)

    def titles(self, words: Sequence[str], limit: int) -> list[tuple[int, str]]:
        """Return id and title of at most ``limit`` records that hold all ``words``, of which the rarest come first."""
        if self._plain and len(words) > TELLING_WORDS:
            found = self._file.rows(self._titles, (self._match(words[:TELLING_WORDS]), limit))
            if len(found) < limit:
                return [row for row in found if set(normalize_title(row[1]).split()).issuperset(words)]
        return self._file.rows(self._titles, (self._match(words), limit))

    def titles_beginning(self, beginning: str, limit: int) -> list[tuple[int, str]]:
        """Return id and title of at most ``limit`` records with a word that begins so."""
        return self._file.rows(self._titles, (self._match([beginning]) + " *", limit))

    def holds(self, record_id: int, word: str) -> bool:
        """Whether the title of this record holds ``word``."""
        return bool(self._file.rows(self._holds, (self._match([word]), record_id)))

    def _match(self, words: Sequence[str]) -> str:
        return " AND ".join(self._scope + quoted(word) for word in words)


class WordTable:
    """Words in a table ``title_words(word, id)``."""

    def __init__(self, file: ReadOnlyFile, layout: Layout) -> None:
        self._file = file
        self._select = (
            f"SELECT t.{layout.id_column}, t.{quoted(layout.title)} FROM ({{}}) w "  # noqa: S608
            f"CROSS JOIN {layout.table} t ON t.{layout.key_column} = w.id LIMIT ?"
        )

    def count(self, word: str) -> int:
        """Return how many titles hold ``word``, at most :data:`COUNT_LIMIT`."""
        sql = "SELECT count(*) FROM (SELECT 1 FROM title_words WHERE word = ? LIMIT ?)"
        ((count,),) = self._file.rows(sql, (word, COUNT_LIMIT))
        return int(count)

    def titles(self, words: Sequence[str], limit: int) -> list[tuple[int, str]]:
        """Return id and title of at most ``limit`` records that hold all ``words``."""
        ids = " INTERSECT ".join(["SELECT id FROM title_words WHERE word = ?"] * len(words))
        return self._file.rows(self._select.format(ids), (*words, limit))

    def titles_beginning(self, beginning: str, limit: int) -> list[tuple[int, str]]:
        """Return id and title of at most ``limit`` records with a word that begins so."""
        ids = "SELECT DISTINCT id FROM title_words WHERE word >= ? AND word < ?"
        return self._file.rows(self._select.format(ids), (beginning, beginning + "\U0010ffff", limit))

    def holds(self, record_id: int, word: str) -> bool:
        """Whether the title of this record holds ``word``."""
        return bool(self._file.rows("SELECT 1 FROM title_words WHERE word = ? AND id = ? LIMIT 1", (word, record_id)))


_OUTDATED = "SELECT value FROM meta WHERE name = 'normalization_version' AND value <> ?"
_KINDS: dict[str, Callable[[ReadOnlyFile, Layout], Words]] = {"title_fts": FullText, "title_words": WordTable}


def open_word_index(file: ReadOnlyFile, layout: Layout) -> tuple[WordIndex | None, str]:
    """Return the word index inside ``file``, or none; where there is one that cannot be read, also why, in one line."""
    if layout.word_table not in _KINDS:
        return None, ""
    try:
        words = _KINDS[layout.word_table](file, layout)
        words.titles(["a"], 1)
        probed, lost = _probe(file, layout, words)
    except DatabaseError as error:
        return None, f"the word index {layout.word_table} does not answer, so look-ups go without it: {error}"
    if lost > max(1, LOST_SHARE * probed):
        reason = f"it lacks {lost} of {probed} records that were tried; build it again"
        return None, f"the word index {layout.word_table} is not trusted, so look-ups go without it: {reason}"
    if layout.ours and file.rows(_OUTDATED, (str(VERSION),)):
        return WordIndex(words), "its words were taken by other rules than this version's: build the database again"
    return WordIndex(words), ""


def _probe(file: ReadOnlyFile, layout: Layout, words: Words) -> tuple[int, int]:
    """Return how many records were looked for by the longest plain word of their titles, and how many were lost.

    A word of nothing but ASCII letters is one word under every rule of cutting titles into words.
    """
    id_column, title, table = layout.id_column, quoted(layout.title), layout.table
    # Asked for both at once, SQLite reads the whole table; each alone it finds at once.
    first, last = (file.rows(f"SELECT {end}({id_column}) FROM {table}")[0][0] for end in ("min", "max"))  # noqa: S608
    if first is None:
        return 0, 0
    sql = f"SELECT {id_column}, {title} FROM {table} WHERE {id_column} >= ? ORDER BY {id_column} LIMIT 1"  # noqa: S608
    starts = {first + (last - first) * number // (PROBES - 1) for number in range(PROBES)}
    titles = dict(row for start in starts for row in file.rows(sql, (start,)) if isinstance(row[1], str))
    plain = {record_id: _longest_plain_word(text) for record_id, text in titles.items()}
    found = [words.holds(record_id, word) for record_id, word in plain.items() if word]
    return len(found), found.count(False)


def _longest_plain_word(title: str) -> str:
    words = title[:LONGEST_TITLE].lower().split()
    return max((word for word in words if word.isascii() and word.isalpha()), key=len, default="")
