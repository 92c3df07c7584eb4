"""arXiv: preprints of physics, mathematics, computer science and their neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree

from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.coverage import cited_arxiv_id
from citeproof.online.net.service import Kind, Pace, Response, SourceError
from citeproof.online.source import MAX_HITS, Query, Source
from citeproof.readers.works import ATOM, atom_record
from citeproof.text.normalize import normalize_title

_DOCTYPE = re.compile(rb"<!DOCTYPE|<!ENTITY", re.IGNORECASE)


class Arxiv(Source):
    """arXiv's API: look-up by identifier, search by title."""

    name = "arxiv"
    title = "arXiv"
    home = "https://export.arxiv.org"
    redirects = ("arxiv.org",)
    authority = frozenset({MatchKind.ARXIV_ID})
    registers = frozenset({MatchKind.ARXIV_ID})
    accept = "application/atom+xml"
    pace = Pace(1, 3.0, connections=1)
    """One request per three seconds, according to the API's terms of use."""

    def rank(self, reference: Reference) -> int | None:
        """Return the first position if an arXiv identifier is cited; otherwise a late one, because arXiv is slow."""
        return 0 if cited_arxiv_id(reference) else 40

    def queries(self, reference: Reference) -> Iterable[Query]:
        """Look up the newest and the first version, whose titles may differ; then search for the title as a phrase."""
        if arxiv_id := cited_arxiv_id(reference):
            params = {"id_list": f"{arxiv_id},{arxiv_id}v1", "max_results": "2"}
            yield Query(MatchKind.ARXIV_ID, arxiv_id, "/api/query", params, fields=("arxiv_id",))
        if words := normalize_title(reference.title):
            params = {"search_query": f'ti:"{words}"', "max_results": str(MAX_HITS)}
            yield Query(MatchKind.TITLE, words, "/api/query", params)

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the entries of the feed. It lacks unknown identifiers, and for an error its only entry is no work."""
        body = response.data()
        if _DOCTYPE.search(body):
            raise SourceError(Kind.BAD_ANSWER, "a document type in a feed")
        try:
            feed = ElementTree.fromstring(body)  # noqa: S314 - entities need a document type, which is refused above
        except ElementTree.ParseError as error:
            raise SourceError(Kind.BAD_ANSWER, "not XML, or cut off") from error
        if feed.tag != f"{ATOM}feed":
            raise SourceError(Kind.BAD_ANSWER, "not an Atom feed")
        return [atom_record(entry) for entry in feed.iter(f"{ATOM}entry")]
