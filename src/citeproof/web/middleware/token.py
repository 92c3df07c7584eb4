"""``--token``: searches and figures need ``Authorization: Bearer``; the page itself, health and docs do not."""

from __future__ import annotations

import hmac
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from citeproof.web.problems import problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

OPEN = ("/", "/status", "/docs", "/openapi.json", "/api/health", "/api/ready")
OPEN_FOLDERS = ("/static/", "/jobs/")
"""A job's page is open and empty: it looks at ``scope["authorized"]`` before it shows anything."""
_DETAIL = "This service asks for a bearer token; send it as 'Authorization: Bearer <token>'."


class Token:
    """Middleware; the page reads ``scope["authorized"]`` before it searches."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._spellings = _spellings(token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        sent = given.encode("latin-1")
        right = [hmac.compare_digest(sent, spelling) for spelling in self._spellings]
        scope["authorized"] = scheme.lower() == "bearer" and any(right)
        if scope["authorized"] or scope["path"] in OPEN or scope["path"].startswith(OPEN_FOLDERS):
            await self._app(scope, receive, send)
        else:
            await problem(401, _DETAIL, {"WWW-Authenticate": "Bearer"})(scope, receive, send)


def _spellings(token: str) -> list[bytes]:
    """Return the bytes that clients send for ``token``: letters beyond ASCII go in UTF-8 or in Latin-1."""
    spellings = [token.encode()]
    with suppress(UnicodeEncodeError):
        spellings.append(token.encode("latin-1"))
    return spellings
