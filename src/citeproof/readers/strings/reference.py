"""Convert a reference string to a reference."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from citeproof.model.reference import NOWHERE, Place, Reference
from citeproof.readers.strings import best_reading, read_reference
from citeproof.readers.strings.doubts import doubts
from citeproof.text.identifiers import find_arxiv_id, find_doi

if TYPE_CHECKING:
    from citeproof.readers.strings import Reading


_NOBODY = re.compile(r"Anon(?:ymous)?\.?", re.IGNORECASE)
"""Regex of the word that styles print for a work without an author."""


def reference_of_string(text: str, key: str = "", place: Place = NOWHERE) -> Reference:
    """Return the reference of the best reading of ``text``; it keeps the text for :func:`other_readings`."""
    best, is_clear = best_reading(text)
    return Reference(
        key=key,
        raw=text,
        from_text=True,
        doubts=doubts(text, best, is_clear),
        string=text,
        place=place,
        **_fields(best),
    )


def other_readings(reference: Reference) -> list[Reference]:
    """Return the other readings of the string of ``reference`` that have a title, likeliest first."""
    if not reference.string:
        return []
    text, others = reference.string, read_reference(reference.string)[1:]
    read = Reference(reference.key, raw=text, from_text=True, place=reference.place)
    return [with_reading(read, reading) for reading in others if reading.title]


def _authors(reading: Reading) -> tuple[str, ...]:
    return () if len(reading.authors) == 1 and _NOBODY.fullmatch(reading.authors[0]) else reading.authors


def with_reading(reference: Reference, reading: Reading) -> Reference:
    """Return ``reference`` with the fields of ``reading``."""
    return replace(reference, **_fields(reading))


def _fields(reading: Reading) -> dict[str, Any]:
    return {
        "title": reading.title,
        "authors": _authors(reading),
        "and_others": reading.and_others,
        "year": reading.year,
        "venue": reading.venue,
        "doi": find_doi(reading.doi),
        "arxiv_id": find_arxiv_id(reading.arxiv_id) or reading.arxiv_id,
        "url": reading.url,
    }
