"""The identifiers of a reference as sources are asked for them, and its kind as far as that decides whom to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.text.identifiers import find_arxiv_id, is_doi

if TYPE_CHECKING:
    from citeproof.models import Reference

ARXIV_DOI = "10.48550/arxiv."
"""Prefix of the DOIs that DataCite registers for arXiv; Crossref has none of them."""

_BOOK_LIST = """
book mvbook booklet manual collection mvcollection proceedings mvproceedings reference mvreference inbook incollection
"""
BOOKS = frozenset(_BOOK_LIST.split())
"""Entry types that a library's catalogue may hold."""


def askable_doi(reference: Reference) -> str:
    """Return the cited DOI in lower case where it has the form of one and can stand in an address, else nothing.

    An address with ``/../`` in it means another one, and no DOI that was ever given out has that.
    """
    doi = reference.doi.lower()
    return doi if is_doi(doi) and not {".", ".."} & set(doi.split("/")) else ""


def cited_doi(reference: Reference) -> str:
    """Return :func:`askable_doi` where it is not arXiv's, else nothing."""
    doi = askable_doi(reference)
    return "" if doi.startswith(ARXIV_DOI) else doi


def cited_arxiv_id(reference: Reference) -> str:
    """Return the cited arXiv id, also one inside arXiv's DOI, where it has the form of one."""
    return find_arxiv_id(reference.arxiv_id) or find_arxiv_id(
        reference.doi if reference.doi.lower().startswith(ARXIV_DOI) else ""
    )


def is_book(reference: Reference) -> bool:
    """Whether a library's catalogue may hold the work."""
    return reference.entry_type in BOOKS
