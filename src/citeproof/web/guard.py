"""Middlewares that refuse requests: they check token, host, rate of searches, and size and time of the body."""

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
"""Host names under which browsers on the same machine reach a service."""
OPEN = ("/", "/status", "/docs", "/openapi.json", "/api/health", "/api/ready")
"""Paths that need no token."""
OPEN_FOLDERS = ("/static/", "/jobs/")
"""Prefixes of paths that need no token. A job's page checks ``scope["authorized"]`` before it shows results."""
SEARCHES = ("/api/search/title", "/api/search/title/batch", "/api/verify", "/api/verify/reference")
"""Paths whose requests count as searches for the rate limit, besides forms of the page and cases of jobs."""
MAX_CLIENTS = 10_000
"""Maximum number of clients whose rates are stored. The client that was idle longest is dropped first."""

_NO_TOKEN = "This service asks for a bearer token; send it as 'Authorization: Bearer <token>'."  # noqa: S105
_WRONG_HOST = "This service does not answer to the host {}. If a proxy uses this name, start it with --allowed-hosts."
_WRONG_ORIGIN = (
    "This service takes no requests from other web sites. If a proxy serves it, start it with --allowed-hosts."
)
_TOO_OFTEN = "Too many searches from this address; try again in {} seconds."

Check = Callable[[Scope], Response | None]
"""Function that returns the answer to a request if it refuses the request; None if the request may pass."""


@dataclass
class Guard:
    """A middleware that refuses requests. The first of ``checks`` that refuses a request answers it."""

    app: ASGIApp
    checks: Sequence[Check]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request. Other events of the server are passed on."""
        refusals = (check(scope) for check in self.checks) if scope["type"] == "http" else ()
        await (next(filter(None, refusals), None) or self.app)(scope, receive, send)


def require_token(token: str) -> Check:
    """Return a check of the bearer token. It sets ``scope["authorized"]``, which pages that need no token read."""
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
    """Return a check against DNS rebinding and cross-site requests, which browsers send for foreign web pages.

    The name in the header ``Host`` must be one of ``hosts``. The header ``Origin``, if sent, must have the same host
    and port, or the name of one of ``hosts`` that is not a loopback name.
    """
    known = frozenset(host.lower() for host in hosts)

    def check(scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", "").lower(), headers.get("origin", "").lower()
        if _host_name(f"//{host}") not in known:
            return problem(403, _WRONG_HOST.format(host or "(none)"))
        if origin and origin.partition("://")[2] != host and _host_name(origin) not in known - LOOPBACK:
            return problem(403, _WRONG_ORIGIN)
        return None

    return check


def allowed_hosts(host: str, token: str, named: Collection[str]) -> frozenset[str]:
    """Return the names that the header ``Host`` may have; an empty set if it is not checked.

    With a ``token`` it is not checked, because other web sites do not have the token. Without a token, a service that
    listens at a loopback ``host`` accepts the loopback names and the ``named`` hosts. At another ``host``, the header
    is checked only if hosts are ``named``.
    """
    if token or not (named or _is_loopback(host)):
        return frozenset()
    return LOOPBACK | {name.lower() for name in (host, *named)}


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


def _host_name(address: str) -> str:
    """Return the host name in ``address``, without the port; empty if there is none."""
    with suppress(ValueError):
        return urlsplit(address).hostname or ""
    return ""


def limit_rate(per_minute: int, clock: Callable[[], float] = time.monotonic) -> Check:
    """Return a check that answers 429 if a client address makes more than ``per_minute`` searches in a minute."""
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
    """Return whether a request counts as a search. A request without the required token does not: it is refused."""
    if not scope.get("authorized", True):
        return False
    if scope["path"] == "/":  # the page's own forms
        return scope["method"] == "POST" or bool(scope["query_string"])
    return scope["path"] in SEARCHES or "/cases/" in scope["path"]


MIB = 2**20
DOCUMENT_PATHS = ("/api/verify", "/")
_DRAINED_BYTES = 16 * MIB
"""Maximum number of bytes read beyond the limit, because many clients read no answer before the body is sent."""
_TOO_SLOW = "The body did not arrive in time; send it again."

PLAIN = (MIB, 20.0, "The body is larger than 1 MiB; send fewer titles at a time.")
"""Limits of a body: maximum bytes, maximum seconds after the end of the header, and the message if it is larger."""
JSON = (4 * MIB, 120.0, "The JSON is larger than 4 MiB; send the document as a file: curl -F file=@refs.bib.")
_LARGE_FILE = f"The document is larger than {MAX_DOCUMENT_BYTES // MIB} MiB; split it, or use citeproof verify."
UPLOAD = (MAX_DOCUMENT_BYTES + MIB, 120.0, _LARGE_FILE)
"""Limits of a form with a document. The rest of the form may have a mebibyte."""


@dataclass
class BodyLimit:
    """A middleware that first reads the body of a request. It answers 413 for a large body and 408 for a slow body."""

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
