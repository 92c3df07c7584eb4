"""A reference string as a reference."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from citeproof.fields.plain import best_reading, read_reference
from citeproof.fields.plain.doubts import doubts
from citeproof.models import NOWHERE, Place, Reference
from citeproof.text.identifiers import find_arxiv_id, find_doi

if TYPE_CHECKING:
    from citeproof.fields.plain import Reading


_NOBODY = re.compile(r"Anon(?:ymous)?\.?", re.IGNORECASE)
"""What styles print where a work names no author: nobody meant it as a name."""


def reference_of_string(text: str, key: str = "", place: Place = NOWHERE) -> Reference:
    """Return what the best reading of ``text`` says; it keeps the text, of which :func:`other_readings` can be made."""
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
    """Return the other ways to read the string of ``reference`` that have a title, the likeliest first."""
    if not reference.string:
        return []
    text, others = reference.string, read_reference(reference.string)[1:]
    read = Reference(reference.key, raw=text, from_text=True, place=reference.place)
    return [with_reading(read, reading) for reading in others if reading.title]


def _authors(reading: Reading) -> tuple[str, ...]:
    return () if len(reading.authors) == 1 and _NOBODY.fullmatch(reading.authors[0]) else reading.authors


def with_reading(reference: Reference, reading: Reading) -> Reference:
    """Return ``reference`` with the fields that ``reading`` gives it."""
    return replace(reference, **_fields(reading))


def _fields(reading: Reading) -> dict[str, Any]:
    return {
        "title": reading.title,
        "authors": _authors(reading),
        "and_others": reading.and_others,
        "year": reading.year,
        "venue": reading.venue,
        "doi": find_doi(reading.doi),
        "arxiv_id": find_arxiv_id(reading.arxiv_id),
        "url": reading.url,
    }
