"""A transport that replays all sources."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx2

from citeproof.online.sources import SOURCES
from tests.online import replay
from tests.online.faults import FAULTS, OTHER_WORK
from tests.online.world import Work, World

if TYPE_CHECKING:
    from collections.abc import Mapping

STRANGER = Work(
    "Zymurgical pathways",
    ("Quincy Zoller",),
    1999,
    "Zoology",
    doi="10.9999/z",
    arxiv_id="9901.00001",
    held_by=frozenset(SOURCES),
)
HOMES = {urlsplit(source.home).hostname: name for name, source in SOURCES.items()}


class Replay:
    """A handler for MockTransport that replays all sources and keeps their requests."""

    def __init__(self, world: World, faults: Mapping[str, str]) -> None:
        self._world = world
        self._faults = faults
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        source = HOMES[request.url.host]
        path = request.url.path.removeprefix(urlsplit(SOURCES[source].home).path)
        reply = self.reply(source, path, dict(request.url.params))
        return httpx2.Response(reply.status, content=reply.body, headers=reply.headers)

    def reply(self, source: str, path: str, params: Mapping[str, str]) -> replay.Reply:
        fault = self._faults.get(source, "")
        if fault == OTHER_WORK:
            return other_work(source, path, params)
        reply = replay.SOURCES[source](self._world, path, params)
        return FAULTS[fault](reply) if fault else reply

    @property
    def asked(self) -> list[str]:
        """Names of the sources, one per request."""
        return [HOMES[request.url.host] for request in self.requests]


def other_work(source: str, path: str, params: Mapping[str, str]) -> replay.Reply:
    """Return the response with :data:`STRANGER` instead of the requested work."""
    elsewhere = {
        "crossref": ("/works/10.9999%2Fz", {"query.title": "zymurgical", "rows": "9"}),
        "openalex": ("/works/doi:10.9999/z", {"search": "zymurgical", "per-page": "9"}),
        "semantic_scholar": ("/paper/DOI:10.9999/z", {"query": STRANGER.title, "limit": "9"}),
        "dblp": (path, {"q": "zymurgical"}),
        "arxiv": (path, {"id_list": "9901.00001"}),
        "doi_org": ("/10.9999/z", {}),
        "europe_pmc": (path, {"query": "zymurgical", "pageSize": "9"}),
        "open_library": (path, {"title": "zymurgical", "limit": "9"}),
    }
    by_identifier, wanted = elsewhere[source]
    searching = path in {"/works", "/paper/search", "/paper/search/match"}
    return replay.SOURCES[source](World((STRANGER,)), path if searching else by_identifier, wanted)
