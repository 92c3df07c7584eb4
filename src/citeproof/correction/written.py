"""A value of a record as it is written into a field."""

from __future__ import annotations

import re

from citeproof.fields.bibtex_entry import written_pages
from citeproof.text.latex_writing import latex_of

_PART = re.compile(r"\s\(\d+\)$")
"""DBLP's mark of the part of the proceedings that holds a paper: ``ACL (1)``."""


def written_value(attribute: str, value: str, *, ascii_only: bool) -> str:
    """Return ``value`` of a reference's ``attribute`` in LaTeX; identifiers are written as they are."""
    if attribute in {"doi", "year"}:
        return value
    if attribute == "pages":
        return written_pages(value)
    return latex_of(_PART.sub("", value) if attribute == "venue" else value, ascii_only=ascii_only)
