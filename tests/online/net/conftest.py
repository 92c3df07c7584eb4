"""Fixtures: a service, and a client whose server is a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from citeproof.online.net.client import Client
from citeproof.online.net.service import Service

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def service() -> Service:
    return Service("library", "https://api.library.example/v1")


@pytest.fixture
def client_of(manual_clock: Any) -> Callable[..., Client]:
    """Make a client whose requests ``handler`` handles."""

    def make(handler: Callable[[httpx2.Request], httpx2.Response], **options: Any) -> Client:
        return Client(manual_clock, transport=httpx2.MockTransport(handler), **options)

    return make
