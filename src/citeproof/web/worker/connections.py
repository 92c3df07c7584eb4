"""Connections that do not wait for ever: each request has to arrive within a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

ENDLESS = "endless"
"""Marks in a request's scope that its answer does not end by itself: a server that stops closes it."""
HEADER_SECONDS = 10.0
"""How long the header of a request may take, from the connection's first moment or the request's first byte."""
LAST_BODY_SECONDS = 2.0
"""How long a body may still take once the server is told to stop."""


class Connection(H11Protocol):
    """A connection that is closed when a header takes too long; a body has its own deadline in the middleware."""

    _header_deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first header."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take what came, and wait on, or no longer, for the rest of a header."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._wait_no_longer()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close the connection when its answer is sent: at once for an endless one, soon without a whole request."""
        super().shutdown()
        if self.cycle is not None and self.cycle.scope.get(ENDLESS):
            self.transport.close()
        if self.cycle is not None and self.cycle.more_body:
            self.loop.call_later(LAST_BODY_SECONDS, self._close_without_body)

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._wait_no_longer()
        elif self._header_deadline is None:
            self._header_deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _wait_no_longer(self) -> None:
        if self._header_deadline is not None:
            self._header_deadline.cancel()
            self._header_deadline = None

    def _close_without_body(self) -> None:
        if self.cycle.more_body:
            self.transport.close()
