"""Strategies that search local records: records of a bibliographic database, and works verified in
earlier runs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from citeproof.database.coverage import NO_COVERAGE, CoverageTable
from citeproof.database.lookup import Database
from citeproof.model.codes import IssueCode
from citeproof.model.errors import DatabaseError
from citeproof.model.findings import Findings, Inquiry, Outcome, SourceCoverage
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import CACHE, Verdict
from citeproof.online.coverage import ARXIVS, coverage_of
from citeproof.text.identifiers import doi_says_nothing, is_doi
from citeproof.text.names import cited_keys, recorded_keys
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity
from citeproof.text.title_differences import words_a_letter_apart
from citeproof.text.title_words import title_form
from citeproof.text.venue_names import document_type
from citeproof.verification.pipeline import Strategy
from citeproof.verification.validation.compare.identifiers import arxiv_id_of, rfc_of
from citeproof.verification.validation.comparison import ALIKE
from citeproof.verification.validation.identity import (
    begins_alike,
    compared,
    is_alike,
    is_stranger,
    may_be_retitled,
)

if TYPE_CHECKING:
    from citeproof.store.cache import VerificationCache

FLOOR = 0.9
"""Upper limit of the setting ``bib_threshold``, which is the minimum similarity of titles, 0 to 1.

A higher value is reduced to this limit, because a search with it could miss records of the cited
work.
"""
NEARBY = 0.65
"""Minimum similarity, 0 to 1, for the most similar title to be shown.

Titles with a lower similarity only share some words.
"""
_WORKS = 60  # maximum number of works by the cited authors that are compared with a reference
MOST_OF_A_TITLE = 300
"""Maximum number of records with the same title that are compared with a reference.

Of 8 million works, 12,000 have the title "Editorial". Comparing all of them took minutes. The limit
was tested with 960 references, true and wrong, to the 40 most frequent titles in a sample of DBLP.
Even a limit of 30 changed no status and no reason of a verdict.
"""
_SHOWN = 2  # maximum number of works by the cited authors that are shown without a similar title
_UNCLEAR = ("title.", "authors.", "volume.", "venue.", "preprint.", "version.")
"""Prefixes of the codes of issues that lead to a second search, because further records may explain
the reference better.
"""
_OF_ANOTHER_VERSION = frozenset({IssueCode.VENUE_DIFFERENT, IssueCode.VENUE_TWICE})
"""Codes of issues that may have this cause: the record of the cited version has a misprint in its
title. Therefore the record of another version, which has exactly the cited title, was taken as the
best match.
"""
CUT = "--bib-max-candidates cut the search off, so the database may have a more similar title"


class BibliographicDatabaseStrategy(Strategy):
    """Searches for references in one bibliographic database."""

    name = "bibliographic_database"

    def __init__(
        self,
        database: Database,
        threshold: float,
        max_candidates: int = 100_000,
        coverage: CoverageTable = NO_COVERAGE,
    ) -> None:
        """``threshold`` is the minimum title similarity.

        ``coverage`` states which works the sources have.
        """
        self._database, self._coverage = database, coverage
        self._threshold, self._max_candidates = min(threshold, FLOOR), max_candidates

    def search(self, reference: Reference) -> Findings:
        """Return records with the most similar title or the cited identifier, and volumes that may
        be cited.
        """
        try:
            candidates, inquiries = self._by_title(reference)
            found = Findings(
                (*candidates, *self._by_identifier(reference)),
                inquiries,
                ()
                if document_type(reference.venue)
                else self._database.venues.claimed_volumes(reference.venue, reference.year),
                notices=self._database.notices_about(reference),
            )
            return replace(found, covered=tuple(self._covered(reference, found)))
        except DatabaseError as error:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),))

    def records_within(self, text: str, shortest: int, most: int) -> Sequence[Record]:
        """Return at most ``most`` records whose title occurs in ``text`` as a sequence of whole
        words. The title must have at least ``shortest`` letters.

        Database errors are not reported.
        """
        try:
            return self._database.records_within(text, shortest, most)
        except DatabaseError:
            return ()

    def search_further(self, reference: Reference, verdict: Verdict) -> Findings:
        """Return all records with similar titles, and works of the cited authors.

        These records may explain a reference better. Example: another version of the work has the
        title with a remark such as "(Extended Abstract)". If a word of the best match differs in
        one letter, the findings also say how many titles contain each spelling. Database errors are
        not reported.
        """
        best, issues = verdict.best_match, verdict.issues
        if best and not any(issue.code.startswith(_UNCLEAR) for issue in issues):
            return Findings()
        try:
            found = Findings(self._by_authors(reference))
            if any(inquiry.source == self.name and inquiry.records for inquiry in verdict.evidence):
                lookup = self._database.look_up(
                    reference.title, self._threshold, self._max_candidates, every=True
                )
                found = Findings((*lookup.candidates, *self._related(reference))) + found
            codes = {issue.code for issue in issues}
            similar = [best.record.title] if best and IssueCode.TITLE_WORD_CHANGED in codes else []
            if not codes.isdisjoint(_OF_ANOTHER_VERSION):
                similar += [one.record.title for one in found.candidates if one.similarity >= FLOOR]
            if words := words_a_letter_apart(reference.title, *similar):
                found += Findings(title_counts=self.title_counts(words))
        except DatabaseError:
            return Findings()
        return found

    def _related(self, reference: Reference) -> Iterator[Candidate]:
        """Yield the records whose title differs only by a label such as "Squibs:", a remark such as
        "(Extended Abstract)", a subtitle or the order of words.
        """
        yield from self._without_label(reference)
        yield from self._database.related(reference.title)

    def _without_label(self, reference: Reference) -> Iterator[Candidate]:
        """Yield the records whose title lacks a label of the cited title, such as "Squibs:"."""
        form = title_form(reference.title)
        if (bare := " ".join(form.words)) != form.normal:
            records = self._database.records_titled(bare, self._max_candidates)
            yield from _candidates(reference, records, MatchKind.MAIN_TITLE)

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Return a pair for each of the normalised ``words``: the word, and the number of titles in
        the database that contain the word.
        """
        return self._database.title_counts(words)

    def _by_authors(self, reference: Reference) -> tuple[Candidate, ...]:
        """Return works of the cited authors: those with a similar title or in the cited volume, and
        up to two others.
        """
        title = title_form(reference.title).normal

        def is_like(recorded: str) -> bool:
            normal = normalize_title(recorded)
            return similarity(title, normal) >= ALIKE or begins_alike(title, normal)

        records = self._database.records_by_authors(reference.authors, _WORKS, is_like)
        works = list(_candidates(reference, records, MatchKind.AUTHORS))
        shown = [work for work in works if set(work.record.authors) == set(works[0].record.authors)]
        shown.sort(key=lambda work: -work.similarity)
        shown += [work for work in works if work not in shown][: _SHOWN - min(_SHOWN, len(shown))]
        near = [
            work
            for work in works
            if is_alike(title, work) or self._in_cited_volume(reference, work.record)
        ]
        return tuple(dict.fromkeys([*shown[:_SHOWN], *near]))

    def _in_cited_volume(self, reference: Reference, record: Record) -> bool:
        """Return whether ``record`` has the cited venue and year.

        It may then be the cited work under another title.
        """
        venues = self._database.venues
        same_year = record.year is not None and record.year == reference.year
        return same_year and not venues.of_record(record).isdisjoint(
            venues.resolve(reference.venue)
        )

    def _by_title(self, reference: Reference) -> tuple[tuple[Candidate, ...], tuple[Inquiry, ...]]:
        """Return two tuples: the records with the title most similar to the cited title, and
        reports on the search.
        """
        if not title_form(reference.title).normal:
            return (), ()
        lookup = self._database.best_matches(reference.title, self._threshold, self._max_candidates)
        found = _likeliest(reference, lookup.candidates) or lookup.related
        found = found or tuple(self._without_label(reference))
        if not found:
            nearest = lookup.nearest or self._database.nearest(lookup.query)
            found = (nearest,) if nearest and nearest.similarity >= NEARBY else ()
        inquiry = Inquiry(
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
        return found, (inquiry,)

    def _by_identifier(self, reference: Reference) -> Iterator[Candidate]:
        if reference.doi:
            yield from _candidates(
                reference, self._database.records_with("doi", reference.doi), MatchKind.DOI
            )
        elif rfc := rfc_of(reference):
            found = self._database.records_with("doi", _doi_of(rfc))
            for candidate in _candidates(reference, found, MatchKind.DOI):
                item = compared(reference, candidate)
                if item.authors.comparable and is_stranger(item):
                    yield candidate
        if reference.arxiv_id:
            found = self._database.records_with("arxiv_id", reference.arxiv_id)
            yield from _candidates(reference, found, MatchKind.ARXIV_ID)

    def _covered(self, reference: Reference, found: Findings) -> Iterator[SourceCoverage]:
        """Yield the share of works of the cited kind that each source of the database has. Yield
        nothing if the cited title or identifier was found.
        """
        matches = {candidate.match for candidate in found.candidates}
        arxiv_id = arxiv_id_of(reference)
        silent = {}
        if (
            MatchKind.DOI not in matches
            and is_doi(reference.doi)
            and not doi_says_nothing(reference.doi)
        ):
            silent[reference.doi] = self._coverage.of_doi(reference.doi, reference.year)
        elif (rfc := rfc_of(reference)) and not self._database.records_with("doi", _doi_of(rfc)):
            silent[f"RFC {rfc}"] = self._coverage.of_doi(_doi_of(rfc), reference.year)
        if MatchKind.ARXIV_ID not in matches and arxiv_id:
            silent[arxiv_id] = self._coverage.of_arxiv_id(arxiv_id)
        if MatchKind.TITLE not in matches:
            kind = coverage_of(reference)
            yield from self._coverage.all_sources()
            yield from self._coverage.broad_for(kind.kind, reference.year)
            silent[""] = self._coverage.of_preprints(reference.year) if kind is ARXIVS else None
        doubt = self._retitled(reference) if any(silent.values()) and "" in silent else ""
        for identifier, coverage in silent.items():
            if coverage:
                yield replace(coverage, identifier=identifier, doubt=doubt)

    def _retitled(self, reference: Reference) -> str:
        """Return a sentence that names a paper by the same authors, which may be the cited preprint
        under a new title.

        Empty if there is no such paper.
        """
        records = self._database.records_by_authors(reference.authors, _WORKS)
        for candidate in _candidates(reference, records, MatchKind.AUTHORS):
            if may_be_retitled(compared(reference, candidate)):
                record = candidate.record
                return f"{record.source} has a paper by the same authors: {record.title}"
        return ""


def _likeliest(reference: Reference, ties: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Return at most 300 of ``ties``, which are records with the same title.

    Records with more of the cited authors are preferred.
    """
    if len(ties) <= MOST_OF_A_TITLE:
        return ties
    keys = frozenset[int]().union(*map(cited_keys, reference.authors))

    def rank(place: int) -> tuple[int, int]:
        record = ties[place].record
        # records with an unknown year come last
        gap = abs(record.year - reference.year) if record.year and reference.year else 9_999
        return -len(keys.intersection(recorded_keys(record.authors))), gap

    return tuple(
        ties[place] for place in sorted(sorted(range(len(ties)), key=rank)[:MOST_OF_A_TITLE])
    )


def _doi_of(rfc: str) -> str:
    return f"10.17487/rfc{rfc:0>4}"


def _candidates(
    reference: Reference, records: Iterable[Record], kind: MatchKind
) -> Iterator[Candidate]:
    title = title_form(reference.title).normal
    for record in records:
        yield Candidate(record, similarity(title, title_form(record.title).normal), kind)


class CacheStrategy(Strategy):
    """Searches the cache of verified works by title.

    A hit can confirm a reference but not contradict it.
    """

    name = CACHE

    def __init__(self, cache: "VerificationCache", threshold: float) -> None:
        self._cache, self._threshold = cache, threshold

    def search(self, reference: Reference) -> Findings:
        """Return cached records whose title contains the cited title and is similar enough."""
        if not reference.title:
            return Findings()
        start = perf_counter()
        try:
            works = self._cache.find(reference.title)
        except DatabaseError as error:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),))
        alike = _candidates(reference, (work.record for work in works), MatchKind.TITLE)
        hits = [
            (work, one)
            for work, one in zip(works, alike, strict=True)
            if one.similarity >= self._threshold
        ]
        detail = "; ".join(dict.fromkeys(str(work) for work, _ in hits))
        milliseconds = (perf_counter() - start) * 1000
        inquiry = Inquiry(
            self.name, Outcome.ANSWERED, detail, len(hits), milliseconds, from_cache=bool(hits)
        )
        return Findings(
            inquiries=(inquiry,),
            remembered=tuple(one for _, one in hits),
        )
