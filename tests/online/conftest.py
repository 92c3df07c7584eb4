"""A chain of online sources over a replayed world: no network, and a clock that a test moves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2
import pytest

from citeproof.online.registry import SOURCES
from citeproof.online_chain import build_client, build_sources
from citeproof.pipeline import Pipeline
from citeproof.settings import load
from citeproof.strategies.api import ApiStrategy
from citeproof.validation.decide import Validator
from tests.online import replay
from tests.online.asked import Asked
from tests.online.faults import FAULTS, OTHER_WORK
from tests.online.world import Work, World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from citeproof.models import Reference, Verdict

STRANGER = Work(
    "Zymurgical pathways", ("Quincy Zoller",), 1999, "Zoology", doi="10.9999/z", arxiv_id="9901.00001",
    held_by=frozenset(SOURCES),
)  # fmt: skip
HOMES = {urlsplit(source.home).hostname: name for name, source in SOURCES.items()}


class Replay:
    """All sources behind one MockTransport; it counts what each was asked."""

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
        """The source of each request."""
        return [HOMES[request.url.host] for request in self.requests]


def other_work(source: str, path: str, params: Mapping[str, str]) -> replay.Reply:
    """Answer as if :data:`STRANGER` had been asked for."""
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


@pytest.fixture
def ask(manual_clock: Any) -> Any:
    return lambda name, *answers, **options: Asked(manual_clock, name, *answers, **options)


@pytest.fixture(scope="session")
def executor() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


class Online:
    """A pipeline with the API strategy alone, and the replay behind it."""

    def __init__(self, replayed: Replay, pipeline: Pipeline, client: Any) -> None:
        self.replay = replayed
        self.pipeline = pipeline
        self.client = client

    def verify(self, reference: Reference) -> Verdict:
        return self.pipeline.verify(reference)


@pytest.fixture
def online(manual_clock: Any, executor: ThreadPoolExecutor) -> Callable[..., Online]:
    """Make an :class:`Online` over ``world`` with ``faults`` by source."""

    def make(world: World, faults: Mapping[str, str] | None = None, memory: Any = None, **settings: Any) -> Online:
        replayed = Replay(world, faults or {})
        defaults = {"openalex_key": "k1", "semantic_scholar_key": "k2", "contact": "me@example.org"}
        chosen = load(**{**defaults, **settings})
        client = build_client(chosen, manual_clock, httpx2.MockTransport(replayed))
        names = [name for name in SOURCES if name in (chosen.sources or ",".join(SOURCES)).split(",")]
        sources = build_sources(chosen, names, client, manual_clock, memory)
        strategy = ApiStrategy(sources, executor)
        pipeline = Pipeline((strategy,), Validator(today=lambda: date(2026, 11, 20)))
        return Online(replayed, pipeline, client)

    return make
