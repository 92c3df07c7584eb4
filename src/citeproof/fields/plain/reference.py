"""A reference string as a reference."""

from __future__ import annotations

from citeproof.fields.plain import read_reference
from citeproof.models import NOWHERE, Place, Reference
from citeproof.text.identifiers import find_arxiv_id, find_doi


def reference_of_string(text: str, key: str = "", place: Place = NOWHERE) -> Reference:
    """Return what the best reading of ``text`` says; the reference keeps the text as ``raw``."""
    reading = read_reference(text)[0]
    return Reference(
        key=key,
        title=reading.title,
        authors=reading.authors,
        and_others=reading.and_others,
        year=reading.year,
        venue=reading.venue,
        doi=find_doi(reading.doi),
        arxiv_id=find_arxiv_id(reading.arxiv_id),
        url=reading.url,
        raw=text,
        from_text=True,
        place=place,
    )
