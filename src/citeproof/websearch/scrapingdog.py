"""ScrapingDog: Google Scholar's result pages as data, by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from citeproof.net.pace import Pace
from citeproof.net.service import Service
from citeproof.websearch.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citeproof.net.answer import Answer
    from citeproof.net.service import Access


class ScrapingDog(Engine):
    """Asks ``/google_scholar``; authors, venue and year stand in ``displayed_link`` alone."""

    name: ClassVar[str] = "scrapingdog"
    title: ClassVar[str] = "ScrapingDog (Google Scholar)"

    def service(self, access: Access) -> Service:
        """It bills by the search and states no rate."""
        base = access.base_url or "https://api.scrapingdog.com"
        return Service(self.name, base, {"": Pace(2, connections=2)}, secret_params={"api_key": access.key})

    def request(self, query: str) -> tuple[str, Mapping[str, str]]:
        """One page of hits."""
        return "/google_scholar", {"query": query}

    def hits(self, answer: Answer) -> Iterable[tuple[str, str, str]]:
        """Nothing found is an empty list."""
        for hit in answer.json_object()["scholar_results"]:
            text = f"{hit.get('displayed_link') or ''} {hit.get('snippet') or ''}"
            yield str(hit["title"]), str(hit.get("title_link") or ""), text
