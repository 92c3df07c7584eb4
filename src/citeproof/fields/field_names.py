"""What people and programs call the fields of a reference in tables and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES: Mapping[str, tuple[str, ...]] = {
    "key": ("key", "id", "bibtex_key", "citekey", "citation_key", "bibkey"),
    "type": ("type", "entry_type", "entrytype", "bibtex_type", "pub_type", "item_type", "document_type"),
    "title": ("title", "article_title", "document_title"),
    "year": ("year", "publication_year", "date", "publication_date", "published"),
    "journal": (
        "venue", "journal", "booktitle", "journaltitle", "container_title", "conference", "publication_title",
        "source_title", "publication", "journal_title",
    ),
    "doi": ("doi",),
    "arxivid": ("arxiv_id", "arxivid", "arxiv", "eprint"),
    "pages": ("pages", "page"),
    "volume": ("volume",),
    "number": ("number", "issue"),
    "url": ("url", "link"),
    "publisher": ("publisher",),
    "note": ("note", "notes"),
}  # fmt: skip
"""Field of BibTeX to its names, in lower case with ``_`` for a space; the first that says something counts."""
PEOPLE = ("authors", "author", "author_full_names", "creators")
"""Names of the field of people."""
