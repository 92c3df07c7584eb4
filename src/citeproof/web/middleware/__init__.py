"""The middlewares, which every request passes.

``observe`` gives a request its id, logs it and counts it; ``guard`` refuses what a client may not do; ``body_limit``
reads the body within its limits. They know nothing of look-ups and jobs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class Middleware:
    """Base class. It passes HTTP requests to :meth:`handle`, and other events to the application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or event of the server."""
        await (self.handle if scope["type"] == "http" else self.app)(scope, receive, send)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        raise NotImplementedError
