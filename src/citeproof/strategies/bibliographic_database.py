"""The bibliographic-database strategy: title, DOI and arXiv id in the local file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.errors import DatabaseError
from citeproof.models import Candidate, Findings, Inquiry, MatchKind, Outcome
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citeproof.bibdb.database import Database
    from citeproof.models import Lookup, Record, Reference

NEARBY = 0.65
"""A title less alike than that shares words with the cited one, and no more."""
_WORKS = 20
"""So many works of the cited people are compared with the title."""
_HANDED_ON = 2


class BibliographicDatabaseStrategy:
    """Looks a reference up in one database; the answer is the same however often it is asked."""

    name = "bibliographic_database"

    def __init__(self, database: Database, threshold: float, max_candidates: int = 100_000) -> None:
        self._database = database
        self._threshold = threshold
        self._max_candidates = max_candidates

    def search(self, reference: Reference) -> Findings:
        """Return the records with the cited title, DOI or arXiv id, and the volumes that may be claimed."""
        try:
            return self._by_title(reference) + Findings(
                candidates=tuple(self._by_identifier(reference)),
                volumes=self._database.venues.claimed_volumes(reference.venue, reference.year),
            )
        except DatabaseError as error:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),))

    def search_further(self, reference: Reference) -> Findings:
        """Return works that share the most cited authors, the best people first; of their works the nearest title.

        They only explain a verdict, so a database that cannot tell fails nothing and leaves no evidence.
        """
        try:
            records = self._database.records_by_authors(reference.authors, _WORKS)
        except DatabaseError:
            return Findings()
        found = list(_candidates(reference, records, MatchKind.AUTHORS))
        same = [candidate for candidate in found if set(candidate.record.authors) == set(records[0].authors)]
        same.sort(key=lambda candidate: -candidate.similarity)
        return Findings(tuple([*same, *(candidate for candidate in found if candidate not in same)][:_HANDED_ON]))

    def _by_title(self, reference: Reference) -> Findings:
        if not normalize_title(reference.title):
            return Findings()
        lookup = self._database.look_up(reference.title, self._threshold, self._max_candidates)
        found = lookup.candidates or lookup.related or self._perhaps_meant(lookup)
        return Findings(candidates=found, inquiries=(self._inquiry(lookup),))

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

    def _inquiry(self, lookup: Lookup) -> Inquiry:
        return Inquiry(
            self.name,
            Outcome.ANSWERED,
            records=len(lookup.candidates),
            milliseconds=lookup.milliseconds,
            method=lookup.method.value,
            index=lookup.index,
            candidates_examined=lookup.candidates_examined,
            complete=lookup.complete,
        )


def _candidates(reference: Reference, records: Iterable[Record], kind: MatchKind) -> Iterator[Candidate]:
    title = normalize_title(reference.title)
    for record in records:
        yield Candidate(record, similarity(title, normalize_title(record.title)), kind)
