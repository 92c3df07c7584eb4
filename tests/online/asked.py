"""One source whose server returns the responses of a test, and the JSON of common responses."""

from typing import Any

import httpx2

from citeproof.online.net.client import Client
from citeproof.online.net.service import Access
from citeproof.online.sources import SOURCES
from citeproof.verification.validation.identity import is_surely_of
from tests.online.works import TABLES


class Asked:
    """A source whose server returns ``answers`` in order; the last one is repeated."""

    def __init__(
        self, clock: Any, name: str, *answers: Any, key: str = "", contact: str = "", **client: Any
    ) -> None:
        self.requests: list[httpx2.Request] = []
        self._answers = list(answers)
        known = {"api.crossref.org"}
        self.client = Client(
            clock, transport=httpx2.MockTransport(self._handle), known_hosts=known, **client
        )
        self.source = SOURCES[name](
            self.client, clock, Access("", key, contact), is_work=is_surely_of
        )

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, httpx2.Response):
            return answer
        if isinstance(answer, str):
            return httpx2.Response(
                200, text=answer, headers={"content-type": "application/atom+xml"}
            )
        return httpx2.Response(200, json=answer)

    @property
    def paths(self) -> list[str]:
        return [request.url.path for request in self.requests]


def crossref_list(*works: dict[str, Any]) -> dict[str, Any]:
    return {"status": "ok", "message-type": "work-list", "message": {"items": list(works)}}


def crossref_work(**changes: Any) -> dict[str, Any]:
    authors = [{"given": "Ada", "family": "Winter"}, {"name": "The Ribbon Group"}]
    main, _, subtitle = TABLES.title.partition(": ")
    return {
        "DOI": "10.1234/RIBBON.2011",
        "title": [main],
        "subtitle": [subtitle],
        "author": authors,
        **changes,
    }


def openalex_work(**changes: Any) -> dict[str, Any]:
    return {
        "id": "https://openalex.org/W1",
        "doi": f"https://doi.org/{TABLES.doi}",
        "title": TABLES.title,
        "type": "article",
        "publication_year": 2011,
        "authorships": [{"author": {"display_name": "Ada Winter"}}],
        **changes,
    }
