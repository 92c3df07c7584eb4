"""Open Library: the Internet Archive's catalogue of books."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.net.service import Access, Pace, Response
from citeproof.online.source import MAX_HITS, Query, Source
from citeproof.text.words import author_and_words

_BOOKS = """book mvbook booklet manual collection mvcollection proceedings mvproceedings reference mvreference
inbook incollection"""
_BOOK_TYPES = frozenset(_BOOKS.split())
"""Entry types that a library catalogue may have."""
_FIELDS = "key,title,subtitle,author_name,first_publish_year,publish_year,publisher"


class OpenLibrary(Source):
    """Open Library's search: by title, then by author and words."""

    name = "open_library"
    title = "Open Library"
    home = "https://openlibrary.org"

    def paces(self, access: Access) -> dict[str, Pace]:
        """Return three requests per second with a contact address, otherwise one."""
        return {"": Pace(3 if access.contact else 1, connections=1)}

    def rank(self, reference: Reference) -> int | None:
        """Return None unless a book is cited."""
        return 1 if reference.entry_type in _BOOK_TYPES else None

    def queries(self, reference: Reference) -> Iterable[Query]:
        """Search for the title, then for author and words."""
        rest = {"fields": _FIELDS, "limit": str(MAX_HITS)}
        if reference.title:
            params = {"title": reference.title, **rest}
            yield Query(MatchKind.TITLE, reference.title, "/search.json", params)
        if words := author_and_words(reference):
            yield Query(MatchKind.TITLE, words, "/search.json", {"q": words, **rest}, ("authors", "title"))

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the editions of the hits. Without any the list is empty."""
        return [record for book in response.json_object()["docs"] for record in _records(book)]


def _records(book: Mapping[str, Any]) -> Iterable[Record]:
    """Return one record for each year of an edition, because any edition may be cited."""
    title = str(book["title"])
    if subtitle := book.get("subtitle"):
        title = f"{title}: {subtitle}"
    first = book.get("first_publish_year")
    years = sorted({*(book.get("publish_year") or ()), *((first,) if first else ())}) or [None]
    for year in years:
        yield Record(
            key=book["key"] if year in (None, first) else f"{book['key']}#{year}",
            title=title,
            authors=tuple(book.get("author_name") or ()),
            year=year,
            venue=str((book.get("publisher") or [""])[0]),
            pub_type="book",
            url=f"https://openlibrary.org{book['key']}",
        )
