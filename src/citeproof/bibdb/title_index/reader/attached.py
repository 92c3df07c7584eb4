"""A database's title index, as one of the ways in which the database looks titles up.

It answers only as long as it provably belongs to the database: same fingerprint, whole file,
blocks that agree with their checksums, titles that the records really have. In every other case
it steps back with :class:`UnusableIndexError`, and another way answers.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from citeproof.bibdb.matches import Match, Matches
from citeproof.bibdb.title_index.fingerprint import fingerprint, log_path
from citeproof.bibdb.title_index.format import UnusableIndexError
from citeproof.bibdb.title_index.keys import main_title
from citeproof.bibdb.title_index.reader.exact import main_titles, same_words
from citeproof.bibdb.title_index.reader.mapped import TitleIndex
from citeproof.bibdb.title_index.reader.search import best, exact, top
from citeproof.errors import DatabaseError
from citeproof.models import MatchKind
from citeproof.storage.watch import Watch
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from citeproof.bibdb.title_index.reader.search import TitleMatches
    from citeproof.models import Record
    from citeproof.storage.sqlite import Identity, ReadOnlyFile

    _Search = Callable[[TitleIndex], TitleMatches | None]

T = TypeVar("T")
_FEW_RECORDS = 100
"""Records that are read in about a millisecond; thousands have a title like "Editorial"."""

_FEW_TITLES = 20_000
"""Titles among which the most similar one down to 0.6 is found in some 7 milliseconds; among 50,000 it takes 15."""

_State = tuple["Identity | None", ...]
"""What index, database and, in write-ahead mode, its log are on disk."""


class AttachedIndex:
    """The look-up by title index. Usable from many threads; a rebuilt file is picked up by the next search."""

    name = "title_index"

    def __init__(
        self,
        file: ReadOnlyFile,
        path: Path,
        records_of: Callable[[Sequence[int]], Mapping[int, Record]],
        *,
        recheck_seconds: float = 0.0,
    ) -> None:
        """Attach the index at ``path`` to ``file``; ``records_of`` returns records by id.

        A change of the files is seen ``recheck_seconds`` later at most.
        """
        self._file = file
        self.path = path
        """Where the index is, or would be."""
        self._records_of = records_of
        self._watch = Watch(path, file.path, seconds=recheck_seconds)
        self._watch_log = Watch(path, file.path, log_path(file.path), seconds=recheck_seconds)
        """What to look at of a database in write-ahead mode; without that no log says anything about it."""
        self._index: TitleIndex | None = None
        self._seen: _State | None = None
        self._reason = "the database was replaced while it was opened"
        self._lock = Lock()
        self._follow()

    @property
    def warning(self) -> str:
        """One line on why the index does not answer and how to change that; empty while it does."""
        self._follow()
        if self._index is not None:
            return ""
        beside = self.path.parent == self._file.path.parent
        option = "" if beside else f" --index-dir {self.path.parent}"
        return f"{self.path}: {self._reason}; `citeproof db index {self._file.path}{option}` builds it"

    def close(self) -> None:
        """Let go of the file, which stays on disk while anybody has it mapped, also after it was replaced."""
        with self._lock:
            self._index = None

    def verify(self) -> None:
        """Check every block of the file; raise :class:`UnusableIndexError` when it cannot be trusted."""
        self._follow()
        index = self._index
        if index is None:
            raise UnusableIndexError(self.warning)
        try:
            index.require_whole()
            index.verify()
        except UnusableIndexError as error:
            self._give_up(index, str(error))
            raise UnusableIndexError(self.warning) from error

    def search(self, query: str, threshold: float, max_candidates: int) -> Matches:
        """Return the best matches of the normalised ``query``; complete unless ``max_candidates`` cut the search.

        Raises:
            UnusableIndexError: the index cannot be trusted to answer for the database as it is now.
        """
        matches = self._search(lambda index: best(index, query, threshold, max_candidates))
        if matches is None:
            raise UnusableIndexError(self.warning)
        return matches

    def search_all(self, query: str, threshold: float, max_candidates: int, most: int) -> Matches:
        """Return the ``most`` best of all records that reach ``threshold``, and how many more do.

        Raises:
            UnusableIndexError: as for :meth:`search`.
        """
        every = self._search(lambda index: top(index, query, len(index) or 1, threshold, max_candidates), read=most)
        if every is None:
            raise UnusableIndexError(self.warning)
        return every

    def nearest(self, query: str, lowest: float) -> Match | None:
        """Return the record whose title is most like the normalised ``query``, from similarity ``lowest`` up.

        None where none is, and in an index of so many titles that it would take long.
        """
        index = self._index
        if index is None or len(index) > _FEW_TITLES:
            return None
        matches = self._search(lambda index: best(index, query, lowest))
        return next(iter(matches.found), None) if matches else None

    def search_exact(self, query: str) -> Matches | None:
        """Return the records whose title equals the normalised ``query``; None without any, with many, or no index."""
        return self._search(lambda index: exact(index, query), _FEW_RECORDS)

    def _search(self, find: _Search, most_records: float = float("inf"), *, read: int | None = None) -> Matches | None:
        """Return what ``find`` does, with the records of the titles it found; None without index or with too many.

        Where ``read`` limits the answer, only the best ``read`` records are read.
        """
        return self._ask(lambda index: self._matches(index, find(index), most_records, read))

    def _matches(
        self, index: TitleIndex, answer: TitleMatches | None, most_records: float, read: int | None
    ) -> Matches | None:
        if answer is None:
            return None
        holders = sorted(
            (-match.similarity, record_id, match.text)
            for match in answer.matches
            for record_id in index.record_ids(match.title)
        )
        if len(holders) > most_records:
            return None
        records = self._checked((record_id, text) for _, record_id, text in holders[:read])
        found = tuple(Match(-less, record_id, record=records[record_id]) for less, record_id, _ in holders[:read])
        return Matches(
            found,
            None,
            answer.examined,
            answer.complete,
            cut=not answer.complete,
            more=len(holders) - len(found),
        )

    def _ask(self, read: Callable[[TitleIndex], T]) -> T | None:
        """Return what ``read`` reads from the index; None without an index that can be trusted."""
        self._follow()
        index = self._index
        if index is None:
            return None
        try:
            index.require_whole()
            return read(index)
        except UnusableIndexError as error:
            self._give_up(index, str(error))
            return None

    def _checked(self, holders: Iterable[tuple[int, str]]) -> Mapping[int, Record]:
        """Return the records by id, once each is seen to have the normalised title that it is held for."""
        texts = dict(holders)
        records = self._records_of(list(texts))
        if any(
            record_id not in records or normalize_title(records[record_id].title) != text
            for record_id, text in texts.items()
        ):
            raise UnusableIndexError("does not agree with the database")
        return records

    def related(self, title: str) -> tuple[Match, ...] | None:
        """Return the records whose title is the raw ``title`` without or with a subtitle, or in another word order.

        None without an index that can be trusted.
        """
        return self._ask(lambda index: tuple(self._related(index, title)))

    def _related(self, index: TitleIndex, title: str) -> Iterator[Match]:
        query, main = normalize_title(title), main_title(title)
        for number in main_titles(index, query, main):
            text = index.normalized(number)
            for record_id, record in self._checked((each, text) for each in index.record_ids(number)).items():
                if text == main or main_title(record.title) == query:
                    yield Match(similarity(query, text), record_id, MatchKind.MAIN_TITLE, record)
        for number in same_words(index, query):
            text = index.normalized(number)
            for record_id, record in self._checked((each, text) for each in index.record_ids(number)).items():
                yield Match(similarity(query, text), record_id, MatchKind.SAME_WORDS, record)

    def _give_up(self, index: TitleIndex, reason: str) -> None:
        with self._lock:
            if self._index is index:
                self._index, self._reason = None, reason

    def _follow(self) -> None:
        """Look whether database or index have changed on disk."""
        state = self._watch.look()
        if state != self._seen:
            with self._lock:
                self._reconsider(state)
                self._seen = state

    def _reconsider(self, state: _State) -> None:
        mapped, (on_disk, database, *_) = self._index, state
        if database is None or database[:2] != self._file.identity[:2]:
            return  # the name is gone or another file's; this one is still open, and what belonged to it still does
        self._index = None
        try:
            now = fingerprint(self._file)
        except DatabaseError as error:
            self._reason = str(error)
            return
        if mapped is not None and on_disk and on_disk[:2] == mapped.identity[:2] and on_disk != mapped.identity:
            mapped = None  # the file was written to in place; what is mapped may no longer be there
        if "log" in now:
            self._watch = self._watch_log
        candidates = [self._open] if mapped is None else [self._open, lambda: mapped]
        for candidate in candidates:
            try:
                index = candidate()
            except UnusableIndexError as error:
                self._reason = str(error)
                continue
            if index.header.fingerprint == now:
                self._index = index
                return
            self._reason = "belongs to another state of the database"

    def _open(self) -> TitleIndex:
        return TitleIndex(self.path)
