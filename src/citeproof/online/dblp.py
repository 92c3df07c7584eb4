"""DBLP: computer science, curated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from citeproof.models import MatchKind, Record
from citeproof.net.pace import Pace
from citeproof.net.service import Access, Service
from citeproof.online.source import Question, Source
from citeproof.text.entities import resolve_entities
from citeproof.text.identifiers import find_arxiv_id
from citeproof.text.normalize import normalize_title
from citeproof.text.words import author_and_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citeproof.models import Reference
    from citeproof.net.answer import Answer

_HITS = "100"
"""Words are matched as prefixes and hits are not ordered by title, so the work may stand far down."""
_HOMONYM = re.compile(r" \d{4}$")
_TYPES = {
    "Journal Articles": "article",
    "Informal Publications": "article",
    "Informal and Other Publications": "article",
    "Conference and Workshop Papers": "inproceedings",
    "Parts in Books or Collections": "incollection",
    "Books and Theses": "book",
    "Editorship": "proceedings",
    "Reference Works": "incollection",
}


class Dblp(Source):
    """Asks the publication search by title, then by author and words; it has no look-up by DOI."""

    name: ClassVar[str] = "dblp"
    title: ClassVar[str] = "DBLP"
    home: ClassVar[str] = "https://dblp.org"
    redirects: ClassVar[tuple[str, ...]] = ("dblp.uni-trier.de", "dblp.dagstuhl.de")

    def service(self, access: Access) -> Service:
        """One request in two seconds; more leads to a temporary block."""
        return Service(self.name, access.base_url or self.home, {"": Pace(1, 2.0, connections=1)})

    def rank(self, reference: Reference) -> int | None:
        """It is the better answer for papers without a DOI."""
        return 12

    def questions(self, reference: Reference) -> Iterable[Question]:
        """By title, by author and words. Punctuation would be read as operators."""
        if words := normalize_title(reference.title):
            yield self._question(words, ("title",))
        if words := author_and_words(reference):
            yield self._question(words, ("authors", "title"))

    def records(self, answer: Answer, question: Question) -> Sequence[Record]:
        """No hits means no ``hit`` key; one hit may stand alone instead of in a list."""
        hits = answer.json_object()["result"]["hits"]
        return [_record(hit["info"]) for hit in _listed(hits.get("hit"))]

    @staticmethod
    def _question(words: str, fields: tuple[str, ...]) -> Question:
        params = {"q": words, "format": "json", "h": _HITS, "c": "0"}
        return Question(MatchKind.TITLE, words, "/search/publ/api", params, fields)


def _record(info: Mapping[str, Any]) -> Record:
    authors = _listed((info.get("authors") or {}).get("author"))
    links = [str(link) for link in _listed(info.get("ee"))]
    kind = str(info.get("type") or "")
    year = str(info.get("year") or "")
    return Record(
        key=info["key"],
        title=_plain(info["title"]).removesuffix("."),
        authors=tuple(_HOMONYM.sub("", _plain(author)) for author in authors),
        year=int(year) if year.isdigit() else None,
        venue=", ".join(_plain(venue) for venue in _listed(info.get("venue"))),
        pub_type=_TYPES.get(kind, kind),
        doi=str(info.get("doi") or "").lower(),
        arxiv_id=next(filter(None, map(find_arxiv_id, links)), ""),
        pages=str(info.get("pages") or ""),
        volume=str(info.get("volume") or ""),
        number=str(info.get("number") or ""),
        url=str(info.get("url") or ""),
    )


def _listed(value: object) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _plain(value: object) -> str:
    """Return the text of a plain string or of an object with ``text``, without character entities."""
    text = value["text"] if isinstance(value, dict) else value
    return resolve_entities(str(text))
