"""Counts every answer by its route and status."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from citeproof.web.metrics import Metrics


class CountRequests:
    """Middleware; requests that no route takes share one label, so that a scanner cannot make new ones."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "unknown")
                known = scope["method"] if route != "unknown" else "any"
                self._metrics.request(route, known, message["status"])
            await send(message)

        await self._app(scope, receive, counted)
