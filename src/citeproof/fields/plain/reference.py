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
    whole = Reference(key=key, raw=text, from_text=True, place=place)
    others = tuple(with_reading(whole, reading) for reading in readings[1:] if reading.title)
    return with_reading(replace(whole, doubts=doubts(text, readings), readings=others), readings[0])


def with_reading(reference: Reference, reading: Reading) -> Reference:
    """Return ``reference`` with the fields that ``reading`` gives it."""
    return replace(
        reference,
        title=reading.title,
        authors=() if _NOBODY.fullmatch(" ".join(reading.authors)) else reading.authors,
        and_others=reading.and_others,
        year=reading.year,
        venue=reading.venue,
        doi=find_doi(reading.doi),
        arxiv_id=find_arxiv_id(reading.arxiv_id),
        url=reading.url,
    )
