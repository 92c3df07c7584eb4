"""Whatever a route did not foresee becomes a 500 that says so, and a line in the log with the request's id."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from citeproof.web.problems import problem
from citeproof.web.worker.traces import places

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TRACE_FRAMES = 8
"""Where the error came from; the frames above are the framework's."""

_log = logging.getLogger("citeproof.web")


class Failures:
    """Middleware; an answer that has begun cannot be taken back, so then the connection ends."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            log_failure(scope, error)
            if begun or scope["type"] != "http":
                raise
            answer = problem(500, "The service failed on this request; its log has the cause under the request id.")
            await answer(scope, receive, send)


def log_failure(scope: Scope, error: BaseException) -> None:
    """Write the error's place to the log, without its message: that may quote a confidential title."""
    frames = places(error)
    _log.error(
        "%s at %s",
        type(error).__name__,
        frames[-1] if frames else "?",
        extra={"request_id": scope.get("request_id", ""), "trace": frames[-TRACE_FRAMES:]},
    )
