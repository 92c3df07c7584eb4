"""What a reference claims, as several rules read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citeproof.models import Record, Reference


def doi_agrees(reference: Reference, records: Iterable[Record]) -> bool:
    """Whether a record of the work states the cited DOI."""
    return bool(reference.doi) and any(record.doi.lower() == reference.doi.lower() for record in records if record.doi)


def cited_place(reference: Reference) -> str:
    """Return venue and year as a reader would say them; many a name of proceedings has the year in it."""
    year = str(reference.year or "")
    return reference.venue if year in reference.venue else f"{reference.venue} {year}"
