"""OpenAlex: an open catalogue of works of all fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from citeproof.fields.works.openalex import work_record
from citeproof.models import MatchKind
from citeproof.net.pace import Pace
from citeproof.net.service import Access, Service
from citeproof.online.identifiers import cited_doi
from citeproof.online.source import HITS, Question, Source
from citeproof.text.normalize import normalize_title
from citeproof.text.words import author_and_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.models import Record, Reference
    from citeproof.net.answer import Answer

_FIELDS = "id,doi,ids,title,publication_year,type,authorships,primary_location,locations,biblio,is_retracted"


class OpenAlex(Source):
    """Asks ``/works/doi:...``, which is free, then ``/works`` by title and by words, which costs credits.

    Some of its records carry another work's title, so it is no authority on what a DOI means.
    """

    name: ClassVar[str] = "openalex"
    title: ClassVar[str] = "OpenAlex"
    home: ClassVar[str] = "https://api.openalex.org"
    takes_key: ClassVar[bool] = True

    def service(self, access: Access) -> Service:
        """Ten requests a second; a key carries the daily budget."""
        secret = {"api_key": access.key} if access.key else {}
        return Service(self.name, access.base_url or self.home, {"": Pace(10, connections=4)}, secret_params=secret)

    def rank(self, reference: Reference) -> int | None:
        """With a key it answers anything; without, only DOIs, because ten searches would take a tenth of the day."""
        if self._access.key:
            return 5
        return 15 if cited_doi(reference) else None

    def questions(self, reference: Reference) -> Iterable[Question]:
        """By DOI, by title, by author and words."""
        if doi := cited_doi(reference):
            path = "/works/doi:" + quote(doi, safe="/")
            yield Question(MatchKind.DOI, doi, path, {"select": _FIELDS}, fields=("doi",))
        if not self._access.key:
            return
        page = {"per-page": str(HITS), "select": _FIELDS}
        # Commas and colons have a meaning in filters, so the words go without punctuation.
        if words := normalize_title(reference.title):
            yield Question(MatchKind.TITLE, words, "/works", {"filter": f"title.search:{words}", **page})
        if words := author_and_words(reference):
            yield Question(MatchKind.TITLE, words, "/works", {"search": words, **page}, ("authors", "title"))

    def records(self, answer: Answer, question: Question) -> Sequence[Record]:
        """One work, or a list of them."""
        content = answer.json_object()
        works = [content] if question.about is MatchKind.DOI else content["results"]
        return [work_record(work) for work in works]
