"""The bibliographic-database strategy: title, DOI and arXiv id in the local file."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from citeproof.bibdb.coverage import NO_COVERAGE
from citeproof.errors import DatabaseError
from citeproof.models import Candidate, Findings, Inquiry, MatchKind, Outcome, Severity
from citeproof.online.coverage import ARXIVS, coverage_of
from citeproof.text.identifiers import is_doi
from citeproof.text.name_keys import cited_keys, recorded_keys
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity
from citeproof.validation.compare.authors import compare_authors
from citeproof.validation.compare.identifiers import arxiv_id_of, doi_says_nothing
from citeproof.validation.compare.titles import title_form, words_a_letter_apart
from citeproof.validation.work import ALIKE, begins_alike, is_alike

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citeproof.bibdb.coverage import CoverageTable
    from citeproof.bibdb.database import Database
    from citeproof.models import Lookup, Record, Reference, SourceCoverage, Verdict

FLOOR = 0.9
"""Titles from this similarity up are looked at, whatever the threshold: a higher one must not hide the right work."""
NEARBY = 0.65
"""A title less alike than that shares words with the cited one, and no more."""
_OF_IDENTITY = ("title.", "authors.", "volume.")
"""Issues of these fields leave in question which work is meant."""
_WORKS = 60
"""So many works of the cited people are compared with the reference."""
_YEARS = 1
"""So many years may lie between a preprint and the version of it that is cited."""
_LONG_AGO = 9_999
"""Years between a record and a reference of which one says none."""
MOST_OF_A_TITLE = 300
"""So many records of one title are compared with the reference.

Of 8 million works 12,000 are called "Editorial", which took minutes. With 30 in place of 300, of 960 true and wrong
references to the 40 commonest titles of DBLP's sample, the status and reason of none changed.
"""
_SHOWN = 2
"""So many of them are shown whatever their titles."""


CUT = "the search was cut by --bib-max-candidates: a nearer title may be in the database"


class BibliographicDatabaseStrategy:
    """Looks a reference up in one database; the answer is the same however often it is asked."""

    name = "bibliographic_database"

    def __init__(
        self, database: Database, threshold: float, max_candidates: int = 100_000, coverage: CoverageTable = NO_COVERAGE
    ) -> None:
        """``threshold`` is the similarity from which a title is a candidate; one above :data:`FLOOR` counts as that.

        ``coverage`` is what the sources of ``database`` hold completely.
        """
        self._database = database
        self._threshold = min(threshold, FLOOR)
        self._max_candidates = max_candidates
        self._coverage = coverage

    def search(self, reference: Reference) -> Findings:
        """Return the records with the cited title, DOI or arXiv id, and the volumes that may be claimed.

        Of the titles that reach the threshold these are the best, and all that tie for it.
        """
        try:
            candidates, inquiries = self._by_title(reference)
            found = Findings(
                (*candidates, *self._by_identifier(reference)),
                inquiries,
                self._database.venues.claimed_volumes(reference.venue, reference.year),
                notices=self._database.notices_about(reference),
            )
            covered = tuple(self._covered(reference, found))
            return replace(found, covered=covered) if covered else found
        except DatabaseError as error:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),))

    def search_further(self, reference: Reference, verdict: Verdict) -> Findings:
        """Return what may explain a reference better: works of the cited people, then every title that is alike.

        Nothing, where the record that was found has the cited title and people: what differs is then a fact
        about that work. A database that cannot tell leaves no evidence, because it can only explain.
        Where a letter is all that parts a title from the cited one, also how many titles have the word with it and
        without it.
        """
        if not _in_question(verdict):
            return Findings()
        try:
            people = self._by_people(reference)
            titles = self._alike(reference.title) if self._found_by_title(verdict) else ()
            counts = self._counts(reference.title, verdict)
        except DatabaseError:
            return Findings()
        return Findings((*titles, *people), title_counts=counts)

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return each of the normalised ``words`` with how many titles of the database hold it."""
        return self._database.title_counts(words)

    def _counts(self, title: str, verdict: Verdict) -> tuple[tuple[str, int], ...]:
        """Return how many titles hold the words that may be misspelt, in the cited title or in that of the work."""
        if not verdict.best_match or all(issue.code != "title.word_changed" for issue in verdict.issues):
            return ()
        return self._database.title_counts(words_a_letter_apart(title, verdict.best_match.record.title))

    def _by_people(self, reference: Reference) -> tuple[Candidate, ...]:
        """Return the works of the cited people that have a title like the cited one, and the two nearest to show.

        Those to show are of the people that share most names.
        """
        title = title_form(reference.title).normal
        records = self._database.records_by_authors(reference.authors, _WORKS, partial(_is_title_like, title))
        works = list(_candidates(reference, records, MatchKind.AUTHORS))
        shown = [work for work in works if set(work.record.authors) == set(works[0].record.authors)]
        shown.sort(key=lambda work: -work.similarity)
        shown += [work for work in works if work not in shown][: _SHOWN - min(_SHOWN, len(shown))]
        return tuple(dict.fromkeys([*shown[:_SHOWN], *(work for work in works if is_alike(title, work))]))

    def _alike(self, title: str) -> tuple[Candidate, ...]:
        """Return every record that reaches the threshold, and those that agree but for a subtitle or the word order."""
        lookup = self._database.look_up_all(title, self._threshold, self._max_candidates)
        return lookup.candidates + self._database.related(title)

    def _found_by_title(self, verdict: Verdict) -> bool:
        """Whether some title has reached the threshold; where none has, there is no other one to be found."""
        return any(inquiry.source == self.name and inquiry.records for inquiry in verdict.evidence)

    def _by_title(self, reference: Reference) -> tuple[tuple[Candidate, ...], tuple[Inquiry, ...]]:
        if not title_form(reference.title).normal:
            return (), ()
        lookup = self._database.look_up(reference.title, self._threshold, self._max_candidates)
        best = tuple(found for found in lookup.candidates if found.similarity == lookup.candidates[0].similarity)
        found = _likeliest(reference, best) or lookup.related or self._perhaps_meant(lookup)
        return found, (self._inquiry(lookup),)

    def _perhaps_meant(self, lookup: Lookup) -> tuple[Candidate, ...]:
        """Return the nearest title of a miss, where it is near enough to explain it."""
        nearest = lookup.nearest or self._database.nearest(lookup.query)
        return (nearest,) if nearest and nearest.similarity >= NEARBY else ()

    def _by_identifier(self, reference: Reference) -> Iterator[Candidate]:
        if reference.doi:
            yield from _candidates(reference, self._database.records_with_doi(reference.doi), MatchKind.DOI)
        if reference.arxiv_id:
            found = self._database.records_with_arxiv_id(reference.arxiv_id)
            yield from _candidates(reference, found, MatchKind.ARXIV_ID)

    def _covered(self, reference: Reference, found: Findings) -> Iterator[SourceCoverage]:
        """Yield what the sources hold of works such as the cited one, where it was not found at once."""
        matches = {candidate.match for candidate in found.candidates}
        arxiv_id = arxiv_id_of(reference)
        silent = {}
        if MatchKind.DOI not in matches and is_doi(reference.doi) and not doi_says_nothing(reference.doi):
            silent[reference.doi] = self._coverage.of_doi(reference.doi, reference.year)
        if MatchKind.ARXIV_ID not in matches and arxiv_id:
            silent[arxiv_id] = self._coverage.of_arxiv_id(arxiv_id)
        if MatchKind.TITLE not in matches:
            kind = coverage_of(reference)
            yield from self._coverage.held()
            yield from self._coverage.broad_for(kind.kind, reference.year)
            silent[""] = self._coverage.of_preprints(reference.year) if kind is ARXIVS else None
        doubt = self._retitled(reference) if any(silent.values()) and "" in silent else ""
        for identifier, coverage in silent.items():
            if coverage:
                yield replace(coverage, identifier=identifier, doubt=doubt)

    def _retitled(self, reference: Reference) -> str:
        """Say which paper of all the cited people and about that time may be the cited one under another title.

        Preprints change their titles, and a source has the newest one.
        """
        for record in self._database.records_by_authors(reference.authors, _WORKS):
            near = not (record.year and reference.year) or abs(record.year - reference.year) <= _YEARS
            people = compare_authors(reference, record)
            if near and people.comparable and people.agrees and people.share == 1:
                return f"{record.source} has a paper by the same people: {record.title}"
        return ""

    def _inquiry(self, lookup: Lookup) -> Inquiry:
        return Inquiry(
            self.name,
            Outcome.ANSWERED,
            CUT if lookup.cut else "",
            records=len(lookup.candidates),
            milliseconds=lookup.milliseconds,
            method=lookup.method.value,
            index=lookup.index,
            candidates_examined=lookup.candidates_examined,
            complete=lookup.complete,
        )


def _likeliest(reference: Reference, ties: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Return which records of one title are compared: those of the cited people first, then of about the year."""
    if len(ties) <= MOST_OF_A_TITLE:
        return ties
    keys = frozenset[int]().union(*map(cited_keys, reference.authors))

    def rank(place: int) -> tuple[int, int]:
        record = ties[place].record
        gap = abs(record.year - reference.year) if record.year and reference.year else _LONG_AGO
        return -len(keys.intersection(recorded_keys(record.authors))), gap

    return tuple(ties[place] for place in sorted(sorted(range(len(ties)), key=rank)[:MOST_OF_A_TITLE]))


def _in_question(verdict: Verdict) -> bool:
    """Whether no record has both the title and the people that are cited."""
    return not verdict.best_match or any(
        issue.severity is Severity.ISSUE and issue.code.startswith(_OF_IDENTITY) for issue in verdict.issues
    )


def _is_title_like(title: str, recorded: str) -> bool:
    """Whether a recorded title is like the normalised one that is cited, as :func:`is_alike` says of a candidate."""
    normal = normalize_title(recorded)
    return similarity(title, normal) >= ALIKE or begins_alike(title, normal)


def _candidates(reference: Reference, records: Iterable[Record], kind: MatchKind) -> Iterator[Candidate]:
    title = title_form(reference.title).normal
    for record in records:
        yield Candidate(record, similarity(title, title_form(record.title).normal), kind)
