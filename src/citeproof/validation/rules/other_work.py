"""Identifiers that a source holds for other works than the one that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.compare.identifiers import arxiv_id_of
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Record
    from citeproof.validation.case import Case

CODES = {
    "doi.other_work": "A source holds the DOI for another work.",
    "arxiv.other_work": "A source holds the arXiv id for another work.",
}


def rule(case: Case) -> tuple[Difference, ...]:
    """Report identifiers that lead to records outside the work, and to none inside it."""
    return (
        *_belongs_to("doi.other_work", "DOI", case.reference.doi, case.holders_of_doi),
        *_belongs_to("arxiv.other_work", "arXiv id", arxiv_id_of(case.reference), case.holders_of_arxiv_id),
    )


def _belongs_to(code: str, kind: str, cited: str, holders: Sequence[Record]) -> tuple[Difference, ...]:
    if not holders:
        return ()
    record = holders[0]
    shown = f"{record.title} ({', '.join(record.authors[:3])}{' et al.' if len(record.authors) > 3 else ''})"
    return (Difference(code, cited, shown, f"the {kind} {cited} belongs to another work: {shown}"),)
