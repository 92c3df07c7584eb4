"""arXiv: preprints of physics, mathematics, computer science and their neighbours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar
from xml.etree import ElementTree

from citeproof.fields.works.arxiv import ATOM, atom_record
from citeproof.models import MatchKind
from citeproof.net.failure import Kind, SourceError
from citeproof.net.pace import Pace
from citeproof.net.service import Access, Service
from citeproof.online.identifiers import cited_arxiv_id
from citeproof.online.source import HITS, Question, Source
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.models import Record, Reference
    from citeproof.net.answer import Answer

_DOCTYPE = re.compile(rb"<!DOCTYPE|<!ENTITY", re.IGNORECASE)


class Arxiv(Source):
    """Asks for an id, in its newest and its first version, then for a title."""

    name: ClassVar[str] = "arxiv"
    title: ClassVar[str] = "arXiv"
    home: ClassVar[str] = "https://export.arxiv.org"
    redirects: ClassVar[tuple[str, ...]] = ("arxiv.org",)
    states: ClassVar[frozenset[MatchKind]] = frozenset({MatchKind.ARXIV_ID})
    registers: ClassVar[frozenset[MatchKind]] = frozenset({MatchKind.ARXIV_ID})
    accept: ClassVar[str] = "application/atom+xml"

    def service(self, access: Access) -> Service:
        """One request in three seconds over one connection (terms of use of the API)."""
        return Service(self.name, access.base_url or self.home, {"": Pace(1, 3.0, connections=1)})

    def rank(self, reference: Reference) -> int | None:
        """First where an id is cited; for a title alone nearly last, because it is the slowest."""
        return 0 if cited_arxiv_id(reference) else 40

    def questions(self, reference: Reference) -> Iterable[Question]:
        """By id: titles change between versions, and people cite either. Then by title as a phrase."""
        if arxiv_id := cited_arxiv_id(reference):
            params = {"id_list": f"{arxiv_id},{arxiv_id}v1", "max_results": "2"}
            yield Question(MatchKind.ARXIV_ID, arxiv_id, "/api/query", params, fields=("arxiv_id",))
        if words := normalize_title(reference.title):
            params = {"search_query": f'ti:"{words}"', "max_results": str(HITS)}
            yield Question(MatchKind.TITLE, words, "/api/query", params)

    def records(self, answer: Answer, question: Question) -> Sequence[Record]:
        """Unknown ids are left out; an error is a feed with one entry that is no work."""
        body = answer.data()
        if _DOCTYPE.search(body):
            raise SourceError(Kind.BAD_ANSWER, "a document type where a feed has none")
        try:
            feed = ElementTree.fromstring(body)  # noqa: S314 - no entity can be declared without a document type
        except ElementTree.ParseError as error:
            raise SourceError(Kind.BAD_ANSWER, "not XML, or cut off") from error
        if feed.tag != f"{ATOM}feed":
            raise SourceError(Kind.BAD_ANSWER, "not an Atom feed")
        return [atom_record(entry) for entry in feed.iter(f"{ATOM}entry")]
