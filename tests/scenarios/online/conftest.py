"""Online sources that are replayed without a network, with a manual clock."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from citeproof.online.sources import SOURCES
from citeproof.settings import load
from citeproof.verification.online_chain import build_client, build_sources
from citeproof.verification.pipeline import Pipeline
from citeproof.verification.strategies.online import ApiStrategy
from citeproof.verification.validator import Validator
from tests.online.transport import Replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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
