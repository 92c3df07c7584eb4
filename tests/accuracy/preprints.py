"""Preprints on CoRR as references to works of which the database holds the published version alone.

What CoRR says of a work (title, authors, year) is an honest description of it. The preprint counts
as published where a record that is none, at most a year away, has a title at least 0.9 alike and
half of the people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.text.names import parse_name
from tests.accuracy.entries import entry, fields_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.model.findings import Findings
    from citeproof.model.record import Record


def is_preprint(record: Record) -> bool:
    """Whether a record is of CoRR."""
    return record.publtype == "informal"


def entry_of(number: int, record: Record) -> str:
    """Return a preprint as it is cited by title, people and year."""
    fields = fields_of(record)
    return entry(
        "article", f"p{number}", {name: fields[name] for name in ("title", "author", "year")}
    )


def published(record: Record, findings: Findings) -> bool:
    """Whether the findings hold the published version of a preprint."""
    families = _families(record.authors)
    return any(
        candidate.similarity >= 0.9
        and abs((candidate.record.year or 0) - (record.year or 0)) <= 1
        and 2 * len(families & _families(candidate.record.authors)) >= len(families)
        for candidate in findings.candidates
    )


def _families(names: Sequence[str]) -> frozenset[str]:
    return frozenset(parsed.words[-1] for name in names if (parsed := parse_name(name)).words)
