"""What bibliographic databases of papers need not hold: web pages, software, books, reports, theses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.compare.identifiers import arxiv_id_of

if TYPE_CHECKING:
    from citeproof.models import Reference

_KIND_LIST = """
online www electronic webpage website software dataset data manual book booklet inbook mvbook collection
mvcollection incollection bookinbook suppbook thesis phdthesis mastersthesis techreport report patent standard
legislation legal jurisdiction unpublished audio video movie image letter periodical reference mvreference
inreference artwork music performance post post-weblog motion_picture song speech graphic map broadcast interview
"""
_KINDS = frozenset(_KIND_LIST.split())


def out_of_scope(reference: Reference) -> bool:
    """Whether a miss says nothing because of the kind of work that is cited; a preprint of arXiv is a paper."""
    if arxiv_id_of(reference):
        return False
    if reference.entry_type in _KINDS:
        return True
    return reference.entry_type == "misc" and bool(reference.url) and not (reference.venue or reference.doi)
