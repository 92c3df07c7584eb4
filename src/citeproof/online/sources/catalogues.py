"""Sources with works of many publishers: OpenAlex, Semantic Scholar, DBLP, Europe PMC and Open
Library.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.model.stored import JsonObject
from citeproof.online.coverage import cited_doi
from citeproof.online.net.service import Access, Pace, Response
from citeproof.online.source import (
    ARXIV_ID,
    AUTHOR_AND_WORDS,
    DOI,
    MAX_HITS,
    PLAIN_TITLE,
    TITLE,
    Query,
    Source,
)
from citeproof.online.works import openalex_fields
from citeproof.text.encodings import resolve_entities
from citeproof.text.identifiers import find_arxiv_id
from citeproof.text.queries import distinctive_words, family_name

_SELECTION = (
    "id,doi,ids,title,publication_year,type,authorships,primary_location,locations,biblio,"
    "is_retracted"
)
_PAGE = {"per-page": MAX_HITS, "select": _SELECTION}


class OpenAlex(Source):
    """OpenAlex, a catalogue of works of all fields of research. Looking up a DOI is free, but
    searches cost credits.
    """

    name = "openalex"
    title = "OpenAlex"
    home = "https://api.openalex.org"
    pace = Pace(10, connections=4)
    key_param = "api_key"
    # some records have the title of another work, so OpenAlex has no ``authority`` for DOIs
    requests = (
        Query(DOI, "/works/doi:{}", {"select": _SELECTION}),
        Query(PLAIN_TITLE, "/works", {"filter": "title.search:{}", **_PAGE}),
        Query(AUTHOR_AND_WORDS, "/works", {"search": "{}", **_PAGE}),
    )

    def rank(self, reference: Reference) -> int | None:
        """Return the position in the order of sources. None if there is neither an API key nor a
        cited DOI, because then no query can be sent.
        """
        if self._access.key:
            return 5
        return 15 if cited_doi(reference) else None

    def queries(self, reference: Reference) -> Iterator[Query]:
        """Yield the queries for ``reference``, with searches only if an API key is set."""
        return (
            query for query in super().queries(reference) if self._access.key or not query.is_search
        )

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the work that a DOI identifies, or the works that a search found."""
        content = response.json_object()
        works = [content] if query.kind is MatchKind.DOI else content["results"]
        return [Record(**openalex_fields(work)) for work in works]


_FIELDS = {"fields": "title,authors,year,venue,externalIds,publicationTypes,journal,url"}
_PAPER_TYPES = {
    "JournalArticle": "article",
    "Conference": "inproceedings",
    "Book": "book",
    "BookSection": "incollection",
}


class SemanticScholar(Source):
    """Semantic Scholar: papers of all fields of research, with DOIs and arXiv identifiers."""

    name = "semantic_scholar"
    title = "Semantic Scholar"
    home = "https://api.semanticscholar.org/graph/v1"
    key_header = "x-api-key"
    requests = (
        Query(DOI, "/paper/DOI:{}", _FIELDS),
        Query(ARXIV_ID, "/paper/ARXIV:{}", _FIELDS),
        Query(TITLE, "/paper/search/match", {"query": "{}", **_FIELDS}),
        Query(AUTHOR_AND_WORDS, "/paper/search", {"query": "{}", "limit": MAX_HITS, **_FIELDS}),
    )

    def paces(self, access: Access) -> dict[str, Pace]:
        """Return a rate limit of one request per second with an API key, and of one request in four
        seconds without a key.
        """
        return {"": Pace(1, 1.0 if access.key else 4.0, connections=1)}

    def rank(self, reference: Reference) -> int | None:
        """Return a position after most sources, because the rate limit is low."""
        return 25 if self._access.key else 45

    def not_found(self, response: Response, query: Query) -> None:
        """Accept the status 404 for all queries, because the service sends it if a title search has
        no match.
        """

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the works in the response.

        If no work was found, the list ``data`` in the response is empty or missing.
        """
        content = response.json_object()
        if query.kind is not MatchKind.TITLE:
            return (self._record(content),)
        if "data" not in content and content["total"] == 0:
            return ()
        return map(self._record, content["data"])

    @staticmethod
    def _record(paper: JsonObject) -> Record:
        identifiers, journal = paper.get("externalIds") or {}, paper.get("journal") or {}
        kinds = (_PAPER_TYPES.get(kind) for kind in paper.get("publicationTypes") or ())
        return Record(
            key=paper["paperId"],
            title=paper["title"],
            authors=tuple(author["name"] for author in paper.get("authors") or ()),
            year=paper.get("year"),
            venue=str(paper.get("venue") or journal.get("name") or ""),
            pub_type=next(filter(None, kinds), ""),
            doi=_text(identifiers, "DOI").lower(),
            arxiv_id=_text(identifiers, "ArXiv"),
            pages="".join(_text(journal, "pages").split()),
            volume=_text(journal, "volume"),
            url=_text(paper, "url"),
        )


# regex for the number that DBLP adds to frequent names: ``Wei Wang 0001``
_HOMONYM = re.compile(r" \d{4}$")
_DBLP_TYPES = {
    **dict.fromkeys(
        ("Journal Articles", "Informal Publications", "Informal and Other Publications"), "article"
    ),
    **dict.fromkeys(("Parts in Books or Collections", "Reference Works"), "incollection"),
    "Conference and Workshop Papers": "inproceedings",
    "Books and Theses": "book",
    "Editorship": "proceedings",
}
_HITS = {"q": "{}", "format": "json", "h": "100", "c": "0"}
"""Query parameters that request 100 hits.

DBLP does not sort hits by similarity of the title, so the cited work may come late in the list.
"""


class Dblp(Source):
    """DBLP, a bibliography of computer science. DBLP cannot look up DOIs."""

    name = "dblp"
    title = "DBLP"
    home = "https://dblp.org"
    redirects = ("dblp.uni-trier.de", "dblp.dagstuhl.de")
    pace = Pace(1, 2.0, connections=1)
    """One request per two seconds, because DBLP temporarily blocks clients that send more."""
    position = 12  # before sources that are slower, because DBLP has papers without a DOI
    requests = tuple(
        Query(subject, "/search/publ/api", _HITS) for subject in (PLAIN_TITLE, AUTHOR_AND_WORDS)
    )

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the search hits.

        If there are no hits, the key ``hit`` is missing in the response. If there is one hit, its
        value may be an object instead of a list.
        """
        return [
            self._record(hit["info"])
            for hit in _listed(response.json_object()["result"]["hits"].get("hit"))
        ]

    @staticmethod
    def _record(info: JsonObject) -> Record:
        authors = _listed((info.get("authors") or {}).get("author"))
        links = [str(link) for link in _listed(info.get("ee"))]
        kind = _text(info, "type")
        return Record(
            key=info["key"],
            title=_plain(info["title"]).removesuffix("."),
            authors=tuple(_HOMONYM.sub("", _plain(author)) for author in authors),
            year=_year(info, "year"),
            venue=", ".join(_plain(venue) for venue in _listed(info.get("venue"))),
            pub_type=_DBLP_TYPES.get(kind, kind),
            doi=_text(info, "doi").lower(),
            arxiv_id=next(filter(None, map(find_arxiv_id, links)), ""),
            **{name: _text(info, name) for name in ("pages", "volume", "number", "url")},
        )


_ARTICLE = "https://europepmc.org/article"
_NOTICES = {"Retraction in": "retraction", "Expression of concern in": "concern"}
"""Map from a type of notice in Europe PMC to the field of :class:`Record` that gets the URL of the
notice.
"""
_RESULTS = {"format": "json", "resultType": "core", "pageSize": MAX_HITS}


class EuropePmc(Source):
    """Europe PMC: works of the life sciences, including all of PubMed and preprints."""

    name = "europe_pmc"
    title = "Europe PMC"
    home = "https://www.ebi.ac.uk/europepmc/webservices/rest"
    pace = Pace(5, connections=2)
    """Five requests per second, the usual limit for services of the same institute. Europe PMC
    itself states no limit.
    """
    position = 30  # after most sources that have works of all fields of research
    requests = (
        Query(DOI, "/search", {"query": 'DOI:"{}"', **_RESULTS}),
        Query(PLAIN_TITLE, "/search", {"query": "TITLE:({})", **_RESULTS}),
    )

    def queries(self, reference: Reference) -> Iterator[Query]:
        """Yield the queries for ``reference``. The last query searches for the first author and
        words of the title.
        """
        yield from super().queries(reference)
        author = family_name(reference.authors[0]) if reference.authors else ""
        words = " ".join(distinctive_words(reference.title))
        if author and words:
            search = f'AUTH:"{author}" AND TITLE:({words})'
            yield Query(
                AUTHOR_AND_WORDS, "/search", {"query": search, **_RESULTS}, text=f"{author} {words}"
            )

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the search hits. If there are no hits, the list ``result`` is empty."""
        return map(self._record, response.json_object()["resultList"]["result"])

    @staticmethod
    def _record(result: JsonObject) -> Record:
        info = result.get("journalInfo") or {}
        people = (result.get("authorList") or {}).get("author") or ()
        names = (
            f"{_text(one, 'firstName')} {_text(one, 'lastName')}".strip()
            or _text(one, "fullName")
            or _text(one, "collectiveName")
            for one in people
        )
        corrections = (result.get("commentCorrectionList") or {}).get("commentCorrection") or ()
        return Record(
            key=f"{result['source']}/{result['id']}",
            title=_text(result, "title").removesuffix("."),
            authors=tuple(filter(None, names)),
            year=_year(result, "pubYear"),
            venue=_text(info.get("journal") or {}, "title"),
            pub_type="article",
            doi=_text(result, "doi").lower(),
            pages=_text(result, "pageInfo"),
            volume=_text(info, "volume"),
            number=_text(info, "issue"),
            url=f"{_ARTICLE}/{result['source']}/{result['id']}",
            **{
                _NOTICES[notice["type"]]: f"{_ARTICLE}/{notice['source']}/{notice['id']}"
                for notice in corrections
                if notice.get("type") in _NOTICES
            },
        )


_BOOK_TYPES = frozenset(
    {
        "book",
        "mvbook",
        "booklet",
        "manual",
        "collection",
        "mvcollection",
        "proceedings",
        "mvproceedings",
        "reference",
        "mvreference",
        "inbook",
        "incollection",
    }
)
"""Entry types of works that Open Library may have."""
_BOOKS = {
    "fields": "key,title,subtitle,author_name,first_publish_year,publish_year,publisher",
    "limit": MAX_HITS,
}


class OpenLibrary(Source):
    """Open Library, the Internet Archive's catalogue of books."""

    name = "open_library"
    title = "Open Library"
    home = "https://openlibrary.org"
    position = 1
    requests = (
        Query(TITLE, "/search.json", {"title": "{}", **_BOOKS}),
        Query(AUTHOR_AND_WORDS, "/search.json", {"q": "{}", **_BOOKS}),
    )

    def paces(self, access: Access) -> dict[str, Pace]:
        """Return a rate limit of three requests per second if the user has set a contact address,
        and of one request per second otherwise.
        """
        return {"": Pace(3 if access.contact else 1, connections=1)}

    def rank(self, reference: Reference) -> int | None:
        """Return the position in the order of sources; None if the cited work is not a book."""
        return self.position if reference.entry_type in _BOOK_TYPES else None

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Yield one record for each year in which an edition was published, because any edition may
        be cited.
        """
        for book in response.json_object()["docs"]:
            title, subtitle = str(book["title"]), book.get("subtitle")
            first = book.get("first_publish_year")
            years = sorted({*(book.get("publish_year") or ()), *((first,) if first else ())}) or [
                None
            ]
            for year in years:
                yield Record(
                    key=book["key"] if year in (None, first) else f"{book['key']}#{year}",
                    title=f"{title}: {subtitle}" if subtitle else title,
                    authors=tuple(book.get("author_name") or ()),
                    year=year,
                    venue=str((book.get("publisher") or [""])[0]),
                    pub_type="book",
                    url=f"https://openlibrary.org{book['key']}",
                )


def _text(value: JsonObject, key: str) -> str:
    return str(value.get(key) or "")


def _year(value: JsonObject, key: str) -> int | None:
    year = _text(value, key)
    return int(year) if year.isdigit() else None


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _plain(value: object) -> str:
    """Return the text of a string, or of an object with the key ``text``, with HTML entities
    resolved.
    """
    return resolve_entities(str(value["text"] if isinstance(value, dict) else value))
