"""Semantic Scholar: papers of all fields, with arXiv and DBLP identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote

from citeproof.models import MatchKind, Record
from citeproof.net.pace import Pace
from citeproof.net.service import Access, Service
from citeproof.online.identifiers import cited_arxiv_id, cited_doi
from citeproof.online.source import HITS, Question, Source
from citeproof.text.words import author_and_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citeproof.models import Reference
    from citeproof.net.answer import Answer

_FIELDS = {"fields": "title,authors,year,venue,externalIds,publicationTypes,journal,url"}
_TYPES = {"JournalArticle": "article", "Conference": "inproceedings", "Book": "book", "BookSection": "incollection"}


class SemanticScholar(Source):
    """Asks ``/paper/DOI:...`` or ``/paper/ARXIV:...``, then the title match, then the search by words."""

    name: ClassVar[str] = "semantic_scholar"
    title: ClassVar[str] = "Semantic Scholar"
    home: ClassVar[str] = "https://api.semanticscholar.org/graph/v1"
    takes_key: ClassVar[bool] = True

    def service(self, access: Access) -> Service:
        """One request a second with a key; without, all callers of the world share one allowance."""
        pace = Pace(1, 1.0, connections=1) if access.key else Pace(1, 4.0, connections=1)
        headers = {"x-api-key": access.key} if access.key else {}
        return Service(self.name, access.base_url or self.home, {"": pace}, secret_headers=headers)

    def rank(self, reference: Reference) -> int | None:
        """Late, because it is slow."""
        return 25 if self._access.key else 45

    def questions(self, reference: Reference) -> Iterable[Question]:
        """By identifier, by title match, by author and words."""
        if doi := cited_doi(reference):
            path = "/paper/DOI:" + quote(doi, safe="/")
            yield Question(MatchKind.DOI, doi, path, _FIELDS, fields=("doi",))
        elif arxiv_id := cited_arxiv_id(reference):
            yield Question(MatchKind.ARXIV_ID, arxiv_id, f"/paper/ARXIV:{arxiv_id}", _FIELDS, fields=("arxiv_id",))
        if reference.title:
            params = {"query": reference.title, **_FIELDS}
            yield Question(MatchKind.TITLE, reference.title, "/paper/search/match", params)
        if words := author_and_words(reference):
            params = {"query": words, "limit": str(HITS), **_FIELDS}
            yield Question(MatchKind.TITLE, words, "/paper/search", params, ("authors", "title"))

    def records(self, answer: Answer, question: Question) -> Sequence[Record]:
        """Nothing found is an empty list, or no list at all."""
        content = answer.json_object()
        if question.about is not MatchKind.TITLE:
            return (_record(content),)
        if "data" not in content and content["total"] == 0:
            return ()
        return [_record(paper) for paper in content["data"]]

    def missing(self, answer: Answer, question: Question) -> None:
        """Its title match answers 404 where it finds nothing."""


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
