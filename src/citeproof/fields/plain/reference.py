"""A reference string as a reference."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.fields.plain import read_reference
from citeproof.fields.plain.doubts import doubts
from citeproof.models import NOWHERE, Place, Reference
from citeproof.text.identifiers import find_arxiv_id, find_doi

if TYPE_CHECKING:
    from citeproof.fields.plain import Reading


_NOBODY = re.compile(r"Anon(?:ymous)?\.?", re.IGNORECASE)
"""What styles print where a work names no author: nobody meant it as a name."""


def reference_of_string(text: str, key: str = "", place: Place = NOWHERE) -> Reference:
    """Return what the best reading of ``text`` says, with the other readings; it keeps the text as ``raw``."""
    readings = read_reference(text)
    best = readings[0]
    doi, arxiv_id = find_doi(best.doi), find_arxiv_id(best.arxiv_id)
    others = tuple(_reference(reading, text, key, place, doi, arxiv_id) for reading in readings[1:] if reading.title)
    return _reference(best, text, key, place, doi, arxiv_id, doubts(text, readings), others)


def _reference(
    reading: Reading,
    raw: str,
    key: str,
    place: Place,
    doi: str,
    arxiv_id: str,
    doubted: tuple[str, ...] = (),
    others: tuple[Reference, ...] = (),
) -> Reference:
    """Return what ``reading`` says; all readings of a string have its identifiers, so that these are given."""
    return Reference(
        key=key,
        title=reading.title,
        authors=_authors(reading),
        and_others=reading.and_others,
        year=reading.year,
        venue=reading.venue,
        doi=doi,
        arxiv_id=arxiv_id,
        url=reading.url,
        raw=raw,
        from_text=True,
        doubts=doubted,
        readings=others,
        place=place,
    )


def _authors(reading: Reading) -> tuple[str, ...]:
    return () if len(reading.authors) == 1 and _NOBODY.fullmatch(reading.authors[0]) else reading.authors


def with_reading(reference: Reference, reading: Reading) -> Reference:
    """Return ``reference`` with the fields that ``reading`` gives it."""
    return replace(
        reference,
        title=reading.title,
        authors=_authors(reading),
        and_others=reading.and_others,
        year=reading.year,
        venue=reading.venue,
        doi=find_doi(reading.doi),
        arxiv_id=find_arxiv_id(reading.arxiv_id),
        url=reading.url,
    )
