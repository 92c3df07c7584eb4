"""Identifiers that are impossible as written, whatever work they are to name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.text.identifiers import is_short_doi
from citeproof.text.venue_names import is_preprint_server
from citeproof.validation.compare.identifiers import arxiv_id_of, arxiv_month, doi_agrees
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.models import Reference
    from citeproof.validation.case import Case

CODES = {
    "doi.malformed": "The DOI does not have the form of one.",
    "doi.link": "The field for the DOI holds another link.",
    "doi.short": "The short form of a DOI, which only doi.org can resolve; it is compared with nothing.",
    "doi.unassigned": "The registrant's number in the DOI has never been given to anyone.",
    "arxiv.malformed": "The arXiv id does not have the form of one, or names a month that never was.",
    "arxiv.after_year": "The arXiv id was given after the cited year, for a publication by more than a year.",
}
_DOI = re.compile(r"10\.[1-9]\d{2,8}(?:\.\d+)*/\S+")
"""Form of a DOI: ISO 26324, a registrant of digits after ``10.`` and any suffix."""
_REGISTRANT = re.compile(r"[./]")
_UNASSIGNED = 88_000
"""Registrants' numbers are given in batches in rising order; Crossref gave those from 63000 and 71000 in 2024 and 2025
(https://community.crossref.org/t/13215), the highest in use by 2026 that we know of begins with 82. Behind that are
the numbers of examples and tests (88888, 99999)."""
_EXAMPLES = frozenset({8888, 9999})
"""Smaller numbers of that kind."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Look at the form of the cited DOI and of the cited arXiv id."""
    return (*_doi(case), *_arxiv(case))


def _doi(case: Case) -> tuple[Difference, ...]:
    cited = case.reference.doi
    if not cited:
        return ()
    if is_short_doi(cited):
        explanation = f"the short form of a DOI; only doi.org can say which DOI it is: {cited}"
        return (Difference("doi.short", cited, "", explanation),)
    if cited.startswith(("http:", "https:")):
        return (Difference("doi.link", cited, "", f"a link, not a DOI: {cited}"),)
    if not _DOI.fullmatch(cited):
        return (Difference("doi.malformed", cited, "", f"not the form of a DOI: {cited}"),)
    if _is_unassigned(int(_REGISTRANT.split(cited)[1])) and not doi_agrees(case.reference, case.records):
        registrant = cited.partition("/")[0]
        explanation = f"no registrant of DOIs has the number {registrant}; such numbers stand in examples and tests"
        return (Difference("doi.unassigned", cited, "", explanation),)
    return ()


def _arxiv(case: Case) -> tuple[Difference, ...]:
    reference, today = case.reference, case.today
    arxiv_id = arxiv_id_of(reference)
    if not arxiv_id:
        return ()
    month = arxiv_month(arxiv_id)
    if month is None or month > (today.year, today.month):
        return (Difference("arxiv.malformed", arxiv_id, "", f"no arXiv id can read {arxiv_id}"),)
    if reference.year and month[0] > reference.year + _posted_later(reference):
        given = f"{month[0]}-{month[1]:02}"
        explanation = f"arXiv gave this id in {given}, after the cited year {reference.year}"
        return (Difference("arxiv.after_year", f"{arxiv_id}, {reference.year}", given, explanation),)
    return ()


def _is_unassigned(registrant: int) -> bool:
    return registrant >= _UNASSIGNED or registrant in _EXAMPLES


def _posted_later(reference: Reference) -> int:
    """Return how many years after the cited one an id may be given: papers are posted after they have appeared."""
    return 0 if not reference.venue or is_preprint_server(reference.venue) else 1
