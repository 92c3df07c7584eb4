"""Look up titles, identifiers and authors in a bibliographic database."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from citeproof.database.author_index import (
    Suggested,
    by_shared_names,
    ids_by_authors,
    ids_by_name,
)
from citeproof.database.layout import DamagedRecordError
from citeproof.database.matches import (
    Match,
    Matches,
    Titles,
    contained_titles,
    related_titles,
    titles_of,
)
from citeproof.database.opened import OpenedDatabase
from citeproof.database.title_index.exact import main_title
from citeproof.database.title_index.format import UnusableIndexError
from citeproof.database.word_index import WordIndex
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Candidate, Lookup, MatchKind, Method, Record
from citeproof.text.identifiers import identifier_in
from citeproof.text.normalize import LONGEST_TITLE, normalize_title

# maximum number of titles from the word index that :meth:`Database.related` compares
_RELATED_TITLES = 1_000
# maximum number of titles from the word index that are compared with the words of a text
_TITLES_OF_A_TEXT = 10_000
MOST_RECORDS = 100
"""Maximum number of records that a look-up of a title returns. Further records are only counted."""
NEAREST_FROM = 0.87
"""Minimum similarity, 0 to 1, of the nearest title.

A look-up shows the nearest title if no title is similar enough.

The value was measured with 200 titles from which one word in six was removed: 147 were found with a
minimum of 0.9, 176 with 0.87 and 187 with 0.85. If none of 8 million titles is similar, a search
with 0.87 takes twice as long as with 0.9, and a search with 0.85 four times as long.
"""
SHOWN_FROM = 0.6
"""Minimum similarity, 0 to 1, of a work that is shown for a title that was not found."""
_MOST_CANDIDATES = (1 << 31) - 1  # maximum value of ``max_candidates``; no database has more titles


class Database(OpenedDatabase):
    """A bibliographic database in which works are looked up."""

    def look_up(
        self,
        title: str,
        threshold: float = 0.9,
        max_candidates: int = 100_000,
        *,
        nearest_from: float = 1.0,
        every: bool = False,
        most: int = MOST_RECORDS,
    ) -> Lookup:
        """Find the records with the title most similar to ``title``.

        The similarity must be at least ``threshold``, 0 to 1. If several titles are equally
        similar, the records of all these titles are found. If ``every`` is true, all records that
        reach the threshold are found, most similar first. This takes longer, because the search
        continues after the best title was found.

        At most ``most`` records are returned. ``Lookup.more`` is the number of further records. The
        title index is used. If the database has no title index, the word index is used. Without an
        index, all titles are compared. An index compares at most ``max_candidates`` titles. Nothing
        is found for a title without letters and digits, or with more than
        :data:`~citeproof.text.normalize.LONGEST_TITLE` letters. If no record is found,
        ``Lookup.nearest`` has the most similar title. In the title index, this title has at least
        the similarity ``nearest_from``.
        """
        started = time.perf_counter()
        query = _query(title)
        index, matches = self._matches(query, threshold, max_candidates, every=every, most=most)
        nearest, found = matches.nearest, matches.found
        # the title index compares many titles at once, so it also returns titles that are less
        # similar than the best
        if not every:
            found = tuple(takewhile(lambda one: one.similarity == found[0].similarity, found))
        if index == self.title_index.name and query and not found and nearest_from < threshold:
            nearest = self.title_index.nearest(query, nearest_from, max_candidates)
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

    def best_matches(
        self, title: str, threshold: float = 0.9, max_candidates: int = 100_000
    ) -> Lookup:
        """Return the result of :meth:`look_up`, with all records that have the most similar title.
        Their number is not limited.
        """
        return self.look_up(title, threshold, max_candidates, most=_MOST_CANDIDATES)

    def records_titled(self, title: str, max_candidates: int = 100_000) -> Iterator[Record]:
        """Yield the records whose title equals ``title``.

        If no title is equal, less similar titles are not searched.
        """
        _, matches = self._matches(
            _query(title), 1.0, max_candidates, every=False, most=MOST_RECORDS
        )
        return (one.record for one in self._candidates(matches.found[:MOST_RECORDS]))

    def look_up_text(
        self,
        text: str,
        threshold: float = 0.9,
        max_candidates: int = 100_000,
        *,
        every: bool = False,
        nearest: bool = True,
    ) -> Lookup:
        """Look up a text that a person typed: a title, a DOI or an arXiv id. :meth:`look_up`
        explains the other parameters.

        If no title is found and ``text`` is a DOI or an arXiv id, the field ``related`` of the
        result begins with the records that have this identifier. Their similarity is 0. If ``text``
        is a title that is not found, and ``nearest`` is true, ``Lookup.nearest`` has the most
        similar title, with a similarity of at least :data:`SHOWN_FROM`. This title may have only
        rare words in common with ``text``. The search for this title takes six times as long as the
        proof that ``text`` is missing.
        """
        from_similarity = NEAREST_FROM if nearest else 1.0
        lookup = self.look_up(
            text, threshold, max_candidates, nearest_from=from_similarity, every=every
        )
        if lookup.found:
            return lookup
        identifier = identifier_in(text)
        if not identifier:
            best = lookup.nearest or (self.nearest(text) if nearest else None)
            if best and best.similarity < SHOWN_FROM:
                best = None
            return replace(lookup, nearest=best)
        records = self.records_with(*identifier)
        named = (Candidate(record, 0.0, identifier.kind) for record in records)
        return replace(lookup, related=(*named, *lookup.related))

    def related(self, title: str) -> tuple[Candidate, ...]:
        """Return the records whose title differs from ``title`` only by a subtitle, a remark or the
        order of words.

        The word index may miss some of these records. The title index, or a comparison of all
        titles, finds them all.
        """
        try:
            matches = self.title_index.related(title)
        except UnusableIndexError:
            words = {*normalize_title(title).split()}, {*main_title(title).split()}
            titles = self._titles_by(
                lambda index: {
                    pair for own in words for pair in index.holding(sorted(own), _RELATED_TITLES)
                }
            )
            matches = tuple(related_titles(title, titles, self._records.by_id))
        return self._candidates(matches)

    def records_within(self, text: str, shortest: int, most: int) -> list[Record]:
        """Return at most ``most`` records whose title is whole words of ``text``, longest title
        first.

        ``shortest`` is the minimum number of letters of a title. The word index may miss some of
        these records. The title index, or a comparison of all titles, finds them all.
        """
        query = normalize_title(text)
        try:
            ids = self.title_index.within(query, shortest)
        except UnusableIndexError:
            titles = self._titles_by(lambda index: index.sharing(query, _TITLES_OF_A_TEXT).items())
            ids = contained_titles(query, titles, shortest)
        return self.records(ids[:most])

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

        If there is no word index, the titles that are similar to ``text`` are returned.
        """
        query = _query(text)
        try:
            if self.word_index and query:
                return self.word_index.sharing(query, most)
        except DatabaseError:
            # a broken word index must not prevent a result; similar titles are searched instead
            pass
        _, matches = self._matches(query, 0.5, most, every=True, most=most)
        return self.titles_by_id([match.record_id for match in matches.found])

    def _matches(
        self, query: str, threshold: float, max_candidates: int, *, every: bool, most: int
    ) -> tuple[str, Matches]:
        """Return a pair: the name of the index that was used, and the matches. :meth:`look_up`
        explains the parameters.

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
            except DamagedRecordError:  # every other index would read the same record
                raise
            # a broken index must not prevent a result; `db check` names the fault
            except DatabaseError:
                continue
        return "", self._all_titles().search(query, threshold)

    def _titles_by(
        self, read: Callable[[WordIndex], Iterable[tuple[int, str]]]
    ) -> Iterable[tuple[int, str]]:
        """Return id and normalised title of the records that ``read`` finds in the word index.

        If there is no usable word index, return those of all records.
        """
        try:
            return read(self.word_index) if self.word_index else self._all_titles()
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
