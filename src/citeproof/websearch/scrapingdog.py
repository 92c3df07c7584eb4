"""ScrapingDog: Google Scholar's result pages as data, by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from citeproof.net.pace import Pace
from citeproof.websearch.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citeproof.net.answer import Answer


class ScrapingDog(Engine):
    """Asks ``/google_scholar``; authors, venue and year stand in ``displayed_link`` alone."""

    name: ClassVar[str] = "scrapingdog"
    title: ClassVar[str] = "ScrapingDog (Google Scholar)"
    home: ClassVar[str] = "https://api.scrapingdog.com"
    pace: ClassVar[Pace] = Pace(2, connections=2)
    """It bills by the search and states no rate."""
    key_param: ClassVar[str] = "api_key"

    def request(self, query: str) -> tuple[str, Mapping[str, str]]:
        """One page of hits."""
        return "/google_scholar", {"query": query}

    def hits(self, answer: Answer) -> Iterable[tuple[str, str, str]]:
        """Nothing found is an empty list."""
        for hit in answer.json_object()["scholar_results"]:
            text = f"{hit.get('displayed_link') or ''} {hit.get('snippet') or ''}"
            yield str(hit["title"]), str(hit.get("title_link") or ""), text
