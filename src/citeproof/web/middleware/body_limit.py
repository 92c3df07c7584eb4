"""A body that is too large is refused with 413, whether its length was announced or not; one too slow with 408."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from citeproof.web.jobs.limits import MAX_DOCUMENT_BYTES
from citeproof.web.problems import problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 1024 * 1024
BODY_SECONDS = 20.0
"""How long a body may take, from the end of the header."""
DOCUMENT_PATHS = ("/api/verify", "/")
MAX_UPLOAD_BYTES = MAX_DOCUMENT_BYTES + MAX_BODY_BYTES
"""Of a body that holds a document, with what is around it."""
UPLOAD_SECONDS = 120.0
_DRAINED_BYTES = 16 * MAX_BODY_BYTES
"""So much of a refused body is still read, because many clients read the answer only after sending all."""

_TOO_SLOW = "The body did not arrive in time; send it again."
_TOO_LARGE = "The body is larger than 1 MiB; send fewer titles at a time."
_DOCUMENT_TOO_LARGE = f"The document is larger than {MAX_DOCUMENT_BYTES >> 20} MiB; split it, or use citeproof verify."


class BodyLimit:
    """Middleware; hands the application a body that is complete and within the limit."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        upload = scope["path"] in DOCUMENT_PATHS
        most = MAX_UPLOAD_BYTES if upload else MAX_BODY_BYTES
        body = _Body(Headers(scope=scope).get("content-length", ""), most)
        try:
            async with asyncio.timeout(UPLOAD_SECONDS if upload else BODY_SECONDS):
                await body.read(receive)
        except TimeoutError:
            await problem(408, _TOO_SLOW, {"Connection": "close"})(scope, receive, send)
            return
        if body.given_up:  # there is nobody to answer
            return
        if body.refused:
            headers = {} if body.complete else {"Connection": "close"}
            await problem(413, _DOCUMENT_TOO_LARGE if upload else _TOO_LARGE, headers)(scope, receive, send)
            return
        messages = body.messages

        async def replay() -> Message:
            return messages.pop(0) if messages else await receive()

        await self._app(scope, replay, send)


class _Body:
    """A body as it arrives; nothing of one that is too large is kept."""

    def __init__(self, announced: str, most: int) -> None:
        self.messages: list[Message] = []
        self._most = most
        self.refused = announced.isdecimal() and int(announced) > most
        self.complete = False
        self.given_up = False

    async def read(self, receive: Receive) -> None:
        """Read to the end, or as far as a refused body is read."""
        size = 0
        while not (self.complete or self.given_up) and size <= self._most + _DRAINED_BYTES:
            message = await receive()
            self.given_up = message["type"] == "http.disconnect"
            size += len(message.get("body", b""))
            self.complete = not self.given_up and not message.get("more_body", False)
            self.refused = self.refused or size > self._most
            self.messages.append(message)
            if self.refused:
                self.messages.clear()
