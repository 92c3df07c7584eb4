"""One structured line a request; never the query, because it may hold a confidential title."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger("citeproof.access")


class AccessLog:
    """Middleware; the line is written when the answer is complete or the connection lost."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            fields = {
                "request_id": scope.get("request_id", ""),
                "client": (scope.get("client") or ("",))[0],
                "method": scope["method"],
                "path": scope["path"],
                "status": status,
                "ms": round(1000 * (time.perf_counter() - started), 2),
            }
            _log.info("request", extra=fields)
