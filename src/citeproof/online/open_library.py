"""Open Library: books, by the Internet Archive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from citeproof.models import MatchKind, Record
from citeproof.net.pace import Pace
from citeproof.net.service import Access, Service
from citeproof.online.identifiers import is_book
from citeproof.online.source import HITS, Question, Source
from citeproof.text.words import author_and_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citeproof.models import Reference
    from citeproof.net.answer import Answer

_FIELDS = "key,title,subtitle,author_name,first_publish_year,publish_year,publisher"


class OpenLibrary(Source):
    """Asks the search by title, then by author and words."""

    name: ClassVar[str] = "open_library"
    title: ClassVar[str] = "Open Library"
    home: ClassVar[str] = "https://openlibrary.org"

    def service(self, access: Access) -> Service:
        """Three a second for a client that names a contact, one for others."""
        return Service(self.name, access.base_url or self.home, {"": Pace(3 if access.contact else 1, connections=1)})

    def rank(self, reference: Reference) -> int | None:
        """Books only."""
        return 1 if is_book(reference) else None

    def questions(self, reference: Reference) -> Iterable[Question]:
        """By title, by author and words."""
        rest = {"fields": _FIELDS, "limit": str(HITS)}
        if reference.title:
            params = {"title": reference.title, **rest}
            yield Question(MatchKind.TITLE, reference.title, "/search.json", params)
        if words := author_and_words(reference):
            yield Question(MatchKind.TITLE, words, "/search.json", {"q": words, **rest}, ("authors", "title"))

    def records(self, answer: Answer, question: Question) -> Sequence[Record]:
        """Nothing found is an empty list."""
        return [record for book in answer.json_object()["docs"] for record in _records(book)]


def _records(book: Mapping[str, Any]) -> Iterable[Record]:
    """Return one record for each year in which an edition came out: an author cites the edition at hand."""
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
