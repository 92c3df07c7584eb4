"""The middlewares that refuse what a client may not do: token, allowed hosts, rate limit, size and time of bodies."""

import asyncio
import hmac
import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from pyrate_limiter import Duration, InMemoryBucket, Rate, RateItem
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citeproof.web.options import MAX_DOCUMENT_BYTES
from citeproof.web.problems import problem

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Host names with which browsers on the same machine address a service on the loopback interface."""
OPEN = ("/", "/status", "/docs", "/openapi.json", "/api/health", "/api/ready")
"""Paths that need no token."""
OPEN_FOLDERS = ("/static/", "/jobs/")
"""Prefixes of paths that need no token. A job's page checks ``scope["authorized"]`` before it shows results."""
SEARCHES = ("/api/search/title", "/api/search/title/batch", "/api/verify", "/api/verify/reference")
"""Paths whose requests count as searches for the rate limit, in addition to the page's forms and the cases of jobs."""
MAX_CLIENTS = 10_000
"""Maximum clients whose rates are stored. Beyond it the least recently seen client is dropped."""

_NO_TOKEN = "This service asks for a bearer token; send it as 'Authorization: Bearer <token>'."  # noqa: S105
_WRONG_HOST = "This service does not answer to the host {}. If a proxy uses this name, start it with --allowed-hosts."
_WRONG_ORIGIN = (
    "This service takes no requests from other web sites. If a proxy serves it, start it with --allowed-hosts."
)
_TOO_OFTEN = "Too many searches from this address; try again in {} seconds."

Check = Callable[[Scope], Response | None]
"""Returns the answer to a request that is refused; None if the request may pass."""


@dataclass
class Guard:
    """A middleware with ``checks``. The first check that refuses a request answers it."""

    app: ASGIApp
    checks: Sequence[Check]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request. Other events of the server are passed on."""
        refusals = (check(scope) for check in self.checks) if scope["type"] == "http" else ()
        await (next(filter(None, refusals), None) or self.app)(scope, receive, send)


def require_token(token: str) -> Check:
    """Return the check for the bearer token. It sets ``scope["authorized"]``, which the open pages read."""
    spellings = [token.encode()]  # some clients encode it in UTF-8, others in Latin-1
    with suppress(UnicodeEncodeError):
        spellings.append(token.encode("latin-1"))

    def check(scope: Scope) -> Response | None:
        scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        right = [hmac.compare_digest(given.encode("latin-1"), spelling) for spelling in spellings]
        scope["authorized"] = scheme.lower() == "bearer" and any(right)
        if scope["authorized"] or scope["path"] in OPEN or scope["path"].startswith(OPEN_FOLDERS):
            return None
        return problem(401, _NO_TOKEN, {"WWW-Authenticate": "Bearer"})

    return check


def require_host(hosts: Collection[str]) -> Check:
    """Return the check against DNS rebinding and cross-site requests, which a foreign web page makes a browser send.

    The name in ``Host`` must be one of ``hosts``. An ``Origin`` must have the same host and port, or a name of
    ``hosts`` that is not a loopback name.
    """
    known = frozenset(host.lower() for host in hosts)

    def check(scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", "").lower(), headers.get("origin", "").lower()
        if _name(f"//{host}") not in known:
            return problem(403, _WRONG_HOST.format(host or "(none)"))
        if origin and origin.partition("://")[2] != host and _name(origin) not in known - LOOPBACK:
            return problem(403, _WRONG_ORIGIN)
        return None

    return check


def allowed_hosts(host: str, token: str, named: Collection[str]) -> frozenset[str]:
    """Return the names that ``Host`` may have at a service that listens at ``host``. An empty result means no check.

    A ``token`` excludes other web sites already. Without one, a service on the loopback interface accepts the loopback
    names and those ``named``. On another interface names are checked only if some are ``named``.
    """
    if token or not (named or _is_loopback(host)):
        return frozenset()
    return LOOPBACK | {name.lower() for name in (host, *named)}


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


def _name(address: str) -> str:
    """Return the host name in ``address``, without the port; empty if there is none."""
    with suppress(ValueError):
        return urlsplit(address).hostname or ""
    return ""


def limit_rate(per_minute: int, clock: Callable[[], float] = time.monotonic) -> Check:
    """Return the check that answers 429 when one client address makes more than ``per_minute`` searches a minute."""
    rate = Rate(per_minute, Duration.MINUTE)
    clients: OrderedDict[str, InMemoryBucket] = OrderedDict()

    def check(scope: Scope) -> Response | None:
        if not _is_search(scope):
            return None
        client = (scope.get("client") or ("",))[0]
        bucket = clients.setdefault(client, InMemoryBucket([rate]))
        clients.move_to_end(client)
        while len(clients) > MAX_CLIENTS:
            clients.popitem(last=False)
        item = RateItem(client, round(1000 * clock()))
        bucket.leak(item.timestamp)
        if bucket.put(item):
            return None
        wait = bucket.waiting(item)
        assert isinstance(wait, int), "a bucket in memory does not wait"
        seconds = str(max(1, math.ceil(wait / 1000)))
        return problem(429, _TOO_OFTEN.format(seconds), {"Retry-After": seconds})

    return check


def _is_search(scope: Scope) -> bool:
    """Return whether the request counts as a search. A request that lacks a required token does not: it is refused."""
    if not scope.get("authorized", True):
        return False
    if scope["path"] == "/":  # the page's own forms
        return scope["method"] == "POST" or bool(scope["query_string"])
    return scope["path"] in SEARCHES or "/cases/" in scope["path"]


MIB = 2**20
DOCUMENT_PATHS = ("/api/verify", "/")
_DRAINED_BYTES = 16 * MIB
"""Maximum bytes that are dropped beyond the limit. Many clients read the answer only after sending the whole body."""
_TOO_SLOW = "The body did not arrive in time; send it again."

PLAIN = (MIB, 20.0, "The body is larger than 1 MiB; send fewer titles at a time.")
"""Limits of a body: maximum bytes, maximum seconds from the end of the header, and the message for a larger body."""
JSON = (4 * MIB, 120.0, "The JSON is larger than 4 MiB; send the document as a file: curl -F file=@refs.bib.")
_LARGE_FILE = f"The document is larger than {MAX_DOCUMENT_BYTES // MIB} MiB; split it, or use citeproof verify."
UPLOAD = (MAX_DOCUMENT_BYTES + MIB, 120.0, _LARGE_FILE)
"""Limits of a form with a document. The form around the document may have a mebibyte."""


@dataclass
class BodyLimit:
    """A middleware that reads the body of a request first. It answers 413 for a large body and 408 for a slow one."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request. Other events of the server are passed on.

        A body that is too large is read to its end, or until it exceeds the limit by :data:`_DRAINED_BYTES`.
        """
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        most, seconds, too_large = limit_of(scope["path"], headers.get("content-type", ""))
        announced = headers.get("content-length", "")
        refused = announced.isdecimal() and int(announced) > most
        size, complete = 0, False
        messages: list[Message] = []
        try:
            async with asyncio.timeout(seconds):
                while not complete and size <= most + _DRAINED_BYTES:
                    messages.append(message := await receive())
                    if message["type"] == "http.disconnect":
                        return
                    size += len(message.get("body", b""))
                    complete = not message.get("more_body", False)
                    refused = refused or size > most
                    if refused:
                        messages.clear()
        except TimeoutError:
            await problem(408, _TOO_SLOW, {"Connection": "close"})(scope, receive, send)
            return

        async def replay() -> Message:
            return messages.pop(0) if messages else await receive()

        answer = problem(413, too_large, {} if complete else {"Connection": "close"}) if refused else self.app
        await answer(scope, replay, send)


def limit_of(path: str, content_type: str) -> tuple[int, float, str]:
    """Return the limits of a body that is sent to ``path``."""
    if path not in DOCUMENT_PATHS:
        return PLAIN
    return UPLOAD if is_form(content_type) else JSON


def is_form(content_type: str) -> bool:
    """Return whether a body of ``content_type`` is a form with a file."""
    return content_type.partition(";")[0].strip().lower() == "multipart/form-data"
