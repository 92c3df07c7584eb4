"""Web search engines.

A query consists of the title in quotation marks and the family name of the first author.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable

from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.net.service import Kind, Pace, Response, SourceError
from citeproof.online.source import MAX_HITS, Query, Source, Subject
from citeproof.text.encodings import resolve_entities
from citeproof.text.identifiers import find_arxiv_id, find_doi
from citeproof.text.normalize import normalize_title
from citeproof.text.queries import family_name
from citeproof.text.similarity import similarity

_TAG = re.compile(r"<[^<>]{1,60}>")
_LABEL = re.compile(r"^(?:\[[A-Z0-9./]{1,20}\]\s*)+", re.IGNORECASE)
"""Regex for labels before the title of a hit, such as ``[PDF]`` or ``[1706.03762]``."""
# regex for a separator between title and website, such as ``|``
_SEPARATORS = re.compile(r"\s+[|\-–—·]\s+|\s*::\s*")
# minimum number of characters of a hit's title that is cut off; shorter titles are not compared
_MIN_TRUNCATED = 40

Hits = Iterable[tuple[str, str, str]]
"""Search hits, each a tuple of title, URL and text."""


def _phrase(reference: Reference) -> str:
    """Return the search query for ``reference``, such as ``"Ribbon tables" winter``. The result is
    empty if the reference has no title.
    """
    title = reference.title.replace('"', " ").strip()
    author = family_name(reference.authors[0]) if reference.authors else ""
    return f'"{title}" {author}'.strip() if reference.title.strip() else ""


PHRASE = Subject(MatchKind.WEB, ("authors", "title"), _phrase)


class Engine(Source):
    """Base class of web search engines."""

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Yield a record for each search hit that has a title and a URL."""
        return (hit_record(*hit) for hit in self.hits(response) if hit[0] and hit[1])

    def candidate(self, reference: Reference, query: Query, record: Record) -> Candidate | None:
        """Return the search hit ``record`` as a candidate. None if the title of the hit is not the
        cited title.
        """
        if not _same_title(reference.title, record.title):
            return None
        score = similarity(normalize_title(reference.title), normalize_title(record.title))
        return Candidate(record, score, MatchKind.WEB, facts=_facts(reference, record))

    @abstractmethod
    def hits(self, response: Response) -> Hits:
        """Return title, URL and text of each search hit in the response."""


class Searxng(Engine):
    """SearXNG on the user's own server. The settings of the server must allow the JSON format."""

    name = "searxng"
    title = "SearXNG"
    pace = Pace(1, connections=2)
    """One request per second, because the engines behind SearXNG block servers that send more."""
    requests = (Query(PHRASE, "/search", {"q": "{}", "format": "json"}),)

    def hits(self, response: Response) -> Hits:
        """Yield the search hits.

        Raises :class:`SourceError` if there are no hits because engines did not respond.
        """
        content = response.json_object()
        if not content["results"] and content.get("unresponsive_engines"):
            raise SourceError(Kind.BAD_ANSWER, "the engines behind it did not respond")
        for hit in content["results"]:
            facts = [
                *(hit.get("authors") or ()),
                hit.get("publishedDate") or "",
                hit.get("content") or "",
            ]
            yield str(hit["title"]), str(hit["url"]), " ".join(map(str, facts))


class SerpApi(Engine):
    """Google Scholar, through the service SerpAPI."""

    name = "serpapi"
    title = "SerpAPI (Google Scholar)"
    home = "https://serpapi.com"
    pace = Pace(2, connections=2)
    """Two requests per second, far below SerpAPI's limit per hour. SerpAPI bills per search."""
    key_param = "api_key"
    requests = (
        Query(PHRASE, "/search.json", {"q": "{}", "engine": "google_scholar", "num": MAX_HITS}),
    )

    def hits(self, response: Response) -> Hits:
        """Yield the search hits.

        The response has the key ``error`` after a failure, but also if there are no hits.
        """
        content = response.json_object()
        if "error" in content:
            if "hasn't returned any results" in content["error"]:
                return
            raise SourceError(Kind.REFUSED, "it reports an error in place of results")
        for hit in content["organic_results"]:
            summary = hit.get("publication_info", {}).get("summary") or ""
            yield (
                str(hit["title"]),
                str(hit.get("link") or ""),
                f"{summary} {hit.get('snippet') or ''}",
            )


class ScrapingDog(Engine):
    """Google Scholar, through the service ScrapingDog.

    The key ``displayed_link`` of a hit has the authors, venue and year.
    """

    name = "scrapingdog"
    title = "ScrapingDog (Google Scholar)"
    home = "https://api.scrapingdog.com"
    # two requests per second; ScrapingDog states no limit and bills per search
    pace = Pace(2, connections=2)
    key_param = "api_key"
    requests = (Query(PHRASE, "/google_scholar", {"query": "{}"}),)

    def hits(self, response: Response) -> Hits:
        """Yield the search hits. If there are no hits, the list in the response is empty."""
        for hit in response.json_object()["scholar_results"]:
            text = f"{hit.get('displayed_link') or ''} {hit.get('snippet') or ''}"
            yield str(hit["title"]), str(hit.get("title_link") or ""), text


class Brave(Engine):
    """The search engine Brave Search."""

    name = "brave"
    title = "Brave Search"
    home = "https://api.search.brave.com"
    pace = Pace(1, connections=1)  # one request per second, the limit of the smallest plan
    key_header = "X-Subscription-Token"
    requests = (Query(PHRASE, "/res/v1/web/search", {"q": "{}", "count": MAX_HITS}),)

    def hits(self, response: Response) -> Hits:
        """Yield the search hits.

        If there are no hits, the response does not have the key ``web``.
        """
        content = response.json_object()
        if content["type"] != "search":
            raise ValueError("not a search result")
        for hit in content.get("web", {}).get("results", ()):
            yield (
                str(hit["title"]),
                str(hit["url"]),
                f"{hit.get('page_age') or ''} {hit.get('description') or ''}",
            )


ENGINES: dict[str, type[Engine]] = {
    engine.name: engine for engine in (Searxng, SerpApi, ScrapingDog, Brave)
}
"""Map from names to classes of search engines, in the order in which the engines are queried."""


def hit_record(title: str, url: str, text: str) -> Record:
    """Return a search hit as a record. The identifiers of the record come from ``url``, and its
    field ``venue`` has the text of the hit.
    """
    name, doi, arxiv_id = _LABEL.sub("", _plain(title)), find_doi(url), find_arxiv_id(url)
    return Record(
        url, name, venue=_plain(text), pub_type="web", doi=doi, arxiv_id=arxiv_id, url=url
    )


def _facts(reference: Reference, record: Record) -> tuple[str, ...]:
    words = normalize_title(record.venue).split()
    text = f" {' '.join(words)} "
    families = filter(None, map(family_name, reference.authors))
    identifiers = ((reference.doi.lower(), record.doi), (reference.arxiv_id, record.arxiv_id))
    facts = {
        "author": any(f" {family} " in text for family in families),
        "year": reference.year is not None and str(reference.year) in words,
        "identifier": any(cited and cited == shown for cited, shown in identifiers),
    }
    return tuple(name for name, agrees in facts.items() if agrees)


def _same_title(cited: str, shown: str) -> bool:
    """Return whether ``shown``, the title of a search hit, is the cited title. It may be cut off,
    or end in the name of a website: ``Counting sheep | Meadows``.
    """
    wanted = normalize_title(cited)
    pieces = [shown, *_SEPARATORS.split(shown)]
    if not wanted or any(normalize_title(piece) == wanted for piece in pieces):
        return bool(wanted)
    truncated = [
        normalize_title(piece) for piece in pieces if piece.rstrip().endswith(("...", "…"))
    ]
    return any(len(piece) >= _MIN_TRUNCATED and wanted.startswith(piece) for piece in truncated)


def _plain(text: str) -> str:
    return " ".join(resolve_entities(_TAG.sub("", text)).split())
