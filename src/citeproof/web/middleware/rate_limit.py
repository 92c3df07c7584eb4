"""``--rate-limit``: so many searches a minute from one client, then 429 with ``Retry-After``."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from pyrate_limiter import Duration, InMemoryBucket, Rate, RateItem

from citeproof.web.problems import problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

MAX_CLIENTS = 10_000
"""Clients whose requests are remembered; beyond it the one that was quiet longest is forgotten."""

_SEARCHES = ("/api/search/title", "/api/search/title/batch", "/api/verify", "/api/verify/reference")


class RateLimit:
    """Middleware; a client is an address, as uvicorn knows it from the socket or a trusted proxy."""

    def __init__(self, app: ASGIApp, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._rate = Rate(per_minute, Duration.MINUTE)
        self._clock = clock
        self._clients: OrderedDict[str, InMemoryBucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        wait = self._wait(scope) if scope["type"] == "http" and _is_search(scope) else 0
        if not wait:
            await self._app(scope, receive, send)
            return
        seconds = math.ceil(wait / 1000)
        detail = f"Too many searches from this address; try again in {seconds} seconds."
        await problem(429, detail, {"Retry-After": str(seconds)})(scope, receive, send)

    def _wait(self, scope: Scope) -> int:
        """Return how many milliseconds the client has to wait; 0 lets the request pass."""
        client = (scope.get("client") or ("",))[0]
        bucket = self._clients.setdefault(client, InMemoryBucket([self._rate]))
        self._clients.move_to_end(client)
        while len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)
        item = RateItem(client, round(1000 * self._clock()))
        bucket.leak(item.timestamp)
        if bucket.put(item):
            return 0
        wait = bucket.waiting(item)
        return max(1, wait) if isinstance(wait, int) else 0


def _is_search(scope: Scope) -> bool:
    """Say whether the request is one that will search: one without the service's token is refused anyway."""
    if not scope.get("authorized", True):
        return False
    if scope["path"] == "/":  # the page's own forms
        return scope["method"] == "POST" or bool(scope["query_string"])
    return scope["path"] in _SEARCHES
