"""Fixtures: a source or a search engine with the responses of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from citeproof.online.net.client import Client
from citeproof.online.net.service import Access
from citeproof.online.search_engines import ENGINES
from tests.online.asked import Asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.online.search_engines import Engine


@pytest.fixture
def ask(manual_clock: Any) -> Any:
    return lambda name, *answers, **options: Asked(manual_clock, name, *answers, **options)


@pytest.fixture
def engine(manual_clock: Any) -> Callable[..., Engine]:
    """Make the engine ``name``, whose server returns ``content``; requests are appended to
    ``requests``.
    """

    def make(
        name: str, content: object, status: int = 200, requests: list[httpx2.Request] | None = None
    ) -> Engine:
        def handler(request: httpx2.Request) -> httpx2.Response:
            if requests is not None:
                requests.append(request)
            return httpx2.Response(status, json=content)

        client = Client(manual_clock, transport=httpx2.MockTransport(handler))
        return ENGINES[name](
            client,
            manual_clock,
            Access("http://searx.example" if name == "searxng" else "", "s3cret"),
        )

    return make
