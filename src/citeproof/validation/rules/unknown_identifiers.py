"""Identifiers that those who give them out say they never gave, or that a complete source does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Covers
from citeproof.validation.compare.identifiers import arxiv_id_of, is_aside
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.validation.case import Case

CODES = {
    "doi.unknown": "doi.org says that the DOI was never given out, or a complete source does not have it.",
    "arxiv.unknown": "arXiv says that it has no paper of this id, or a complete source does not have it.",
}


def rule(case: Case) -> tuple[Difference, ...]:
    """Report the cited identifiers that are unknown where they would have to be known."""
    unknown = case.findings.unknown_identifiers
    if not unknown:
        return _not_held(case)
    found = []
    doi, arxiv_id = case.reference.doi, arxiv_id_of(case.reference)
    if doi.lower() in unknown and not is_aside(doi):
        found.append(Difference("doi.unknown", doi, "", f"doi.org knows no DOI {doi}"))
    if arxiv_id and arxiv_id in unknown:
        found.append(Difference("arxiv.unknown", arxiv_id, "", f"arXiv has no paper {arxiv_id}"))
    return tuple(found)


def _not_held(case: Case) -> tuple[Difference, ...]:
    """Report the cited identifiers that a database which holds nearly all of their kind does not have."""
    found = []
    for item in case.findings.covered:
        if item.covers is not Covers.IDENTIFIER or item.completeness < case.policy.given:
            continue
        code = "doi.unknown" if item.identifier == case.reference.doi else "arxiv.unknown"
        explanation = (
            f"{item.source} holds {item.part} to {item.until}, {item.completeness:.1%}, and not {item.identifier}"
        )
        found.append(Difference(code, item.identifier, "", explanation))
    return tuple(found)
