"""The bibliographic database: open it, look up a title, fetch records by identifier."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self

from citeproof.bibdb import brute_force
from citeproof.bibdb.author_lookup import ids_by_authors
from citeproof.bibdb.coverage import NO_COVERAGE, CoverageTable
from citeproof.bibdb.identifiers import identifier_in
from citeproof.bibdb.layout import DamagedRecordError, detect, quoted
from citeproof.bibdb.matches import Matches
from citeproof.bibdb.notices import Notices
from citeproof.bibdb.records import Records
from citeproof.bibdb.related import related_titles
from citeproof.bibdb.shared_names import Suggested, by_shared_names
from citeproof.bibdb.title_index.format import index_path
from citeproof.bibdb.title_index.keys import main_title
from citeproof.bibdb.title_index.reader.attached import AttachedIndex
from citeproof.bibdb.venues.table import VenueTable
from citeproof.bibdb.word_index import open_word_index
from citeproof.errors import DatabaseError
from citeproof.models import Candidate, Lookup, MatchKind, Method
from citeproof.storage.sqlite import ReadOnlyFile
from citeproof.text.normalize import LONGEST_TITLE, normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from citeproof.bibdb.layout import Layout
    from citeproof.bibdb.matches import Match
    from citeproof.models import Notice, Record, Reference

DESCRIBED = ("name", "file", "format", "dump_date", "records", "notices", "licence", "url", "fetched")
"""What a description says of each source; what a file of an older version does not have is None."""
PAGE_ROWS = 10_000
RELATED_TITLES = 1_000
"""How many titles of the word index are looked through for those that agree but for a subtitle or the words' order."""
MOST_RECORDS = 100
"""A look-up of every record that reaches the threshold names so many."""
NEAREST_FROM = 0.87
"""Similarity from which a title below the threshold is worth showing to a person.

Of 200 titles of the corpus with one word in six dropped, 147 reach 0.9, 176 reach 0.87 and 187 reach 0.85. For a
title that is among no 8 million a search from 0.87 up costs twice as much as one from 0.9 up, from 0.85 up four times.
"""
MOST_CANDIDATES = (1 << 31) - 1
"""No search compares more; SQLite counts rows in 64 bits, and nothing that citeproof reads has so many."""


class Index(Protocol):
    """A way to look titles up without comparing with all of them."""

    name: str

    def search(self, query: str, threshold: float, max_candidates: int) -> Matches:
        """Return what is like the normalised ``query``."""


class Database:
    """A file of records, open for reading. Safe to share between threads; the file is never written to."""

    def __init__(
        self,
        file: ReadOnlyFile,
        index_dir: Path | None = None,
        *,
        titles_in_memory: bool = True,
        recheck_seconds: float = 0.0,
    ) -> None:
        """Use :meth:`open`."""
        self.path = file.path
        self._titles_in_memory = titles_in_memory
        self._file = file
        self._layout = detect(file)
        self._notices = Notices(file)
        self._records = Records(file, self._layout, self._notices)
        self._title_index = AttachedIndex(
            file, index_path(file.path, index_dir), self._records.by_id, recheck_seconds=recheck_seconds
        )
        self.word_index, self._word_index_warning = open_word_index(file, self._layout)

    @classmethod
    def open(
        cls, path: Path, *, index_dir: Path | None = None, titles_in_memory: bool = True, recheck_seconds: float = 0.0
    ) -> Self:
        """Open the database at ``path``; raise :class:`DatabaseError` when it is missing, unreadable or none.

        ``index_dir`` is where its title index is, when not beside it. ``titles_in_memory`` says where brute force
        keeps all titles of a database without an index: in memory, or in a scratch file that it streams.
        A change of the files is seen ``recheck_seconds`` later at most.
        """
        file = ReadOnlyFile(path)
        try:
            return cls(file, index_dir, titles_in_memory=titles_in_memory, recheck_seconds=recheck_seconds)
        except BaseException:
            file.close()
            raise

    def look_up(
        self, title: str, threshold: float = 0.9, max_candidates: int = 100_000, *, nearest_from: float = 1.0
    ) -> Lookup:
        """Return the records whose title has at least similarity ``threshold`` (0 to 1), best first.

        The first index that the database has answers, brute force where there is none. ``max_candidates``
        caps how many titles an index may compare, and an answer that it cut is not complete; brute force
        compares all. A title without letters or digits has no answer, nor one of more than
        :data:`~citeproof.text.normalize.LONGEST_TITLE` letters.

        An exact search stops at the threshold. To name the most similar title of a miss it goes on down to
        ``nearest_from``, in a small database as far down as brute force; the other ways name the nearest that they met
        in any case.
        """
        started = time.perf_counter()
        query = _query(title)
        index, matches = self._search(query, min(threshold, nearest_from), min(max_candidates, MOST_CANDIDATES))
        if index == self._title_index.name and query and not matches.found and nearest_from < threshold:
            matches = replace(matches, nearest=self._title_index.nearest(query, brute_force.NEAREST_FROM))
        matches = matches.reaching(threshold)
        related = self._related(title) if query and not matches.found else ()
        return self._lookup(title, threshold, started, index, matches, related)

    def look_up_text(
        self, text: str, threshold: float = 0.9, max_candidates: int = 100_000, *, nearest_from: float = 1.0
    ) -> Lookup:
        """Return what :meth:`look_up` returns for what a person typed, which may be an identifier.

        Where no title is found and ``text`` as a whole is a DOI or an arXiv id, the records that have it come first
        in ``related``. Their titles are compared with nothing, so their similarity is 0. A reference is looked up by
        :meth:`look_up`: an identifier in place of a title says nothing about a title.
        """
        lookup = self.look_up(text, threshold, max_candidates, nearest_from=nearest_from)
        identifier = None if lookup.found else identifier_in(text)
        if not identifier:
            return lookup
        find = self.records_with_doi if identifier.kind is MatchKind.DOI else self.records_with_arxiv_id
        named = (Candidate(record, 0.0, identifier.kind) for record in find(identifier.value))
        return replace(lookup, related=(*named, *lookup.related))

    def look_up_all(self, title: str, threshold: float = 0.9, max_candidates: int = 100_000) -> Lookup:
        """Return every record whose title reaches ``threshold``, best first: 100 of them, and how many more there are.

        The title index goes on where :meth:`look_up` ends, so this costs as much as a miss. ``complete`` covers
        every record that reaches the threshold.
        """
        started = time.perf_counter()
        most = min(max_candidates, MOST_CANDIDATES)
        index, matches = self._search(_query(title), threshold, most, every=True)
        return self._lookup(title, threshold, started, index, matches.first(MOST_RECORDS).reaching(threshold))

    def related(self, title: str) -> tuple[Candidate, ...]:
        """Return the records whose title is ``title`` but for a subtitle that one of the two lacks, or the word order.

        They are no candidates by similarity. A word index may miss some; the other ways find all.
        """
        return self._candidates(self._related(title))

    def look_up_exact(self, title: str, threshold: float = 0.9) -> Lookup | None:
        """Return what :meth:`look_up` returns if the title index has exactly this title, with few records; else None.

        That takes a tenth of a millisecond, less than to hand the title to a thread or to another process.
        """
        started = time.perf_counter()
        query = _query(title)
        matches = self._title_index.search_exact(query) if query else None
        return self._lookup(title, threshold, started, self._title_index.name, matches) if matches else None

    def nearest(self, title: str) -> Candidate | None:
        """Return the record whose title is most like ``title`` among those that share its rarest words.

        That says what was perhaps meant, cheaply, and proves nothing; None without a word index.
        """
        query = _query(title)
        if not self.word_index or not query:
            return None
        try:
            return self._nearest(self.word_index.nearest(query))
        except DatabaseError:
            return None

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return each of the normalised ``words`` with how many titles hold it; nothing where the word index is broken.

        The number is exact for a rare word. For a common one the word index gives an estimate or a limit.
        """
        if not words:
            return ()
        try:
            counter = self.word_index or self._all_titles()
            return tuple((word, counter.count(word)) for word in words)
        except DatabaseError:
            return ()

    def records(self, ids: Sequence[int]) -> list[Record]:
        """Return the records with ``ids``, in that order; an id that is not there is left out."""
        by_id = self._records.by_id(ids)
        return [by_id[record_id] for record_id in ids if record_id in by_id]

    def records_with_doi(self, doi: str) -> tuple[Record, ...]:
        """Return the records with this DOI, given in lower case and without a resolver's address."""
        return self._records.with_identifier("doi", doi, (doi, f"https://doi.org/{doi}", doi.upper()))

    def records_with_arxiv_id(self, arxiv_id: str) -> tuple[Record, ...]:
        """Return the records with this arXiv identifier, given without version."""
        return self._records.with_identifier("arxiv_id", arxiv_id, (arxiv_id, f"arXiv:{arxiv_id}", f"abs/{arxiv_id}"))

    def notices_about(self, reference: Reference) -> tuple[Notice, ...]:
        """Return the notices of retraction and of concern about the cited work, of which no record need be held."""
        return self._notices.about(reference)

    def records_by_authors(
        self, names: Sequence[str], limit: int, telling: Callable[[str], bool] | None = None
    ) -> tuple[Record, ...]:
        """Return at most ``limit`` records that have at least two of ``names``, or the only one; most names first.

        Where only the best ones matter and those with a certain title, ``telling`` says of a title whether it is one;
        others may then be left out. The best ones are all by the people of the first, or else the first two.

        A database that citeproof did not build, or an older citeproof, has none.
        """
        if not names or not self._has_author_index:
            return ()
        found = ids_by_authors(self._file, names)
        people = self._records.titles_and_authors(list(found))
        ids = [number for number in found if number in people]
        works = [Suggested(*people[number], found[number]) for number in ids]
        places = by_shared_names(names, works, telling if len(works) <= limit else None)
        return tuple(self.records([ids[place] for place in places[:limit]]))

    def titles(self) -> Iterator[tuple[int, str]]:
        """Yield id and title of every record that has a title, by rising id, in bounded memory."""
        layout = self._layout
        select = f"SELECT {layout.id_column}, {quoted(layout.title)} FROM {layout.table}"  # noqa: S608
        return ((record_id, text) for record_id, text in self.rows(select) if isinstance(text, str))

    def rows(self, select: str) -> Iterator[tuple[Any, ...]]:
        """Yield what ``select``, whose first column is the record's id, says of every record, by rising id.

        Memory is bounded: the rows come page by page.
        """
        id_column = self._layout.id_column
        sql = f"{select} WHERE {id_column} > ? ORDER BY {id_column} LIMIT {PAGE_ROWS}"
        last = -(1 << 63)
        while page := self._file.rows(sql, (last,)):
            yield from page
            last = page[-1][0]

    def describe(self) -> dict[str, Any]:
        """Return what an answer from this database rests on: path, records, indexes, sources, dates."""
        described: dict[str, Any] = {"path": str(self.path), "indexes": self._index_names()}
        if self._layout.ours:
            described |= dict(self._file.rows("SELECT name, value FROM meta ORDER BY name"))
            columns = [row[1] for row in self._file.rows("PRAGMA table_info(sources)")]
            sources = [dict(zip(columns, row, strict=True)) for row in self._file.rows("SELECT * FROM sources")]
            described["sources"] = [{key: source.get(key) for key in DESCRIBED} for source in sources]
        if str(described.get("records", "")).isdecimal():
            described["records"] = int(described["records"])
        else:
            described["records"] = self._file.rows(f"SELECT count(*) FROM {self._layout.table}")[0][0]  # noqa: S608
        return described

    @property
    def layout(self) -> Layout:
        """Where in the file records and words are."""
        return self._layout

    @cached_property
    def venues(self) -> VenueTable:
        """The venues and volumes of this database; read once, on first use."""
        return VenueTable.read(self._file)

    @cached_property
    def coverage(self) -> CoverageTable:
        """What the sources of this database hold completely; read once, on first use."""
        if not self._layout.ours:
            return NO_COVERAGE
        return CoverageTable.read(self._file, self.describe()["sources"])

    @property
    def file(self) -> ReadOnlyFile:
        """The file itself, for what belongs to it, such as its fingerprint."""
        return self._file

    @property
    def title_index_path(self) -> Path:
        """Where the title index of this database is, or would be."""
        return self._title_index.path

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a user should know before relying on this file, a line each: why an index does not answer."""
        return tuple(filter(None, [self._title_index.warning, self._word_index_warning]))

    def close(self) -> None:
        """Close the file once no thread is reading from it, and let go of its title index."""
        self._title_index.close()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def verify_title_index(self) -> None:
        """Read the whole title index; raise :class:`DatabaseError` when there is none or a byte of it is wrong."""
        self._title_index.verify()

    @cached_property
    def _has_author_index(self) -> bool:
        """Whether this file has an author index: a database that citeproof built may be older than that."""
        named = "SELECT 1 FROM sqlite_schema WHERE name = 'author_index'"
        return self._layout.ours and bool(self._file.rows(named))

    def _index_names(self) -> list[str]:
        title_index = [] if self._title_index.warning else [self._title_index.name]
        return title_index + ([self.word_index.name] if self.word_index else [])

    def _search(self, query: str, threshold: float, max_candidates: int, *, every: bool = False) -> tuple[str, Matches]:
        """Return the name of the index that answered, empty for brute force, and its answer.

        ``every``: all records that reach the threshold are wanted, not only the best and what ties with it.
        """
        if not query:
            return next(iter(self._index_names()), ""), Matches((), None, 0, complete=False)
        indexes: tuple[Index | None, ...] = (self._title_index, self.word_index)
        for index in filter(None, indexes):
            try:
                if every and index is self._title_index:
                    return index.name, self._title_index.search_all(query, threshold, max_candidates, MOST_RECORDS)
                return index.name, index.search(query, threshold, max_candidates)
            except DamagedRecordError:  # no other index reads another record
                raise
            except DatabaseError:  # a broken index must not cost the answer; `db check` names the fault
                continue
        return "", self._all_titles().search(query, threshold)

    def _related(self, title: str) -> tuple[Match, ...]:
        matches = self._title_index.related(title)
        if matches is None:
            matches = tuple(related_titles(title, self._titles_with_words_of(title), self._records.by_id))
        return matches

    def _titles_with_words_of(self, title: str) -> Iterable[tuple[int, str]]:
        """Return id and normalised title of the records that may be related: without a word index, of all."""
        if not self.word_index:
            return self._all_titles()
        try:
            wholes = {*normalize_title(title).split()}, {*main_title(title).split()}
            return {pair for words in wholes for pair in self.word_index.holding(sorted(words), RELATED_TITLES)}
        except DatabaseError:
            return self._all_titles()

    def _all_titles(self) -> brute_force.Titles:
        return brute_force.titles_of(
            self.path.resolve(), self._file.identity, self.titles, in_memory=self._titles_in_memory
        )

    def _lookup(
        self,
        title: str,
        threshold: float,
        started: float,
        index: str,
        matches: Matches,
        related: Sequence[Match] = (),
    ) -> Lookup:
        return Lookup(
            query=title,
            threshold=threshold,
            candidates=self._candidates(matches.found),
            nearest=self._nearest(matches.nearest),
            related=self._candidates(related),
            more=matches.more,
            method=Method.INDEXED if index else Method.BRUTEFORCE,
            index=index,
            candidates_examined=matches.examined,
            complete=matches.complete,
            cut=matches.cut,
            milliseconds=(time.perf_counter() - started) * 1000,
        )

    def _candidates(self, matches: Iterable[Match]) -> tuple[Candidate, ...]:
        """Return ``matches`` with their records; one that has vanished from a foreign database is left out."""
        matches = list(matches)
        unread = [match.record_id for match in matches if not match.record]
        records = self._records.by_id(unread) if unread else {}
        known = ((match.record or records.get(match.record_id), match) for match in matches)
        return tuple(Candidate(record, match.similarity, match.kind) for record, match in known if record)

    def _nearest(self, match: Match | None) -> Candidate | None:
        return next(iter(self._candidates([match._replace(kind=MatchKind.NEARBY)])), None) if match else None


def _query(title: str) -> str:
    """Return the normal form of ``title``; empty for what is no title: without letters and digits, or too long."""
    trimmed = " ".join(title.split())
    return normalize_title(trimmed) if len(trimmed) <= LONGEST_TITLE else ""
