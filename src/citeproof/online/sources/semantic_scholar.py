"""Semantic Scholar: papers of all fields of research, with their DOIs and arXiv identifiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.coverage import cited_arxiv_id, cited_doi
from citeproof.online.net.service import Access, Pace, Response
from citeproof.online.source import MAX_HITS, Query, Source
from citeproof.text.words import author_and_words

_FIELDS = {"fields": "title,authors,year,venue,externalIds,publicationTypes,journal,url"}
_TYPES = {"JournalArticle": "article", "Conference": "inproceedings", "Book": "book", "BookSection": "incollection"}


class SemanticScholar(Source):
    """The Academic Graph API: look-up by identifier, best match of a title, search by author and words."""

    name = "semantic_scholar"
    title = "Semantic Scholar"
    home = "https://api.semanticscholar.org/graph/v1"
    key_header = "x-api-key"

    def paces(self, access: Access) -> dict[str, Pace]:
        """Return one request per second with a key, and fewer without one, because such clients share a limit."""
        return {"": Pace(1, 1.0 if access.key else 4.0, connections=1)}

    def rank(self, reference: Reference) -> int | None:
        """Return a late position, because the rate limit is low."""
        return 25 if self._access.key else 45

    def queries(self, reference: Reference) -> Iterable[Query]:
        """Look up the DOI or the arXiv identifier; match the title; search for author and words."""
        if doi := cited_doi(reference):
            path = "/paper/DOI:" + quote(doi, safe="/")
            yield Query(MatchKind.DOI, doi, path, _FIELDS, fields=("doi",))
        elif arxiv_id := cited_arxiv_id(reference):
            yield Query(MatchKind.ARXIV_ID, arxiv_id, f"/paper/ARXIV:{arxiv_id}", _FIELDS, fields=("arxiv_id",))
        if reference.title:
            params = {"query": reference.title, **_FIELDS}
            yield Query(MatchKind.TITLE, reference.title, "/paper/search/match", params)
        if words := author_and_words(reference):
            params = {"query": words, "limit": str(MAX_HITS), **_FIELDS}
            yield Query(MatchKind.TITLE, words, "/paper/search", params, ("authors", "title"))

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the works. Without any the list is empty or missing."""
        content = response.json_object()
        if query.kind is not MatchKind.TITLE:
            return (_record(content),)
        if "data" not in content and content["total"] == 0:
            return ()
        return [_record(paper) for paper in content["data"]]

    def not_found(self, response: Response, query: Query) -> None:
        """Accept status 404 for any query: the title match returns it without a match."""


def _record(paper: Mapping[str, Any]) -> Record:
    identifiers = paper.get("externalIds") or {}
    journal = paper.get("journal") or {}
    kinds = [_TYPES[kind] for kind in paper.get("publicationTypes") or () if kind in _TYPES]
    return Record(
        key=paper["paperId"],
        title=paper["title"],
        authors=tuple(author["name"] for author in paper.get("authors") or ()),
        year=paper.get("year"),
        venue=str(paper.get("venue") or journal.get("name") or ""),
        pub_type=kinds[0] if kinds else "",
        doi=str(identifiers.get("DOI") or "").lower(),
        arxiv_id=str(identifiers.get("ArXiv") or ""),
        pages="".join(str(journal.get("pages") or "").split()),
        volume=str(journal.get("volume") or ""),
        url=str(paper.get("url") or ""),
    )
