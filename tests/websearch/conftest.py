"""Engines whose server is a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from citeproof.net.client import Client
from citeproof.net.service import Access
from citeproof.websearch.registry import ENGINES

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.websearch.engine import Engine


@pytest.fixture
def engine(manual_clock: Any) -> Callable[..., Engine]:
    """Make the engine ``name``, which gets ``content`` for an answer; its requests go to ``requests``."""

    def make(name: str, content: object, status: int = 200, requests: list[httpx2.Request] | None = None) -> Engine:
        def handler(request: httpx2.Request) -> httpx2.Response:
            if requests is not None:
                requests.append(request)
            return httpx2.Response(status, json=content)

        client = Client(manual_clock, transport=httpx2.MockTransport(handler))
        return ENGINES[name](
            client, manual_clock, Access("http://searx.example" if name == "searxng" else "", "s3cret")
        )

    return make
