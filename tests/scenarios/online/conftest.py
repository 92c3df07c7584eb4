"""Online sources that are replayed without a network, with a manual clock."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from citeproof.online.net.service import Clock
from citeproof.online.sources import SOURCES
from citeproof.settings import load
from citeproof.verification.online_chain import build_client, build_sources
from citeproof.verification.pipeline import Pipeline
from citeproof.verification.strategies.online import ApiStrategy
from citeproof.verification.validator import Validator
from tests.online.server import Served, serve
from tests.online.transport import Replay
from tests.online.works import WORLD
from tests.scenarios.online.here import Here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from citeproof.model.reference import Reference
    from citeproof.model.verdict import Verdict
    from tests.online.world import World


@pytest.fixture(scope="session")
def executor() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


class Online:
    """A pipeline with only the API strategy, and the replay of its sources."""

    def __init__(self, replayed: Replay, pipeline: Pipeline, client: Any) -> None:
        self.replay = replayed
        self.pipeline = pipeline
        self.client = client

    def verify(self, reference: Reference) -> Verdict:
        return self.pipeline.verify(reference)


@pytest.fixture
def online(manual_clock: Any, executor: ThreadPoolExecutor) -> Callable[..., Online]:
    """Make an :class:`Online` over ``world`` with ``faults`` by source."""

    def make(
        world: World, faults: Mapping[str, str] | None = None, memory: Any = None, **settings: Any
    ) -> Online:
        replayed = Replay(world, faults or {})
        defaults = {"openalex_key": "k1", "semantic_scholar_key": "k2", "contact": "me@example.org"}
        chosen = load(**{**defaults, **settings})
        client = build_client(chosen, manual_clock, httpx2.MockTransport(replayed))
        names = [
            name for name in SOURCES if name in (chosen.sources or ",".join(SOURCES)).split(",")
        ]
        sources = build_sources(chosen, names, client, manual_clock, memory)
        strategy = ApiStrategy(sources, executor)
        pipeline = Pipeline((strategy,), Validator(today=lambda: date(2026, 11, 20)))
        return Online(replayed, pipeline, client)

    return make


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serve(WORLD) as served:
        yield served


@pytest.fixture
def here(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path
) -> Here:
    for name in [name for name in os.environ if name.startswith(("CITEPROOF_", "XDG_"))]:
        monkeypatch.delenv(name)
    for name, value in {
        "HOME": home,
        "COLUMNS": 80,
        "CITEPROOF_SAMPLE": "landmarks",
        "CITEPROOF_CACHE": tmp_path / "verified.db",
    }.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Clock, "sleep", lambda self, seconds: None)
    return Here(monkeypatch, capsys)


@pytest.fixture
def replayed(here: Here, server: Served) -> Here:
    """Replay Crossref and OpenAlex."""
    here.patch.setenv("CITEPROOF_SOURCE_URLS", json.dumps(server.urls("crossref", "openalex")))
    here.patch.setenv("CITEPROOF_SOURCES", "crossref,openalex")
    here.patch.setenv("CITEPROOF_OPENALEX_KEY", "s3cret")
    here.patch.setenv("CITEPROOF_CONTACT", "me@example.org")
    return here
