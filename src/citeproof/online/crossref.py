"""Crossref: the registry of most publishers' DOIs, journals, proceedings and books."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from citeproof.fields.works.crossref import is_notice, notices_for_others, work_record
from citeproof.models import MatchKind
from citeproof.net.pace import Pace
from citeproof.net.service import Access, Service
from citeproof.online.identifiers import cited_arxiv_id, cited_doi
from citeproof.online.source import HITS, Question, Source
from citeproof.text.words import author_and_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.models import Record, Reference
    from citeproof.net.answer import Answer

_POLITE = {"work": Pace(10, connections=3), "search": Pace(3, connections=3)}
_PUBLIC = {"work": Pace(5, connections=1), "search": Pace(1, connections=1)}
"""Crossref's limits since December 2025: requests a second, for single works and for searches."""


class Crossref(Source):
    """Asks ``/works/{doi}``, then ``/works`` by title, then by author and words."""

    name: ClassVar[str] = "crossref"
    title: ClassVar[str] = "Crossref"
    home: ClassVar[str] = "https://api.crossref.org"

    states: ClassVar[frozenset[MatchKind]] = frozenset({MatchKind.DOI})

    def service(self, access: Access) -> Service:
        """A contact address opens the polite pool."""
        return Service(self.name, access.base_url or self.home, _POLITE if access.contact else _PUBLIC)

    def rank(self, reference: Reference) -> int | None:
        """It knows most works, but not arXiv's own DOIs."""
        return 20 if cited_arxiv_id(reference) and not cited_doi(reference) else 0

    def questions(self, reference: Reference) -> Iterable[Question]:
        """By DOI, by title, by author and words."""
        contact = {"mailto": self._access.contact} if self._access.contact else {}
        if doi := cited_doi(reference):
            path = "/works/" + quote(doi, safe="")
            yield Question(MatchKind.DOI, doi, path, contact, fields=("doi",), lane="work")
        rows = {"rows": str(HITS), **contact}
        if reference.title:
            params = {"query.title": reference.title, **rows}
            yield Question(MatchKind.TITLE, reference.title, "/works", params, lane="search")
        if words := author_and_words(reference):
            params = {"query.bibliographic": words, **rows}
            yield Question(MatchKind.TITLE, words, "/works", params, ("authors", "title"), lane="search")

    def records(self, answer: Answer, question: Question) -> Sequence[Record]:
        """Hits that are notices speak about other hits."""
        message = answer.json_object()["message"]
        if question.about is MatchKind.DOI:
            record = work_record(message)
            known_as = {str(alias).lower() for alias in message.get("aliases") or ()}
            return (replace(record, doi=question.text) if question.text in known_as else record,)
        works = message["items"]
        said = {doi: fields for work in works for doi, fields in notices_for_others(work).items()}
        records = [work_record(work) for work in works if not is_notice(work)]
        return [replace(record, **said[record.doi]) if record.doi in said else record for record in records]
