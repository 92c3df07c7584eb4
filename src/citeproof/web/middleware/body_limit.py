"""A body over 1 MiB is refused with 413, whether its length was announced or not; one that is too slow with 408."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from citeproof.web.problems import problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 1024 * 1024
BODY_SECONDS = 20.0
"""How long a body may take, from the end of the header."""
_DRAINED_BYTES = 16 * MAX_BODY_BYTES
"""So much of a refused body is still read, because many clients read the answer only after sending all."""

_TOO_SLOW = "The body did not arrive in time; send it again."
_TOO_LARGE = "The body is larger than 1 MiB; send fewer titles at a time."


class BodyLimit:
    """Middleware; hands the application a body that is complete and within the limit."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        body = _Body(Headers(scope=scope).get("content-length", ""))
        try:
            async with asyncio.timeout(BODY_SECONDS):
                await body.read(receive)
        except TimeoutError:
            await problem(408, _TOO_SLOW, {"Connection": "close"})(scope, receive, send)
            return
        if body.given_up:  # there is nobody to answer
            return
        if body.refused:
            headers = {} if body.complete else {"Connection": "close"}
            await problem(413, _TOO_LARGE, headers)(scope, receive, send)
            return
        messages = body.messages

        async def replay() -> Message:
            return messages.pop(0) if messages else await receive()

        await self._app(scope, replay, send)


class _Body:
    """A body as it arrives; nothing of one that is too large is kept."""

    def __init__(self, announced: str) -> None:
        self.messages: list[Message] = []
        self.refused = announced.isdecimal() and int(announced) > MAX_BODY_BYTES
        self.complete = False
        self.given_up = False

    async def read(self, receive: Receive) -> None:
        """Read to the end, or as far as a refused body is read."""
        size = 0
        while not (self.complete or self.given_up) and size <= _DRAINED_BYTES:
            message = await receive()
            self.given_up = message["type"] == "http.disconnect"
            size += len(message.get("body", b""))
            self.complete = not self.given_up and not message.get("more_body", False)
            self.refused = self.refused or size > MAX_BODY_BYTES
            self.messages.append(message)
            if self.refused:
                self.messages.clear()
