"""The middlewares that observe every request: request id, access log, request counter, and the answer to errors.

They know nothing of look-ups and jobs. :mod:`citeproof.web.guard` has those that refuse requests.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citeproof.web.logs import places
from citeproof.web.problems import problem

if TYPE_CHECKING:
    from citeproof.web.metrics import Metrics


class Middleware:
    """Base class. It passes HTTP requests to ``_handle`` of a subclass, and other events to the application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or event of the server."""
        await (self._handle if scope["type"] == "http" else self.app)(scope, receive, send)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise NotImplementedError


REQUEST_ID = "X-Request-ID"
"""Header with the id of a request."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods with a label of their own. All others share one label, so that clients cannot create labels."""
TRACE_FRAMES = 8
"""Maximum stack frames logged per error; the innermost are logged."""
_PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

_access = logging.getLogger("citeproof.access")
_log = logging.getLogger("citeproof.web")


class RequestId(Middleware):
    """Sets ``X-Request-ID`` and ``scope["request_id"]``: the client's id if it is valid, else a random one."""

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = Headers(scope=scope).get(REQUEST_ID, "")
        scope["request_id"] = request_id = given if _PLAIN_ID.fullmatch(given) else secrets.token_hex(8)

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[REQUEST_ID] = request_id
            await send(message)

        await self.app(scope, receive, marked)


class AccessLog(Middleware):
    """Logs one line for each request, when its answer is complete or its connection is lost.

    The query string is never logged, because it can hold a confidential title.
    """

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status = time.perf_counter(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            fields = {
                "request_id": scope.get("request_id", ""),
                "client": (scope.get("client") or ("",))[0],
                "method": scope["method"],
                "path": scope["path"],
                "status": status,
                "ms": round(1000 * (time.perf_counter() - started), 2),
            }
            _access.info("request", extra=fields)


class CountRequests(Middleware):
    """Counts answers by route, method and status; all unknown addresses share one label."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        super().__init__(app)
        self._metrics = metrics

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "unknown")
                method = scope["method"] if route != "unknown" and scope["method"] in METHODS else "other"
                self._metrics.request(route, method, message["status"])
            await send(message)

        await self.app(scope, receive, counted)


class Failures(Middleware):
    """Logs unexpected errors and answers 500, or closes the connection if an answer has begun."""

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as error:
            log_failure(scope, error)
            if begun:
                raise
            answer = problem(500, "The service failed on this request; the log has the cause under the request id.")
            await answer(scope, receive, send)


def log_failure(scope: Scope, error: BaseException) -> None:
    """Log where ``error`` was raised, without its message, which can quote a confidential title."""
    frames = places(error)
    _log.error(
        "%s at %s",
        type(error).__name__,
        frames[-1] if frames else "?",
        extra={"request_id": scope.get("request_id", ""), "trace": frames[-TRACE_FRAMES:]},
    )
