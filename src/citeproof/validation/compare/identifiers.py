"""Identifiers: what a reference states, what form it can have, and what it can be held against."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.text.identifiers import is_short_doi

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citeproof.models import Record, Reference

_ASIDE = re.compile(r"10\.(?:48550/arxiv\.|5555/|5281/zenodo\.|13140/)", re.IGNORECASE)
"""DOIs that a work may have beside its publisher's: arXiv, ACM's placeholder, Zenodo, ResearchGate."""
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+?)(?:v\d+)?$", re.IGNORECASE)
_ARXIV_NEW = re.compile(r"(\d{2})(\d{2})\.(\d{4,5})(?:v\d+)?$")
_ARXIV_OLD = re.compile(r"[a-z-]+(?:\.[a-z]{2})?/(\d{2})(\d{2})\d{3}(?:v\d+)?$", re.IGNORECASE)
_FIVE_DIGITS_SINCE = (2015, 1)
_FIRST_MONTH = (1991, 8)
"""arXiv began in August 1991; its ids were ``hep-th/9108001`` until March 2007, and have five digits since 2015
(https://info.arxiv.org/help/arxiv_identifier.html)."""


def doi_agrees(reference: Reference, records: Iterable[Record]) -> bool:
    """Whether a record of the work states the cited DOI."""
    return bool(reference.doi) and any(record.doi.lower() == reference.doi.lower() for record in records if record.doi)


def arxiv_id_of(reference: Reference) -> str:
    """Return the arXiv id that a reference states, as such or inside a DOI; empty when it states none."""
    if reference.arxiv_id:
        return reference.arxiv_id
    found = _ARXIV_DOI.match(reference.doi)
    return found.group(1) if found else ""


def is_aside(doi: str) -> bool:
    """Whether a DOI is one that a work may have beside its publisher's."""
    return bool(_ASIDE.match(doi))


def doi_says_nothing(doi: str) -> bool:
    """Whether a DOI cannot be held against the one of a record."""
    return is_aside(doi) or is_short_doi(doi)


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
