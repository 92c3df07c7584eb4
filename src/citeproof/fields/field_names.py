"""What people and programs call the fields of a reference in tables and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES: Mapping[str, tuple[str, ...]] = {
    "key": ("key", "id", "bibtex_key", "citekey", "citation_key", "bibkey"),
    "type": ("type", "entry_type", "entrytype", "bibtex_type", "pub_type", "item_type", "document_type"),
    "title": ("title", "article_title", "document_title", "display_name", "ti"),
    "year": (
        "year", "publication_year", "pubyear", "date", "publication_date", "date_published", "published", "py",
    ),
    "journal": (
        "venue", "journal", "booktitle", "journaltitle", "container_title", "conference", "publication_title",
        "source_title", "publication", "journal_title", "journal_book", "primary_location_source_display_name", "so",
    ),
    "doi": ("doi", "di"),
    "arxivid": ("arxiv_id", "arxivid", "arxiv", "eprint"),
    "pages": ("pages", "page", "pagination"),
    "volume": ("volume", "vl"),
    "number": ("number", "issue", "issue_number"),
    "url": ("url", "link"),
    "publisher": ("publisher",),
    "note": ("note", "notes"),
}  # fmt: skip
"""Field of BibTeX to its names, in lower case with ``_`` for signs and spaces; the first that says something counts.

Among them are those of OpenAlex (``authorships.author.display_name``) and the tags of Web of Science (``TI``)."""
PEOPLE = (
    "authors",
    "author",
    "author_s",
    "author_full_names",
    "creators",
    "authorships_author_display_name",
    "af",
    "au",
)
"""Names of the field of people."""
