"""A DOI or an arXiv id in place of a title: command line and web service look it up as what it is."""

from __future__ import annotations

import re
from typing import NamedTuple

from citeproof.models import MatchKind
from citeproof.text.identifiers import find_arxiv_id, find_doi

_LABEL = re.compile(r"^(?:doi|arxiv)\s*:\s*", re.IGNORECASE)
_LONGEST = 300
"""A longer text is no identifier; DOIs of more than 200 letters are rare."""


class Identifier(NamedTuple):
    """What names a work: a DOI in lower case, or an arXiv id without version."""

    kind: MatchKind
    """:attr:`MatchKind.DOI` or :attr:`MatchKind.ARXIV_ID`."""
    value: str


def identifier_in(text: str) -> Identifier | None:
    """Return the identifier that ``text`` is as a whole, as an address or with its label too; else None.

    A text with white space in it is a title, whatever else it holds.
    """
    text = text.strip()
    bare = _LABEL.sub("", text)
    if not bare or len(text) > _LONGEST or any(map(str.isspace, bare)):
        return None
    if arxiv_id := find_arxiv_id(text) or find_arxiv_id(bare):
        return Identifier(MatchKind.ARXIV_ID, arxiv_id)
    doi = find_doi(bare)
    return Identifier(MatchKind.DOI, doi) if doi else None
