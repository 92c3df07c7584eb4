"""The middlewares that refuse what a client may not do: token, allowed hosts, rate limit, size and time of bodies.

:class:`SecurityHeaders` restricts what a browser may do with the answers.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from pyrate_limiter import Duration, InMemoryBucket, Rate, RateItem
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citeproof.web.middleware import Middleware
from citeproof.web.options import MAX_DOCUMENT_BYTES
from citeproof.web.problems import problem

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names under which browsers of the same machine reach a service on the loopback interface."""
OPEN = ("/", "/status", "/docs", "/openapi.json", "/api/health", "/api/ready")
"""Addresses that need no token."""
OPEN_FOLDERS = ("/static/", "/jobs/")
"""Folders that need no token. A job's page checks ``scope["authorized"]`` before it shows results."""
SEARCHES = ("/api/search/title", "/api/search/title/batch", "/api/verify", "/api/verify/reference")
"""Addresses that count against the rate limit, beside the forms of the page and the cases of jobs."""
MAX_CLIENTS = 10_000
"""Maximum clients whose rates are stored. Beyond it the least recently seen client is dropped."""
CONTENT_SECURITY_POLICY = "; ".join((
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
))  # fmt: skip
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # "no-referrer" would make browsers send "Origin: null" with the page's own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Headers of every answer that does not set them itself."""

_NO_TOKEN = "This service asks for a bearer token; send it as 'Authorization: Bearer <token>'."  # noqa: S105
_WRONG_HOST = (
    "This service does not answer to the host {host}. If a proxy uses this name, start it with --allowed-hosts."
)
_WRONG_ORIGIN = (
    "This service takes no requests from other web sites. If a proxy serves it, start it with --allowed-hosts."
)


class Token(Middleware):
    """Refuses requests without the bearer token; sets ``scope["authorized"]``, which the open pages read."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        super().__init__(app)
        self._spellings = _spellings(token)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        sent = given.encode("latin-1")
        right = [hmac.compare_digest(sent, spelling) for spelling in self._spellings]
        scope["authorized"] = scheme.lower() == "bearer" and any(right)
        if scope["authorized"] or scope["path"] in OPEN or scope["path"].startswith(OPEN_FOLDERS):
            await self.app(scope, receive, send)
        else:
            await problem(401, _NO_TOKEN, {"WWW-Authenticate": "Bearer"})(scope, receive, send)


def _spellings(token: str) -> list[bytes]:
    """Return the bytes that clients send for ``token``: some encode it in UTF-8, others in Latin-1."""
    spellings = [token.encode()]
    with suppress(UnicodeEncodeError):
        spellings.append(token.encode("latin-1"))
    return spellings


class AllowedHosts(Middleware):
    """Refuses requests that a foreign web page makes a browser send (DNS rebinding and cross-site requests).

    The name in ``Host`` must be one of ``hosts``. An ``Origin`` must have the same host and port, or a name of
    ``hosts`` that is not a loopback name.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        super().__init__(app)
        self._hosts = frozenset(host.lower() for host in hosts)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", "").lower(), headers.get("origin", "").lower()
        if _name(f"//{host}") not in self._hosts:
            await problem(403, _WRONG_HOST.format(host=host or "(none)"))(scope, receive, send)
        elif origin and origin.partition("://")[2] != host and _name(origin) not in self._hosts - LOOPBACK:
            await problem(403, _WRONG_ORIGIN)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def allowed_hosts(host: str, token: str, named: Collection[str]) -> frozenset[str]:
    """Return the names that ``Host`` may have at a service that listens at ``host``; empty for no check.

    A ``token`` excludes other web sites already. Without one, a service on the loopback interface accepts the loopback
    names and those ``named``. On another interface the check needs names that are ``named``.
    """
    if token or not (named or is_loopback(host)):
        return frozenset()
    return LOOPBACK | {host.lower()} | {name.lower() for name in named}


def is_loopback(host: str) -> bool:
    """Return whether ``host``, a name or an address, belongs to the loopback interface."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


def _name(address: str) -> str:
    """Return the host name in ``address``, without the port; empty if there is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


class RateLimit(Middleware):
    """Answers 429 with ``Retry-After`` when one client address makes more than ``per_minute`` searches a minute."""

    def __init__(self, app: ASGIApp, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(app)
        self._rate = Rate(per_minute, Duration.MINUTE)
        self._clock = clock
        self._clients: OrderedDict[str, InMemoryBucket] = OrderedDict()

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = self._wait(scope) if _is_search(scope) else 0
        if not wait:
            await self.app(scope, receive, send)
            return
        seconds = math.ceil(wait / 1000)
        detail = f"Too many searches from this address; try again in {seconds} seconds."
        await problem(429, detail, {"Retry-After": str(seconds)})(scope, receive, send)

    def _wait(self, scope: Scope) -> int:
        """Return the milliseconds that the client has to wait; 0 if the request may pass."""
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
    """Return whether the request is a search. Requests without a required token do not count; they are refused."""
    if not scope.get("authorized", True):
        return False
    if scope["path"] == "/":  # the page's own forms
        return scope["method"] == "POST" or bool(scope["query_string"])
    return scope["path"] in SEARCHES or "/cases/" in scope["path"]


class SecurityHeaders(Middleware):
    """Adds :data:`HEADERS` to every answer, except those that a route has set."""

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, guarded)


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

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
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
        self._maximum = most
        self.refused = announced.isdecimal() and int(announced) > most
        self.complete = False
        self.disconnected = False

    async def read(self, receive: Receive) -> None:
        """Read to the end, or until a refused body exceeds the limit by :data:`_DRAINED_BYTES`."""
        size = 0
        while not (self.complete or self.disconnected) and size <= self._maximum + _DRAINED_BYTES:
            message = await receive()
            self.disconnected = message["type"] == "http.disconnect"
            size += len(message.get("body", b""))
            self.complete = not self.disconnected and not message.get("more_body", False)
            self.refused = self.refused or size > self._maximum
            self.messages.append(message)
            if self.refused:
                self.messages.clear()
