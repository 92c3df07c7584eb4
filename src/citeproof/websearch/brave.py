"""Brave Search: an index of its own, by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from citeproof.net.pace import Pace
from citeproof.websearch.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citeproof.net.answer import Answer


class Brave(Engine):
    """Asks ``/res/v1/web/search``."""

    name: ClassVar[str] = "brave"
    title: ClassVar[str] = "Brave Search"
    home: ClassVar[str] = "https://api.search.brave.com"
    pace: ClassVar[Pace] = Pace(1, connections=1)
    """One request a second is the smallest plan's limit."""
    key_header: ClassVar[str] = "X-Subscription-Token"

    def request(self, query: str) -> tuple[str, Mapping[str, str]]:
        """Ten hits."""
        return "/res/v1/web/search", {"q": query, "count": "10"}

    def hits(self, answer: Answer) -> Iterable[tuple[str, str, str]]:
        """Without hits there is no ``web`` key."""
        content = answer.json_object()
        if content["type"] != "search":
            raise ValueError("not a search result")
        for hit in content.get("web", {}).get("results", ()):
            yield str(hit["title"]), str(hit["url"]), f"{hit.get('page_age') or ''} {hit.get('description') or ''}"
