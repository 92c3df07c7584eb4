"""SerpAPI: Google Scholar's result pages as data, by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from citeproof.net.failure import Kind, SourceError
from citeproof.net.pace import Pace
from citeproof.websearch.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citeproof.net.answer import Answer

_NO_RESULTS = "hasn't returned any results"


class SerpApi(Engine):
    """Asks ``/search.json`` with the engine ``google_scholar``."""

    name: ClassVar[str] = "serpapi"
    title: ClassVar[str] = "SerpAPI (Google Scholar)"
    home: ClassVar[str] = "https://serpapi.com"
    pace: ClassVar[Pace] = Pace(2, connections=2)
    """It bills by the search and states no rate; two a second are far below its hourly limit."""
    key_param: ClassVar[str] = "api_key"

    def request(self, query: str) -> tuple[str, Mapping[str, str]]:
        """Ten hits."""
        return "/search.json", {"engine": "google_scholar", "q": query, "num": "10"}

    def hits(self, answer: Answer) -> Iterable[tuple[str, str, str]]:
        """No hits and a spent account both come as an ``error``."""
        content = answer.json_object()
        if "error" in content:
            if _NO_RESULTS in content["error"]:
                return
            raise SourceError(Kind.REFUSED, "it reports an error in place of results")
        for hit in content["organic_results"]:
            summary = hit.get("publication_info", {}).get("summary") or ""
            yield str(hit["title"]), str(hit.get("link") or ""), f"{summary} {hit.get('snippet') or ''}"
