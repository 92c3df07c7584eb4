"""``X-Request-ID`` on every answer, errors included: the client's own where it is plain, else a new one."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-ID"
_PLAIN = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestId:
    """Middleware; the id is kept in ``scope["request_id"]``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if _PLAIN.fullmatch(given) else secrets.token_hex(8)
        scope["request_id"] = request_id

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        await self._app(scope, receive, marked)
