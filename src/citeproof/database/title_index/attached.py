"""The title index of an open database.

A search raises :class:`UnusableIndexError` if the index does not belong to the database. The index
must contain the fingerprint of the database. The file of the index must be complete, and the
checksums correct. Each title found must be the title of the record in the database.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import TypeVar

from citeproof.database.matches import Match, Matches, RecordsOf
from citeproof.database.title_index.exact import contained, main_title, main_titles, reordered
from citeproof.database.title_index.format import (
    UnusableIndexError,
    fingerprint,
    index_path,
    log_path,
)
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.search import TitleMatches, from_above, top
from citeproof.model.errors import DatabaseError
from citeproof.model.record import MatchKind, Record
from citeproof.store.files import SUFFIX, LockHeldError, ProcessLock, resolved
from citeproof.store.sqlite import Identity, ReadOnlyFile, Watch
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

T = TypeVar("T")
FEW_TITLES = 20_000
"""Maximum number of titles in a small index.

A search of a small index down to similarity 0.6 takes some 7 ms.
"""
_FEW_TITLES_FROM = 0.6  # minimum similarity, 0 to 1, of the nearest title in a small index
_State = tuple["Identity | None", ...]  # state of each file: title index, database, perhaps log


def finish_replacement(path: Path, index_dir: Path | None = None) -> bool:
    """Finish a build of the database ``path`` that was killed between its last two steps. Return
    whether there was such a build.

    The last two steps of a build rename the new title index, and then the new database. If only the
    index was renamed, this function renames the database. It does nothing while a build is running.
    """
    target = resolved(path)
    building = target.with_name(target.name + SUFFIX)
    if not building.exists():
        return False
    with suppress(LockHeldError, DatabaseError, OSError), closing(ProcessLock(building)) as lock:
        with closing(ReadOnlyFile(building)) as file:
            complete = TitleIndex(index_path(path, index_dir)).header.fingerprint == fingerprint(
                file
            )
        if complete:
            if sys.platform == "win32":  # Windows cannot rename an open file
                lock.close()
            building.replace(target)
        return complete
    return False


class AttachedIndex:
    """The title index of an open database.

    Thread-safe. If the file of the index is replaced, it is opened again.
    """

    name = "title_index"

    def __init__(
        self,
        file: ReadOnlyFile,
        path: Path,
        records_of: RecordsOf,
        recheck_seconds: float,
        *,
        in_memory: bool,
    ) -> None:
        """Use the index at ``path`` for the database ``file``.

        Changed files are noticed within ``recheck_seconds``. If ``in_memory`` is false, each search
        ends by releasing the memory of one section of the index. This takes a tenth of the time of
        a search.
        """
        self._file = file
        self.path = path
        """Path of the file of the index. The file may be missing."""
        self._records_of = records_of
        self._in_memory = in_memory
        self._watch = Watch(path, file.path, seconds=recheck_seconds)
        self._watch_log = Watch(path, file.path, log_path(file.path), seconds=recheck_seconds)
        """Watches the index, the database and its write-ahead log.

        Used for a database that has such a log.
        """
        self._index: TitleIndex | None = None
        self._seen: _State | None = None
        self._reason = "the database was replaced while it was opened"
        self._lock = Lock()
        self._follow()

    @property
    def warning(self) -> str:
        """One line that says why the index cannot be used and what the user can do.

        Empty if the index can be used.
        """
        self._follow()
        if self._index is not None:
            return ""
        option = (
            "" if self.path.parent == self._file.path.parent else f" --index-dir {self.path.parent}"
        )
        return (
            f"{self.path}: {self._reason}; `citeproof db index {self._file.path}{option}` builds it"
        )

    @property
    def blocks_read(self) -> int:
        """Number of distinct blocks of the file that look-ups have read."""
        return self._index.blocks_read if self._index is not None else 0

    def close(self) -> None:
        """Close the file of the index."""
        with self._lock:
            self._index = None

    def verify(self) -> None:
        """Check every block of the file.

        Raises :class:`UnusableIndexError` if a block is damaged.
        """
        self._ask(TitleIndex.verify)

    def search(
        self, query: str, threshold: float, max_candidates: int, *, every: bool, most: int
    ) -> Matches:
        """Find at most ``most`` records whose title has at least the similarity ``threshold`` to
        ``query``.

        Unless ``every`` is true, only the most similar records are found. A search that has
        compared ``max_candidates`` titles stops, and may miss records. Raises
        :class:`UnusableIndexError` if the index is missing, damaged or old.
        """
        return self._ask(
            lambda index: self._matches(
                index, from_above(index, query, threshold, max_candidates, every=every), most
            )
        )

    def nearest(self, query: str, lowest: float, max_candidates: int) -> Match | None:
        """Return the record whose title is most similar to the normalised ``query``, or None.

        The similarity must be at least ``lowest``, or 0.6 in an index of at most :data:`FEW_TITLES`
        titles.
        """

        def read(index: TitleIndex) -> Matches:
            floor = min(lowest, _FEW_TITLES_FROM) if len(index) <= FEW_TITLES else lowest
            return self._matches(index, top(index, query, 1, floor, max_candidates), 1)

        try:
            return next(iter(self._ask(read).found), None)
        except UnusableIndexError:
            return None

    def related(self, title: str) -> tuple[Match, ...]:
        """Return the records whose title differs from ``title`` only by a subtitle, a remark or the
        order of words.
        """
        return self._ask(lambda index: tuple(self._related(index, title)))

    def within(self, text: str, shortest: int) -> list[int]:
        """Return the ids of the records whose title of at least ``shortest`` letters is whole words
        of the normalised ``text``, longest title first.
        """
        return self._ask(
            lambda index: [
                record_id
                for title in contained(index, text, shortest)
                for record_id in index.record_ids(title)
            ]
        )

    def _matches(self, index: TitleIndex, answer: TitleMatches, most: int) -> Matches:
        """Read at most ``most`` records with the titles in ``answer``, best first.

        Further records are only counted.
        """
        holders = sorted(
            (less, record_id, match.text)
            for match, less in ((match, -match.similarity) for match in answer.matches)
            for record_id in index.record_ids(match.title)
        )
        records = self._checked((record_id, text) for _, record_id, text in holders[:most])
        found = tuple(
            Match(-less, record_id, record=records[record_id])
            for less, record_id, _ in holders[:most]
        )
        cut, more = not answer.complete, len(holders) - len(found)
        return Matches(found, None, answer.examined, answer.complete, cut, more)

    def _ask(self, read: Callable[[TitleIndex], T]) -> T:
        """Return ``read(index)``, called with the title index, which is opened again if its file
        has changed.

        Raises :class:`UnusableIndexError` if the title index is missing or damaged.
        """
        self._follow()
        index = self._index
        if index is not None:
            try:
                index.require_whole()
                answer = read(index)
                if not self._in_memory:
                    index.far.release()
                return answer
            except UnusableIndexError as error:
                with self._lock:
                    if self._index is index:
                        self._index, self._reason = None, str(error)
        raise UnusableIndexError(self.warning)

    def _checked(self, holders: Iterable[tuple[int, str]]) -> Mapping[int, Record]:
        """Return the records of ``holders``, which are pairs of record id and title in the index.

        Raises :class:`UnusableIndexError` if a record has another title than the index states.
        """
        texts = dict(holders)
        records = self._records_of(list(texts))
        if {
            record_id: normalize_title(record.title) for record_id, record in records.items()
        } != texts:
            raise UnusableIndexError("does not agree with the database")
        return records

    def _related(self, index: TitleIndex, title: str) -> Iterator[Match]:
        query, main = normalize_title(title), main_title(title)
        subtitled, same_words = main_titles(index, query, main), reordered(index, query)
        kinds = [MatchKind.MAIN_TITLE] * len(subtitled) + [MatchKind.SAME_WORDS] * len(same_words)
        for number, kind in zip(subtitled + same_words, kinds, strict=True):
            text = index.normalized(number)
            for record_id, record in self._checked(
                (each, text) for each in index.record_ids(number)
            ).items():
                if (
                    kind is MatchKind.SAME_WORDS
                    or text == main
                    or main_title(record.title) == query
                ):
                    yield Match(similarity(query, text), record_id, kind, record)

    def _follow(self) -> None:
        """Open the index again if the file of the database or of the index has changed on disk."""
        state = self._watch.look()
        if state != self._seen:
            with self._lock:
                self._reconsider(state)
                self._seen = state

    def _reconsider(self, state: _State) -> None:
        mapped, (on_disk, database, *_) = self._index, state
        if database is None or database[:2] != self._file.identity[:2]:
            # the database was deleted or replaced, but this process still has the old file and its
            # index open
            return
        self._index = None
        try:
            now = fingerprint(self._file)
        except DatabaseError as error:
            self._reason = str(error)
            return
        if (
            mapped is not None
            and on_disk
            and on_disk[:2] == mapped.identity[:2]
            and on_disk != mapped.identity
        ):
            mapped = None  # the index file was written to, so the mapped pages may be invalid
        if "log" in now:
            self._watch = self._watch_log
        try:
            opened = TitleIndex(self.path)
        except UnusableIndexError as error:
            opened, self._reason = None, str(error)
        for index in (opened, mapped):
            if index is not None and index.header.fingerprint == now:
                self._index = index
                return
            if index is not None:
                self._reason = "belongs to another state of the database"
