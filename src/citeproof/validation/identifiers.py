"""Identifiers: their form, their date, and whether they name the cited work."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.validation.codes import issue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from citeproof.models import Issue, Record, Reference

_DOI = re.compile(r"10\.[1-9]\d{2,8}(?:\.\d+)*/\S+")
"""Form of a DOI: ISO 26324, a registrant of digits after ``10.`` and any suffix."""
_ASIDE = re.compile(r"10\.(?:48550/arxiv\.|5555/|5281/zenodo\.|13140/)", re.IGNORECASE)
"""DOIs that a work may have beside its publisher's: arXiv, ACM's placeholder, Zenodo, ResearchGate."""
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+?)(?:v\d+)?$", re.IGNORECASE)
_ARXIV_NEW = re.compile(r"(\d{2})(\d{2})\.(\d{4,5})(?:v\d+)?$")
_ARXIV_OLD = re.compile(r"[a-z-]+(?:\.[a-z]{2})?/(\d{2})(\d{2})\d{3}(?:v\d+)?$", re.IGNORECASE)
_FIVE_DIGITS_SINCE = (2015, 1)
_FIRST_MONTH = (1991, 8)
"""arXiv began in August 1991; its ids were ``hep-th/9108001`` until March 2007, and have five digits since 2015
(https://info.arxiv.org/help/arxiv_identifier.html)."""


def arxiv_id_of(reference: Reference) -> str:
    """Return the arXiv id that a reference states, as such or inside a DOI; empty when it states none."""
    if reference.arxiv_id:
        return reference.arxiv_id
    found = _ARXIV_DOI.match(reference.doi)
    return found.group(1) if found else ""


def arxiv_month(arxiv_id: str) -> tuple[int, int] | None:
    """Return year and month in which an id was given; None when no such id can exist."""
    if found := _ARXIV_NEW.match(arxiv_id):
        month = 2000 + int(found[1]), int(found[2])
        if month < (2007, 4) or len(found[3]) != (5 if month >= _FIVE_DIGITS_SINCE else 4):
            return None
    elif found := _ARXIV_OLD.match(arxiv_id):
        century = 1900 if int(found[1]) >= 91 else 2000
        month = century + int(found[1]), int(found[2])
        if not _FIRST_MONTH <= month < (2007, 4):
            return None
    else:
        return None
    return month if 1 <= month[1] <= 12 else None


def form_issues(reference: Reference, today: date) -> tuple[Issue, ...]:
    """Report identifiers that are impossible as written, whatever work they are to name."""
    found = []
    if reference.doi and not _DOI.fullmatch(reference.doi):
        found.append(issue("doi.malformed", reference.doi, "", f"not the form of a DOI: {reference.doi}"))
    arxiv_id = arxiv_id_of(reference)
    if arxiv_id:
        month = arxiv_month(arxiv_id)
        if month is None or month > (today.year, today.month):
            found.append(issue("arxiv.malformed", arxiv_id, "", f"no arXiv id can read {arxiv_id}"))
        elif reference.year and month[0] > reference.year + 1:
            given = f"{month[0]}-{month[1]:02}"
            explanation = f"arXiv gave this id in {given}, after the cited year {reference.year}"
            found.append(issue("arxiv.after_year", f"{arxiv_id}, {reference.year}", given, explanation))
    return tuple(found)


def doi_agrees(reference: Reference, records: Sequence[Record]) -> bool:
    """Whether a record of the work states the cited DOI."""
    return bool(reference.doi) and any(record.doi.lower() == reference.doi.lower() for record in records if record.doi)


def own_doi_issues(reference: Reference, records: Sequence[Record]) -> tuple[Issue, ...]:
    """Compare the cited DOI with those that the records of the work state."""
    if not reference.doi or _ASIDE.match(reference.doi) or doi_agrees(reference, records):
        return ()
    own = sorted({record.doi for record in records if record.doi and not _ASIDE.match(record.doi)})
    if not own:
        return ()
    shown = ", ".join(own)
    explanation = f"the DOI does not agree: cited {reference.doi}, recorded {shown}"
    return (issue("doi.differs", reference.doi, shown, explanation),)


def other_work_issues(reference: Reference, holders: Sequence[Record], *, kind: str) -> tuple[Issue, ...]:
    """Report an identifier (``doi`` or ``arxiv``) that a source holds for works other than the cited one."""
    if not holders:
        return ()
    cited = reference.doi if kind == "doi" else arxiv_id_of(reference)
    record = holders[0]
    shown = f"{record.title} ({', '.join(record.authors[:3])}{' et al.' if len(record.authors) > 3 else ''})"
    name = "DOI" if kind == "doi" else "arXiv id"
    return (issue(f"{kind}.other_work", cited, shown, f"the {name} {cited} belongs to another work: {shown}"),)


def unknown_issues(reference: Reference, unknown: Sequence[str]) -> tuple[Issue, ...]:
    """Report cited identifiers that those who give them out say they never gave (``unknown``)."""
    found = []
    if reference.doi.lower() in unknown and not _ASIDE.match(reference.doi):
        found.append(issue("doi.unknown", reference.doi, "", f"doi.org knows no DOI {reference.doi}"))
    if (arxiv_id := arxiv_id_of(reference)) and arxiv_id in unknown:
        found.append(issue("arxiv.unknown", arxiv_id, "", f"arXiv has no paper {arxiv_id}"))
    return tuple(found)
