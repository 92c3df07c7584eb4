"""SearXNG: a metasearch engine that people run themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from citeproof.net.failure import Kind, SourceError
from citeproof.net.pace import Pace
from citeproof.websearch.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citeproof.net.answer import Answer


class Searxng(Engine):
    """Asks ``/search`` with the JSON format, which its settings must allow."""

    name: ClassVar[str] = "searxng"
    title: ClassVar[str] = "SearXNG"
    pace: ClassVar[Pace] = Pace(1, connections=2)
    """One request a second: the engines behind it block instances that ask faster."""

    def request(self, query: str) -> tuple[str, Mapping[str, str]]:
        """All categories."""
        return "/search", {"q": query, "format": "json"}

    def hits(self, answer: Answer) -> Iterable[tuple[str, str, str]]:
        """No hits while engines did not respond means nothing."""
        content = answer.json_object()
        if not content["results"] and content.get("unresponsive_engines"):
            raise SourceError(Kind.BAD_ANSWER, "the engines behind it did not respond")
        for hit in content["results"]:
            facts = [*(hit.get("authors") or ()), hit.get("publishedDate") or "", hit.get("content") or ""]
            yield str(hit["title"]), str(hit["url"]), " ".join(map(str, facts))
