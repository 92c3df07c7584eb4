"""The nearest-works strategy: the works of the cited people, for a reference that is not VALID.

It never changes a verdict, so it asks nothing that could fail it, and leaves no evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.errors import DatabaseError
from citeproof.models import Candidate, Findings, MatchKind, Severity, Status
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

if TYPE_CHECKING:
    from citeproof.bibdb.database import Database
    from citeproof.models import Reference, Verdict

_WORKS = 20
"""So many works of the people are compared with the title."""
_HANDED_ON = 2


class NearestWorksStrategy:
    """Looks a database up by authors; the link is the last of the chain."""

    name = "nearest_works"

    def __init__(self, database: Database) -> None:
        self._database = database

    def wanted(self, verdict: Verdict) -> bool:
        """Only where nothing that was found is by the cited people."""
        if verdict.status is Status.VALID:
            return False
        return not verdict.best_match or any(
            issue.code.startswith("authors.") and issue.severity is Severity.ISSUE for issue in verdict.issues
        )

    def search(self, reference: Reference) -> Findings:
        """Return works that share the most cited authors; none where the database cannot tell."""
        try:
            records = self._database.records_by_authors(reference.authors, _WORKS)
        except DatabaseError:
            return Findings()
        title = normalize_title(reference.title)
        found = [Candidate(r, similarity(title, normalize_title(r.title)), MatchKind.AUTHORS) for r in records]
        # the best people come first; of their works, the one with the nearest title
        same = [candidate for candidate in found if set(candidate.record.authors) == set(records[0].authors)]
        same.sort(key=lambda candidate: -candidate.similarity)
        return Findings(tuple([*same, *(candidate for candidate in found if candidate not in same)][:_HANDED_ON]))
