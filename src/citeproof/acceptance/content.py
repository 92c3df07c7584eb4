"""The content of an entry in a few digits, which change when what it says of its work changes."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citeproof.models import Reference

_DIGITS = 16
"""Hexadecimal digits that are kept: nobody finds two entries of one bibliography that share them by chance."""
_FIELDS = (
    "title", "authors", "and_others", "year", "venue", "entry_type", "doi", "arxiv_id", "pages", "volume", "number",
    "url", "publisher",
)  # fmt: skip
"""What an entry says of its work. A change here, or in how they are read, ends every acceptance of it."""


def content_of(reference: Reference) -> str:
    """Return 16 digits that stand for what ``reference`` says of its work.

    Layout does not count: case, white space, the order of fields, braces or quotes, notes. Of an entry whose fields
    were read from running text, or could not be read, the text itself counts.
    """
    if reference.from_text or not reference.title:
        said = [reference.raw]
    else:
        said = [f"{name}={getattr(reference, name)}" for name in _FIELDS]
    text = "\n".join(" ".join(unicodedata.normalize("NFC", one).casefold().split()) for one in said)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
