"""Connections that give up when the run is stopped, or an answer takes too long, instead of waiting out a slow host."""

from __future__ import annotations

import math
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpcore2

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator

    from citeproof.net.clock import Clock

CHECK_SECONDS = 0.25
"""Seconds between two checks whether the run was stopped."""

_thread = threading.local()


@contextmanager
def answered_by(until: float) -> Iterator[None]:
    """Have this thread's reads from connections fail after ``until``, by the clock of the connections.

    A time limit for each read would not do: a byte now and then, in head or body, would satisfy it for ever.
    """
    _thread.until = until
    try:
        yield
    finally:
        del _thread.until


class StoppableStream(httpcore2.NetworkStream):
    """A connection that checks during a read whether the run was stopped; everything else is the inner connection's."""

    def __init__(self, inner: httpcore2.NetworkStream, clock: Clock) -> None:
        self._inner = inner
        self._clock = clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return the next bytes; raises the library's ``ReadTimeout`` after ``timeout``, when late or when stopped."""
        left = timeout
        while True:
            if self._clock.monotonic() > getattr(_thread, "until", math.inf):
                raise httpcore2.ReadTimeout("the answer takes too long")
            part = CHECK_SECONDS if left is None else min(CHECK_SECONDS, left)
            try:
                return self._inner.read(max_bytes, part)
            except httpcore2.ReadTimeout:
                left = None if left is None else left - part
                if self._clock.stopped or (left is not None and left <= 0):
                    raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send ``buffer``."""
        self._inner.write(buffer, timeout)

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """Return the connection with TLS on top."""
        return StoppableStream(self._inner.start_tls(ssl_context, server_hostname, timeout), self._clock)

    def get_extra_info(self, info: str) -> Any:
        """Return what the inner connection knows of itself."""
        return self._inner.get_extra_info(info)
