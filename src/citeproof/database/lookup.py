"""Open a bibliographic database, and look up titles, identifiers and authors in it."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any, Self

from citeproof.database.author_index import (
    Suggested,
    by_shared_names,
    ids_by_authors,
    ids_by_name,
)
from citeproof.database.coverage import NO_COVERAGE, CoverageTable
from citeproof.database.layout import DamagedRecordError, detect
from citeproof.database.matches import Match, Matches, Titles, related_titles, titles_of
from citeproof.database.records import Notices, Records
from citeproof.database.title_index.attached import AttachedIndex, finish_replacement
from citeproof.database.title_index.exact import main_title
from citeproof.database.title_index.format import UnusableIndexError, index_path
from citeproof.database.venues.table import VenueTable
from citeproof.database.word_index import open_word_index
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Candidate, Lookup, MatchKind, Method, Notice, Record
from citeproof.model.reference import Reference
from citeproof.store.sqlite import ReadOnlyFile
from citeproof.text.identifiers import identifier_in
from citeproof.text.normalize import LONGEST_TITLE, normalize_title

DESCRIBED = (
    "name",
    "file",
    "format",
    "dump_date",
    "records",
    "notices",
    "licence",
    "url",
    "fetched",
)
"""Fields of each source in :meth:`Database.describe`.

A field is None if the database has no value.
"""
_PAGE_ROWS = 10_000  # number of rows that one query reads when all records are read
# maximum number of titles from the word index that :meth:`Database.related` compares
_RELATED_TITLES = 1_000
MOST_RECORDS = 100
"""Maximum number of records that a look-up of a title returns. Further records are only counted."""
NEAREST_FROM = 0.87
"""Minimum similarity, 0 to 1, of the nearest title.

A look-up shows the nearest title if no title is similar enough.

Of 200 titles that lack one word in six, 147 are found with a minimum of 0.9, 176 with 0.87 and 187
with 0.85. If no title of 8 million is similar, the search takes twice as long with 0.87 as with
0.9, and four times as long with 0.85.
"""
_MOST_CANDIDATES = (1 << 31) - 1  # largest value of ``max_candidates``: no database has more titles


class Database:
    """A bibliographic database, open for reading. Thread-safe. The file is never changed."""

    def __init__(
        self, file: ReadOnlyFile, index_dir: Path | None, in_memory: bool, recheck_seconds: float
    ) -> None:
        """Do not call this. Call :meth:`open`."""
        self.path = file.path
        self.file = file
        self.layout = detect(file)
        self._has_author_index = self.layout.ours and "author_index" in self.layout.tables
        self._titles_in_memory = in_memory
        self._notices = Notices(file, self.layout)
        self._records = Records(file, self.layout, self._notices)
        path = index_path(file.path, index_dir)
        self.title_index = AttachedIndex(file, path, self._records.by_id, recheck_seconds)
        self.word_index, self._word_index_warning = open_word_index(file, self.layout)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        index_dir: Path | None = None,
        titles_in_memory: bool = True,
        recheck_seconds: float = 0.0,
    ) -> Self:
        """Open the database at ``path``.

        The file with the title index is in ``index_dir``, or else beside ``path``.

        Without an index, a look-up compares all titles. If ``titles_in_memory`` is true, the titles
        are kept in memory, else in a temporary file. A changed file is noticed within
        ``recheck_seconds``. Raises :class:`DatabaseError` if the file is missing, cannot be read,
        or is no bibliographic database.
        """
        finish_replacement(path, index_dir)
        with ExitStack() as stack:
            file = stack.enter_context(closing(ReadOnlyFile(path)))
            database = cls(file, index_dir, titles_in_memory, recheck_seconds)
            stack.pop_all()
        return database

    def look_up(
        self,
        title: str,
        threshold: float = 0.9,
        max_candidates: int = 100_000,
        *,
        nearest_from: float = 1.0,
        every: bool = False,
    ) -> Lookup:
        """Find the records with the title most similar to ``title``.

        The similarity must be at least ``threshold``, 0 to 1. All records with equally similar
        titles are found. If ``every`` is true, all records that reach the threshold are found, best
        first. This takes longer, because a search for the best title ends where no better title can
        follow.

        At most :data:`MOST_RECORDS` are returned. ``Lookup.more`` is the number of further records.
        The title index is used. If there is none, the word index is used. Without an index, all
        titles are compared. An index compares at most ``max_candidates`` titles. Nothing is found
        for a title without letters and digits, or with more than
        :data:`~citeproof.text.normalize.LONGEST_TITLE` letters. If no record is found,
        ``Lookup.nearest`` has the most similar title. The title index searches for such a title
        down to the similarity ``nearest_from``.
        """
        return self._look_up(
            title, threshold, max_candidates, nearest_from, every=every, most=MOST_RECORDS
        )

    def best_matches(
        self, title: str, threshold: float = 0.9, max_candidates: int = 100_000
    ) -> Lookup:
        """Return what :meth:`look_up` finds, with all records, however many have the title."""
        return self._look_up(
            title, threshold, max_candidates, threshold, every=False, most=_MOST_CANDIDATES
        )

    def look_up_text(
        self,
        text: str,
        threshold: float = 0.9,
        max_candidates: int = 100_000,
        *,
        nearest_from: float = 1.0,
        every: bool = False,
    ) -> Lookup:
        """Look up a text that a person typed: a title, a DOI or an arXiv id. :meth:`look_up`
        explains the parameters.

        If no title is found and ``text`` is a DOI or an arXiv id, the field ``related`` of the
        result begins with the records that have this identifier. Their similarity is 0.
        """
        lookup = self.look_up(
            text, threshold, max_candidates, nearest_from=nearest_from, every=every
        )
        identifier = None if lookup.found else identifier_in(text)
        if not identifier:
            return lookup
        find = (
            self.records_with_doi
            if identifier.kind is MatchKind.DOI
            else self.records_with_arxiv_id
        )
        named = (Candidate(record, 0.0, identifier.kind) for record in find(identifier.value))
        return replace(lookup, related=(*named, *lookup.related))

    def related(self, title: str) -> tuple[Candidate, ...]:
        """Return the records whose title differs from ``title`` only by a subtitle or by word
        order.

        The word index may miss some of these records. The title index, or a comparison of all
        titles, finds them all.
        """
        try:
            matches = self.title_index.related(title)
        except UnusableIndexError:
            matches = tuple(
                related_titles(title, self._titles_with_words_of(title), self._records.by_id)
            )
        return self._candidates(matches)

    def nearest(self, title: str) -> Candidate | None:
        """Return the record with the most similar title among records with rare words of ``title``.

        The similarity may be low. Return None if no record is found, or if the database has no word
        index.
        """
        query = _query(title)
        if not self.word_index or not query:
            return None
        try:
            return self._nearest(self.word_index.nearest(query))
        except DatabaseError:
            return None

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return pairs ``(word, number of titles with the word)`` for the normalised ``words``.

        The number is exact for a rare word, and an estimate for a common word. Return ``()`` if the
        index is broken.
        """
        if not words:
            return ()
        try:
            counter = self.word_index or self._all_titles()
            return tuple((word, counter.count(word)) for word in words)
        except DatabaseError:
            return ()

    def records(self, ids: Sequence[int]) -> list[Record]:
        """Return the records with the record ids ``ids``, in this order.

        Ids that no record has are left out.
        """
        by_id = self._records.by_id(ids)
        return [by_id[record_id] for record_id in ids if record_id in by_id]

    def records_with_doi(self, doi: str) -> tuple[Record, ...]:
        """Return the records with the DOI ``doi``, such as ``10.1145/3292500``.

        Letters must be in lower case.
        """
        return self._records.with_identifier(
            "doi", doi, (doi, f"https://doi.org/{doi}", doi.upper())
        )

    def records_with_arxiv_id(self, arxiv_id: str) -> tuple[Record, ...]:
        """Return the records with the arXiv id ``arxiv_id``, such as ``1706.03762``.

        It must have no version suffix.
        """
        return self._records.with_identifier(
            "arxiv_id", arxiv_id, (arxiv_id, f"arXiv:{arxiv_id}", f"abs/{arxiv_id}")
        )

    def notices_about(self, reference: Reference) -> tuple[Notice, ...]:
        """Return retractions and expressions of concern about the cited work.

        The database may have no record of it.
        """
        return self._notices.about(reference)

    def records_by_authors(
        self, names: Sequence[str], limit: int, telling: Callable[[str], bool] | None = None
    ) -> tuple[Record, ...]:
        """Return at most ``limit`` records with at least two of the authors ``names``, best record
        first.

        If ``names`` has one name, one author is enough. The function ``telling`` can make the
        result shorter, as :func:`by_shared_names` explains. Return ``()`` if there is no author
        index.
        """
        if not names or not self._has_author_index:
            return ()
        found = ids_by_authors(self.file, names)
        known = self._records.titles_and_authors(list(found))
        ids = [number for number in found if number in known]
        works = [Suggested(*known[number], found[number]) for number in ids]
        places = by_shared_names(names, works, telling if len(works) <= limit else None)
        return tuple(self.records([ids[place] for place in places[:limit]]))

    def ids_by_author(self, name: str) -> list[int]:
        """Return the ids of the records by authors with this name, which may be a family name
        alone.

        Empty if there is no author index.
        """
        return ids_by_name(self.file, name) if self._has_author_index else []

    def titles_sharing_words(self, text: str, most: int) -> dict[int, str]:
        """Return ``{record id: title}`` of at most ``most`` titles that share rare words with
        ``text``.

        Without a word index, the titles similar to ``text``.
        """
        query = _query(text)
        try:
            if self.word_index and query:
                return self.word_index.sharing(query, most)
        except DatabaseError:
            pass  # as in a look-up, a broken index must not cost the answer
        _, matches = self._matches(query, 0.5, most, every=True, most=most)
        return self.titles_by_id([match.record_id for match in matches.found])

    def titles_by_id(self, ids: Sequence[int]) -> dict[int, str]:
        """Return ``{record id: title}`` for the records with the record ids ``ids``."""
        return {
            number: title for number, (title, _) in self._records.titles_and_authors(ids).items()
        }

    def titles(self) -> Iterator[tuple[int, str]]:
        """Yield ``(record id, title)`` of all records with a title, sorted by id.

        Few rows are in memory at a time. Raises :class:`DatabaseError` if records are missing.
        """
        if self.damage:
            raise DatabaseError(self.damage)
        layout = self.layout
        select = f"SELECT {layout.id_column}, {layout.columns['title']} FROM {layout.table}"  # noqa: S608
        return ((record_id, text) for record_id, text in self.rows(select) if isinstance(text, str))

    def rows(self, select: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of ``select``, sorted by record id.

        ``select`` has no WHERE and begins with the record id.
        """
        id_column = self.layout.id_column
        sql = f"{select} WHERE {id_column} > ? ORDER BY {id_column} LIMIT {_PAGE_ROWS}"
        last = -(1 << 63)
        while page := self.file.rows(sql, (last,)):
            yield from page
            last = page[-1][0]

    def describe(self) -> dict[str, Any]:
        """Return a JSON object that describes the database: path, number of records, indexes,
        sources, dates.
        """
        described: dict[str, Any] = {"path": str(self.path), "indexes": self._index_names()}
        if self.layout.ours:
            described |= self.layout.meta
            columns = [row[1] for row in self.file.rows("PRAGMA table_info(sources)")]
            sources = [
                dict(zip(columns, row, strict=True))
                for row in self.file.rows("SELECT * FROM sources")
            ]
            described["sources"] = [
                {key: source.get(key) for key in DESCRIBED} for source in sources
            ]
        if str(described.get("records", "")).isdecimal():
            described["records"] = int(described["records"])
        else:
            described["records"] = self.file.rows(f"SELECT count(*) FROM {self.layout.table}")[0][0]  # noqa: S608
        return described

    @cached_property
    def venues(self) -> VenueTable:
        """The names and volumes of the conferences and journals in the database, read at first
        use.
        """
        held = {"volumes", "venue_names"} <= self.layout.tables
        return VenueTable.read(self.file, self.layout.meta) if held else VenueTable((), ())

    @cached_property
    def coverage(self) -> CoverageTable:
        """States which works the sources of the database have completely or mostly.

        Read at first use.
        """
        if not self.layout.ours:
            return NO_COVERAGE
        return CoverageTable.read(self.file, self.layout, self.describe()["sources"])

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for the user: one line about each index that cannot be used, with the reason.

        If records are missing, the first line says so instead of advising to write an index.
        """
        reason = self.title_index.warning
        return tuple(filter(None, [reason and (self.damage or reason), self._word_index_warning]))

    @cached_property
    def damage(self) -> str:
        """Why not all records can be read, or an empty text.

        It is read at first use, and compares only the number of records. ``citeproof db check``
        compares everything.
        """
        table, recorded = self.layout.table, str(self.layout.meta.get("records", ""))
        try:
            if "names" in self.layout.tables and self.layout.ours:  # the view reads them one by one
                self.file.rows("SELECT count(*) FROM names")
            ((count,),) = self.file.rows(f"SELECT count(*) FROM {table}")  # noqa: S608
        except DatabaseError as error:
            return str(error)
        if not recorded.isdecimal() or count >= int(recorded):
            return ""
        return (
            f"{self.path}: is damaged: {count:,} of {int(recorded):,} records can be read; build it"
            " again"
        )

    def close(self) -> None:
        """Close the database and the title index.

        No other thread may be reading from the database.
        """
        self.title_index.close()
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _index_names(self) -> list[str]:
        usable = (None if self.title_index.warning else self.title_index, self.word_index)
        return [index.name for index in usable if index]

    def _look_up(
        self,
        title: str,
        threshold: float,
        max_candidates: int,
        lowest: float,
        *,
        every: bool,
        most: int,
    ) -> Lookup:
        """Find at most ``most`` records with a similar title, or with the most similar title unless
        ``every`` is true.
        """
        started = time.perf_counter()
        query = _query(title)
        index, matches = self._matches(query, threshold, max_candidates, every=every, most=most)
        nearest, found = matches.nearest, matches.found
        if not every:  # an index that compares many titles at once also has less similar ones
            found = tuple(takewhile(lambda one: one.similarity == found[0].similarity, found))
        if index == self.title_index.name and query and not found and lowest < threshold:
            nearest = self.title_index.nearest(query, lowest, max_candidates)
        return Lookup(
            query=title,
            threshold=threshold,
            candidates=self._candidates(found[:most]),
            nearest=self._nearest(nearest),
            related=self.related(title) if query and not found else (),
            more=matches.more + len(found[most:]),
            every=every,
            method=Method.INDEXED if index else Method.BRUTEFORCE,
            index=index,
            candidates_examined=matches.examined,
            complete=matches.complete,
            cut=matches.cut,
            milliseconds=(time.perf_counter() - started) * 1000,
        )

    def _matches(
        self, query: str, threshold: float, max_candidates: int, *, every: bool, most: int
    ) -> tuple[str, Matches]:
        """Return ``(name of the index that was used, matches)``.

        The name is empty if all titles were compared.
        """
        if not query:
            return next(iter(self._index_names()), ""), Matches((), None, 0, complete=False)
        indexes = (self.title_index, self.word_index) if self.word_index else (self.title_index,)
        for index in indexes:
            try:
                return index.name, index.search(
                    query, threshold, min(max_candidates, _MOST_CANDIDATES), every=every, most=most
                )
            except DamagedRecordError:  # no other index reads another record
                raise
            # a broken index must not cost the answer; `db check` names the fault
            except DatabaseError:
                continue
        return "", self._all_titles().search(query, threshold)

    def _titles_with_words_of(self, title: str) -> Iterable[tuple[int, str]]:
        """Return id and normalised title of records with all words of ``title``, or of all if no
        word index exists.
        """
        if not self.word_index:
            return self._all_titles()
        try:
            searches = {*normalize_title(title).split()}, {*main_title(title).split()}
            return {
                pair
                for words in searches
                for pair in self.word_index.holding(sorted(words), _RELATED_TITLES)
            }
        except DatabaseError:
            return self._all_titles()

    def _all_titles(self) -> Titles:
        return titles_of(
            self.path.resolve(), self.file.identity, self.titles, in_memory=self._titles_in_memory
        )

    def _candidates(self, matches: Iterable[Match]) -> tuple[Candidate, ...]:
        """Read the records of ``matches``.

        Records that another program has deleted in the meantime are left out.
        """
        matches = list(matches)
        unread = [match.record_id for match in matches if not match.record]
        records = self._records.by_id(unread) if unread else {}
        known = ((match.record or records.get(match.record_id), match) for match in matches)
        return tuple(
            Candidate(record, match.similarity, match.kind) for record, match in known if record
        )

    def _nearest(self, match: Match | None) -> Candidate | None:
        return (
            next(iter(self._candidates([match._replace(kind=MatchKind.NEARBY)])), None)
            if match
            else None
        )


def _query(title: str) -> str:
    """Return the normalised ``title``, or an empty text if the title is too long or has no letters
    and digits.
    """
    trimmed = " ".join(title.split())
    return normalize_title(trimmed) if len(trimmed) <= LONGEST_TITLE else ""
