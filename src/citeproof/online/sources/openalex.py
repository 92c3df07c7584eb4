"""OpenAlex: an open catalogue of works of all fields of research."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.coverage import cited_doi
from citeproof.online.net.service import Pace, Response
from citeproof.online.source import MAX_HITS, Query, Source
from citeproof.readers.works import openalex_record
from citeproof.text.normalize import normalize_title
from citeproof.text.words import author_and_words

_FIELDS = "id,doi,ids,title,publication_year,type,authorships,primary_location,locations,biblio,is_retracted"


class OpenAlex(Source):
    """OpenAlex's API: look-up by DOI, which is free, and searches, which cost credits.

    Some of its records have the title of another work, so it is not the authority on DOIs.
    """

    name = "openalex"
    title = "OpenAlex"
    home = "https://api.openalex.org"
    pace = Pace(10, connections=4)
    key_param = "api_key"

    def rank(self, reference: Reference) -> int | None:
        """Return None without a key and a DOI: ten searches use a tenth of the daily credits of a user without key."""
        if self._access.key:
            return 5
        return 15 if cited_doi(reference) else None

    def queries(self, reference: Reference) -> Iterable[Query]:
        """Look up the DOI; with a key, search for the title, then for author and words."""
        if doi := cited_doi(reference):
            path = "/works/doi:" + quote(doi, safe="/")
            yield Query(MatchKind.DOI, doi, path, {"select": _FIELDS}, fields=("doi",))
        if not self._access.key:
            return
        page = {"per-page": str(MAX_HITS), "select": _FIELDS}
        # Commas and colons are operators in filters, so the title is normalised.
        if words := normalize_title(reference.title):
            yield Query(MatchKind.TITLE, words, "/works", {"filter": f"title.search:{words}", **page})
        if words := author_and_words(reference):
            yield Query(MatchKind.TITLE, words, "/works", {"search": words, **page}, ("authors", "title"))

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the work of a look-up, or the works of a search."""
        content = response.json_object()
        works = [content] if query.kind is MatchKind.DOI else content["results"]
        return [openalex_record(work) for work in works]
