"""DBLP: a curated bibliography of computer science."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.net.service import Pace, Response
from citeproof.online.source import Query, Source
from citeproof.text.encodings import resolve_entities
from citeproof.text.identifiers import find_arxiv_id
from citeproof.text.normalize import normalize_title
from citeproof.text.words import author_and_words

_HITS = "100"
"""Number of hits requested. DBLP matches prefixes and does not rank by title, so the work may be far down."""
_HOMONYM = re.compile(r" \d{4}$")
"""Regex of the number by which DBLP distinguishes authors of one name: ``Wei Wang 0001``."""
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
    """DBLP's publication search: by title, then by author and words. It has no look-up by DOI."""

    name = "dblp"
    title = "DBLP"
    home = "https://dblp.org"
    redirects = ("dblp.uni-trier.de", "dblp.dagstuhl.de")
    pace = Pace(1, 2.0, connections=1)
    """One request per two seconds, because DBLP temporarily blocks clients that send more."""
    position = 12
    """Its position is before most sources, because DBLP has papers without a DOI."""

    def queries(self, reference: Reference) -> Iterable[Query]:
        """Search for the title, then for author and words, without punctuation, which would be operators."""
        if words := normalize_title(reference.title):
            yield self._query(words, ("title",))
        if words := author_and_words(reference):
            yield self._query(words, ("authors", "title"))

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the hits. Without any there is no key ``hit``, and a single one may be an object instead of a list."""
        hits = response.json_object()["result"]["hits"]
        return [_record(hit["info"]) for hit in _listed(hits.get("hit"))]

    @staticmethod
    def _query(words: str, fields: tuple[str, ...]) -> Query:
        params = {"q": words, "format": "json", "h": _HITS, "c": "0"}
        return Query(MatchKind.TITLE, words, "/search/publ/api", params, fields)


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
    """Return the text of a string or of an object with the key ``text``, with entities resolved."""
    text = value["text"] if isinstance(value, dict) else value
    return resolve_entities(str(text))
