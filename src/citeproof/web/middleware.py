"""ASGI middlewares. One logs and counts requests. The others refuse requests because of their
token, host, rate or size.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
import math
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pyrate_limiter import Duration, InMemoryBucket, Rate, RateItem
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citeproof.web.logs import log, places
from citeproof.web.options import MAX_DOCUMENT_BYTES
from citeproof.web.problems import problem

if TYPE_CHECKING:
    from citeproof.web.backend import Metrics

REQUEST_ID = "X-Request-ID"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""HTTP methods for which requests are counted separately.

All other methods are counted as ``other``.
"""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # "no-referrer" would make browsers send "Origin: null" with the page's own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Map from the name of a security header to the value that is added to responses without this
header.
"""
_STOPPED = "The service was stopped before this request was done; send it again."
_PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

_access = logging.getLogger("citeproof.access")


@dataclass
class Observation:
    """Middleware that gives each request an id, logs and counts the response, and adds
    :data:`HEADERS` to the response.

    The id is the client's header ``X-Request-ID`` if that is valid, otherwise random. Responses are
    counted by route, method and status; all unknown paths are counted as one route. After an
    unexpected error, the answer is 500, or the connection is closed if the answer has begun. The
    access log omits URL queries, which may quote titles.
    """

    app: ASGIApp
    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request. Other ASGI events are passed on unchanged."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID, "")
        scope["request_id"] = given if _PLAIN_ID.fullmatch(given) else secrets.token_hex(8)
        started, status = time.perf_counter(), 0

        async def observed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                route = getattr(scope.get("route"), "path", "unknown")
                method = (
                    scope["method"]
                    if route != "unknown" and scope["method"] in METHODS
                    else "other"
                )
                self.metrics.requests.labels(route, method, status).inc()
                headers = MutableHeaders(scope=message)
                headers[REQUEST_ID] = scope["request_id"]
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self.app(scope, receive, observed)
        # the service is stopping, and the time for running requests is over
        except asyncio.CancelledError:
            if not status:
                answer = problem(503, _STOPPED, {"Connection": "close"})
                await answer(scope, receive, observed)
            raise
        except Exception as error:
            log_failure(scope, error)
            if status:
                raise
            answer = problem(
                500,
                "The service failed on this request; the log has the cause under the request id.",
            )
            await answer(scope, receive, observed)
        finally:
            client, milliseconds = (
                (scope.get("client") or ("",))[0],
                round(1000 * (time.perf_counter() - started), 2),
            )
            fields = {
                "request_id": scope["request_id"],
                "client": client,
                "method": scope["method"],
            }
            _access.info(
                "request",
                extra=fields | {"path": scope["path"], "status": status, "ms": milliseconds},
            )


def log_failure(scope: Scope, error: BaseException) -> None:
    """Log the type of ``error`` and where it was raised.

    The message of ``error`` is left out, because it may quote a confidential title.
    """
    frames = places(error)
    extra = {"request_id": scope.get("request_id", ""), "trace": frames}
    log.error("%s at %s", type(error).__name__, frames[-1] if frames else "?", extra=extra)


# host names and addresses of the local machine
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
# paths that need no token
_OPEN = ("/", "/status", "/docs", "/openapi.json", "/api/health", "/api/ready")
# prefixes of paths that need no token; job pages check the token themselves
_OPEN_FOLDERS = ("/static/", "/jobs/")
_SEARCHES = ("/api/search/title", "/api/search/title/batch", "/api/verify", "/api/verify/reference")
"""Paths that count as searches for the rate limit.

Requests to the search page and to ``/api/jobs/{id}/cases/`` are counted too.
"""
# maximum number of clients whose rates are stored; the longest idle client is dropped first
_MAX_CLIENTS = 10_000
_UNAUTHORIZED = "This service asks for a bearer token; send it as 'Authorization: Bearer <token>'."
_WRONG_HOST = (
    "This service does not accept requests for the host {}. If a proxy uses this name, "
    "start the service with --allowed-hosts."
)
_WRONG_ORIGIN = (
    "This service accepts no requests from other web sites. If it is behind a proxy, start "
    "the service with --allowed-hosts."
)

# suffixes of the ``Sec-Fetch-`` headers, by which a browser states the origin and purpose of a
# request
_FETCH = ("site", "mode", "dest")

Check = Callable[[Scope], Response | None]
"""Function that checks a request.

It returns an error response to refuse the request, or None to let it pass.
"""


@dataclass
class Guard:
    """Middleware that runs ``checks`` on each request. The first check that returns a response
    refuses the request.
    """

    app: ASGIApp
    checks: Sequence[Check]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request. Other ASGI events are passed on unchanged."""
        refusals = (check(scope) for check in self.checks) if scope["type"] == "http" else ()
        await (next(filter(None, refusals), None) or self.app)(scope, receive, send)


def require_token(token: str) -> Check:
    """Return a check that answers 401 if a request lacks the bearer ``token``.

    Some paths, such as ``/docs``, need no token.

    The check also sets ``scope["authorized"]``, for all paths: true if the token was right.
    """
    spellings = [token.encode()]  # some clients encode the token in UTF-8, and some in Latin-1
    with suppress(UnicodeEncodeError):
        spellings.append(token.encode("latin-1"))

    def check(scope: Scope) -> Response | None:
        scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        right = [hmac.compare_digest(given.encode("latin-1"), spelling) for spelling in spellings]
        scope["authorized"] = scheme.lower() == "bearer" and any(right)
        if scope["authorized"] or scope["path"] in _OPEN or scope["path"].startswith(_OPEN_FOLDERS):
            return None
        return problem(401, _UNAUTHORIZED, {"WWW-Authenticate": "Bearer"})

    return check


def require_host(hosts: Collection[str]) -> Check:
    """Return a check that answers 403 to requests that another web site made a browser send, for
    example by DNS rebinding.

    The header ``Host`` must name one of ``hosts``. If there is a header ``Origin``, it must name
    the same host and port as ``Host``, or one of ``hosts`` that is not the local machine.
    """
    known = frozenset(host.lower() for host in hosts)

    def check(scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", "").lower(), headers.get("origin", "").lower()
        if _host_name(f"//{host}") not in known:
            return problem(403, _WRONG_HOST.format(host or "(none)"))
        if (
            origin
            and origin.partition("://")[2] != host
            and _host_name(origin) not in known - _LOOPBACK
        ):
            return problem(403, _WRONG_ORIGIN)
        return None

    return check


def refuse_embedding(scope: Scope) -> Response | None:
    """Answer 403 if another web site makes a browser send a request that is not a visible page,
    such as a request for an image.

    Such a request to ``GET /?title=`` would look up and record a title. It has no header
    ``Origin``, so :func:`require_host` lets it pass. Links that a person follows are allowed.
    Requests with a header ``Origin`` are checked by :func:`require_host`. Programs other than
    browsers do not send the ``Sec-Fetch-`` headers, so their requests pass.
    """
    headers = Headers(scope=scope)
    site, mode, shown_as = (headers.get(f"sec-fetch-{name}", "") for name in _FETCH)
    is_own = site in {"", "same-origin", "none"}
    if is_own or "origin" in headers or (mode, shown_as) == ("navigate", "document"):
        return None
    return problem(403, _WRONG_ORIGIN)


def allowed_hosts(host: str, token: str, named: Collection[str]) -> frozenset[str]:
    """Return the values that the header ``Host`` may have, in lower case, or an empty set if it may
    have any value.

    ``host`` is the address at which the server listens, and ``named`` are further host names that
    the user allows. The set is empty if requests need a ``token``. It is also empty if ``host`` is
    not a loopback address and ``named`` is empty.
    """
    if token or not (named or is_loopback(host)):
        return frozenset()
    return _LOOPBACK | {name.lower() for name in (host, *named)}


def is_loopback(host: str) -> bool:
    """Return whether a server that listens at ``host`` can be reached only from this machine."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


def _host_name(address: str) -> str:
    """Return the host name in the URL ``address``, without the port; empty if the URL has no
    host.
    """
    with suppress(ValueError):
        return urlsplit(address).hostname or ""
    return ""


def limit_rate(per_minute: int, clock: Callable[[], float] = time.monotonic) -> Check:
    """Return a check that answers 429 if a client address makes more than ``per_minute`` searches
    in a minute.
    """
    rate = Rate(per_minute, Duration.MINUTE)
    clients: OrderedDict[str, InMemoryBucket] = OrderedDict()

    def check(scope: Scope) -> Response | None:
        if not _is_search(scope):
            return None
        client = (scope.get("client") or ("",))[0]
        bucket = clients.setdefault(client, InMemoryBucket([rate]))
        clients.move_to_end(client)
        while len(clients) > _MAX_CLIENTS:
            clients.popitem(last=False)
        item = RateItem(client, round(1000 * clock()))
        bucket.leak(item.timestamp)
        if bucket.put(item):
            return None
        wait = bucket.waiting(item)
        assert isinstance(wait, int), "a bucket in memory does not wait"
        seconds = str(max(1, math.ceil(wait / 1000)))
        said = f"Too many searches from this address; try again in {seconds} seconds."
        return problem(429, said, {"Retry-After": seconds})

    return check


def _is_search(scope: Scope) -> bool:
    """Return whether a request counts towards the rate limit.

    Requests with a missing or wrong token are not counted.
    """
    if not scope.get("authorized", True):
        return False
    if scope["path"] == "/":  # the page's own forms
        return scope["method"] == "POST" or bool(scope["query_string"])
    return scope["path"] in _SEARCHES or "/cases/" in scope["path"]


MIB = 2**20
# maximum number of bytes that are read and dropped beyond the limit, because many clients read the
# answer only after they have sent the whole body
_DRAINED_BYTES = 16 * MIB
PLAIN = (MIB, 20.0, "The body is larger than 1 MiB; send fewer titles at a time.")
"""Limits of an ordinary request body: maximum number of bytes, maximum seconds for receiving it,
and the error message for a larger body.
"""
JSON = (
    4 * MIB,
    120.0,
    "The JSON is larger than 4 MiB; send the document as a file: curl -F file=@refs.bib.",
)
"""Limits of a document sent as JSON: maximum bytes, maximum seconds and error message."""
UPLOAD = (
    MAX_DOCUMENT_BYTES + MIB,
    120.0,
    (
        f"The document is larger than {MAX_DOCUMENT_BYTES // MIB} MiB; split it, or use citeproof"
        " verify."
    ),
)
"""Limits of a form with a document: maximum bytes, maximum seconds and error message."""


@dataclass
class BodyLimit:
    """Middleware that first receives the body of a request. It answers 413 if the body is too
    large, and 408 if the body arrives too slowly.
    """

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request. Other ASGI events are passed on unchanged."""
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
                    if refused := refused or size > most:
                        messages.clear()
        except TimeoutError:
            answer = problem(
                408, "The body did not arrive in time; send it again.", {"Connection": "close"}
            )
            await answer(scope, receive, send)
            return

        async def replay() -> Message:
            return messages.pop(0) if messages else await receive()

        refusal = refused and problem(413, too_large, {} if complete else {"Connection": "close"})
        await (refusal or self.app)(scope, replay, send)


def limit_of(path: str, content_type: str) -> tuple[int, float, str]:
    """Return the limits of a request body of the type ``content_type`` that is sent to ``path``:
    maximum bytes, maximum seconds and error message.
    """
    if path not in {"/api/verify", "/"}:
        return PLAIN
    return UPLOAD if is_form(content_type) else JSON


def is_form(content_type: str) -> bool:
    """Return whether ``content_type`` is ``multipart/form-data``, the type of forms that can
    contain files.
    """
    return content_type.partition(";")[0].strip().lower() == "multipart/form-data"
