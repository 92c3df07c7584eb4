"""The nearest-works strategy: the works of the cited people, for a reference that is not VALID.

It never changes a verdict, so it asks nothing that could fail it, and leaves no evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.errors import DatabaseError
from citeproof.models import Agreement, Candidate, Findings, MatchKind, Status
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

if TYPE_CHECKING:
    from citeproof.bibdb.database import Database
    from citeproof.models import Reference, Verdict

_WORKS = 20
"""So many works of the people are handed on; the validator shows those that are nearest in the rest."""


class NearestWorksStrategy:
    """Looks a database up by authors; the link is the last of the chain."""

    name = "nearest_works"

    def __init__(self, database: Database) -> None:
        self._database = database

    def wanted(self, verdict: Verdict) -> bool:
        """Only where no work that was found has the cited people already."""
        if verdict.status is Status.VALID:
            return False
        return not any("authors" in work.fields_that(Agreement.SAME) for work in verdict.meant)

    def search(self, reference: Reference) -> Findings:
        """Return works that share the most cited authors; none where the database cannot tell."""
        try:
            records = self._database.records_by_authors(reference.authors, _WORKS)
        except DatabaseError:
            return Findings()
        title = normalize_title(reference.title)
        return Findings(
            tuple(Candidate(r, similarity(title, normalize_title(r.title)), MatchKind.AUTHORS) for r in records)
        )
