"""The middleware for every request: it sets an id, writes a log line, counts the answer and adds headers."""

import logging
import re
import secrets
import time
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citeproof.web.logs import places
from citeproof.web.metrics import Metrics
from citeproof.web.problems import problem

REQUEST_ID = "X-Request-ID"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""HTTP methods with a metrics label of their own. Other methods share a label, so that clients cannot create labels."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # "no-referrer" would make browsers send "Origin: null" with the page's own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Headers that are added to answers that lack them. They restrict what a browser may do with the answer."""
TRACE_FRAMES = 8
"""Maximum number of stack frames logged per error. The innermost frames are logged."""
_PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

_access = logging.getLogger("citeproof.access")
_log = logging.getLogger("citeproof.web")


@dataclass
class Observation:
    """Observes every request.

    It sets ``X-Request-ID`` and ``scope["request_id"]``: the id that the client sent, if valid, or a random id. Answers
    are counted by route, method and status; all unknown addresses share one label. An unexpected error is logged, and
    answered with 500, or by closing the connection if an answer has begun. The access log has a line for each request,
    when its answer is complete or its connection is lost; the query, which can hold a confidential title, is left out.
    """

    app: ASGIApp
    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request. Other events of the server are passed on."""
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
                method = scope["method"] if route != "unknown" and scope["method"] in METHODS else "other"
                self.metrics.requests.labels(route, method, status).inc()
                headers = MutableHeaders(scope=message)
                headers[REQUEST_ID] = scope["request_id"]
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self.app(scope, receive, observed)
        except Exception as error:
            log_failure(scope, error)
            if status:
                raise
            answer = problem(500, "The service failed on this request; the log has the cause under the request id.")
            await answer(scope, receive, observed)
        finally:
            client, milliseconds = (scope.get("client") or ("",))[0], round(1000 * (time.perf_counter() - started), 2)
            fields = {"request_id": scope["request_id"], "client": client, "method": scope["method"]}
            _access.info("request", extra=fields | {"path": scope["path"], "status": status, "ms": milliseconds})


def log_failure(scope: Scope, error: BaseException) -> None:
    """Log where ``error`` was raised, without its message, which can quote a confidential title."""
    frames = places(error)
    extra = {"request_id": scope.get("request_id", ""), "trace": frames[-TRACE_FRAMES:]}
    _log.error("%s at %s", type(error).__name__, frames[-1] if frames else "?", extra=extra)
