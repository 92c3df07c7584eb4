"""A body over 1 MiB is refused with 413, whether its length was announced or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from citeproof.web.problems import problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 1024 * 1024
_DRAINED_BYTES = 16 * MAX_BODY_BYTES
"""So much of a refused body is still read, because many clients read the answer only after sending all."""

_DETAIL = "The body is larger than 1 MiB; send fewer titles at a time."


class BodyLimit:
    """Middleware; hands the application a body that is complete and within the limit."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        refused = announced.isdecimal() and int(announced) > MAX_BODY_BYTES
        size, more = 0, True
        messages: list[Message] = []
        while more and size <= _DRAINED_BYTES:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            more = bool(message.get("more_body", False))
            refused = refused or size > MAX_BODY_BYTES
            if refused:
                messages.clear()
        if refused:
            headers = {"Connection": "close"} if more else {}
            await problem(413, _DETAIL, headers)(scope, receive, send)
            return

        async def replay() -> Message:
            return messages.pop(0) if messages else await receive()

        await self._app(scope, replay, send)
