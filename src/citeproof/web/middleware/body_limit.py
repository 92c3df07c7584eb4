"""Limits on the size and the time of request bodies."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import Headers

from citeproof.web.middleware import Middleware
from citeproof.web.options import MAX_DOCUMENT_BYTES
from citeproof.web.problems import problem

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

MIB = 2**20
"""Bytes of a mebibyte."""
DOCUMENT_PATHS = ("/api/verify", "/")
"""Addresses that accept documents."""
_DRAINED_BYTES = 16 * MIB
"""Maximum bytes read beyond the limit. Many clients read the answer only after sending the whole body."""
_TOO_SLOW = "The body did not arrive in time; send it again."


class Limit(NamedTuple):
    """Limits of a body."""

    size: int
    """Maximum bytes."""
    seconds: float
    """Maximum time from the end of the header to the end of the body."""
    too_large: str
    """Message to a client that sends more."""


PLAIN = Limit(MIB, 20.0, "The body is larger than 1 MiB; send fewer titles at a time.")
JSON = Limit(4 * MIB, 120.0, "The JSON is larger than 4 MiB; send the document as a file: curl -F file=@refs.bib.")
UPLOAD = Limit(
    MAX_DOCUMENT_BYTES + MIB,  # the form around the document
    120.0,
    f"The document is larger than {MAX_DOCUMENT_BYTES // MIB} MiB; split it, or use citeproof verify.",
)


class BodyLimit(Middleware):
    """Reads the body before the application is called. Answers 413 if it is too large, and 408 if it is too slow."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        limit = limit_of(scope["path"], headers.get("content-type", ""))
        body = _Body(headers.get("content-length", ""), limit.size)
        try:
            async with asyncio.timeout(limit.seconds):
                await body.read(receive)
        except TimeoutError:
            await problem(408, _TOO_SLOW, {"Connection": "close"})(scope, receive, send)
            return
        if body.disconnected:
            return
        if body.refused:
            closing = {} if body.complete else {"Connection": "close"}
            await problem(413, limit.too_large, closing)(scope, receive, send)
            return
        messages = body.messages

        async def replay() -> Message:
            return messages.pop(0) if messages else await receive()

        await self.app(scope, replay, send)


def limit_of(path: str, content_type: str) -> Limit:
    """Return the limit of a body that is sent to ``path``."""
    if path not in DOCUMENT_PATHS:
        return PLAIN
    return UPLOAD if is_form(content_type) else JSON


def is_form(content_type: str) -> bool:
    """Return whether a body of ``content_type`` is a form with a file."""
    return content_type.partition(";")[0].strip().lower() == "multipart/form-data"


class _Body:
    """A body that is being received. A body that is too large is read and not stored."""

    def __init__(self, announced: str, most: int) -> None:
        self.messages: list[Message] = []
        self._most = most
        self.refused = announced.isdecimal() and int(announced) > most
        self.complete = False
        self.disconnected = False

    async def read(self, receive: Receive) -> None:
        """Read to the end, or until a refused body exceeds the limit by :data:`_DRAINED_BYTES`."""
        size = 0
        while not (self.complete or self.disconnected) and size <= self._most + _DRAINED_BYTES:
            message = await receive()
            self.disconnected = message["type"] == "http.disconnect"
            size += len(message.get("body", b""))
            self.complete = not self.disconnected and not message.get("more_body", False)
            self.refused = self.refused or size > self._most
            self.messages.append(message)
            if self.refused:
                self.messages.clear()
