"""Crossref: the DOI registrar of most publishers of journals, proceedings and books."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import quote

from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.coverage import cited_arxiv_id, cited_doi
from citeproof.online.net.service import Access, Pace, Response
from citeproof.online.source import MAX_HITS, Query, Source
from citeproof.readers.works import crossref_record, is_notice, notices_for_others
from citeproof.text.words import author_and_words

_POLITE = {"work": Pace(10, connections=3), "search": Pace(3, connections=3)}
_PUBLIC = {"work": Pace(5, connections=1), "search": Pace(1, connections=1)}
"""Rate limits since December 2025, with and without a contact address. Single works and searches have separate ones."""


class Crossref(Source):
    """Crossref's REST API: look-up by DOI, search by title, search by author and words."""

    name = "crossref"
    title = "Crossref"
    home = "https://api.crossref.org"
    authority = frozenset({MatchKind.DOI})

    def paces(self, access: Access) -> dict[str, Pace]:
        """Return the higher limits if the user has set a contact address."""
        return _POLITE if access.contact else _PUBLIC

    def rank(self, reference: Reference) -> int | None:
        """Return the first position; a late one for preprints of arXiv, whose DOIs Crossref does not have."""
        return 20 if cited_arxiv_id(reference) and not cited_doi(reference) else 0

    def queries(self, reference: Reference) -> Iterable[Query]:
        """Look up the DOI; search for the title, then for author and words."""
        contact = {"mailto": self._access.contact} if self._access.contact else {}
        if doi := cited_doi(reference):
            path = "/works/" + quote(doi, safe="")
            yield Query(MatchKind.DOI, doi, path, contact, fields=("doi",), group="work")
        rows = {"rows": str(MAX_HITS), **contact}
        if reference.title:
            params = {"query.title": reference.title, **rows}
            yield Query(MatchKind.TITLE, reference.title, "/works", params, group="search")
        if words := author_and_words(reference):
            params = {"query.bibliographic": words, **rows}
            yield Query(MatchKind.TITLE, words, "/works", params, ("authors", "title"), group="search")

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the works. A notice of retraction among the hits becomes a field of the work that it is about."""
        message = response.json_object()["message"]
        if query.kind is MatchKind.DOI:
            record = crossref_record(message)
            aliases = {str(alias).lower() for alias in message.get("aliases") or ()}
            return (replace(record, doi=query.text) if query.text in aliases else record,)
        works = message["items"]
        notices = {doi: fields for work in works for doi, fields in notices_for_others(work).items()}
        records = [crossref_record(work) for work in works if not is_notice(work)]
        return [replace(record, **notices[record.doi]) if record.doi in notices else record for record in records]
