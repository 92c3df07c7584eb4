"""What was found, as signals and tables ask for it: references with their verdicts and the papers that cite them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from citeproof.screen.distinct import from_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.models import Reference
    from citeproof.screen.store import ScreeningStore


@dataclass(frozen=True, slots=True)
class Finding:
    """One distinct reference with its verdict."""

    number: int
    reference: Reference
    status: str
    reason: str
    details: dict[str, Any]

    @property
    def faults(self) -> tuple[tuple[str, str], ...]:
        """Code and cited value of each issue that counts against it, sorted."""
        issues = (issue for issue in self.details["issues"] if issue["severity"] == "issue")
        return tuple(sorted((issue["code"], issue["cited"]) for issue in issues))

    @property
    def held(self) -> float:
        """Which share of the cited volume the database holds, 0 to 1."""
        return float(self.details["held"])


class Corpus:
    """Everything that a screening found."""

    def __init__(self, store: ScreeningStore) -> None:
        self.store = store

    def open_findings(self) -> Iterator[Finding]:
        """Yield each reference whose verdict is not VALID and that stands in some paper, by number."""
        for page in self.store.pages(
            "SELECT r.id, r.fields, v.status, v.reason, v.details FROM distinct_references r JOIN verdicts v "
            "ON v.reference = r.id WHERE v.status <> 'VALID' AND "
            "EXISTS (SELECT 1 FROM places p WHERE p.reference = r.id) AND",
            "r.id",
        ):
            for number, fields, status, reason, details in page:
                yield Finding(number, from_json(fields), status, reason, json.loads(details))

    def papers_citing(self, reference: int) -> tuple[int, ...]:
        """Return the papers that cite ``reference``, each once."""
        rows = self.store.rows("SELECT DISTINCT paper FROM places WHERE reference = ? ORDER BY paper", (reference,))
        return tuple(row[0] for row in rows)

    @cached_property
    def paper_count(self) -> int:
        """How many papers there are."""
        return int(self.store.rows("SELECT count(*) FROM papers")[0][0])

    def paper_name(self, paper: int) -> str:
        """Return the name of ``paper``."""
        return str(self.store.rows("SELECT name FROM papers WHERE id = ?", (paper,))[0][0])
