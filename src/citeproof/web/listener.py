"""The listening socket of a server process, and HTTP connections with time limits."""

from __future__ import annotations

import errno
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from citeproof.model.errors import ConfigurationError
from citeproof.web.logs import log

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    import asyncio

ENDLESS = "endless"
"""Key in the ASGI scope of a request with an endless response.

When the server stops, it closes the connection of such a request at once.
"""
_HEADER_SECONDS = 10.0  # maximum seconds for receiving the header of a request
# maximum seconds for receiving the rest of a request body after the server was told to stop
_LAST_BODY_SECONDS = 2.0
# maximum number of connections that wait in the operating system until they are accepted
_BACKLOG = 2048
# number of file descriptors for the databases, child processes and the log
_RESERVED_DESCRIPTORS = 128
# maximum number of connections if the operating system does not limit open files
_MOST_WITHOUT_LIMIT = 1 << 20
SEPARATE_SOCKETS = sys.platform == "linux"
"""Whether each server process has its own socket at the same address (Linux).

Otherwise processes share a socket.
"""
# maximum number of connections refused in a row before requests are handled again
_REFUSED_AT_ONCE = 100
_RETRY_SECONDS = 0.02  # seconds to wait after the process has run out of file descriptors


class Connection(H11Protocol):
    """An HTTP connection, which is closed if the header of a request does not arrive within
    :data:`_HEADER_SECONDS`.
    """

    _header_deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit for the header of the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Handle received bytes.

        Stop the time limit when a header is complete; start it for the next request.
        """
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time limit for a request header, because the connection is closed."""
        if self._header_deadline:
            self._header_deadline.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close the connection after the response.

        Endless responses and incomplete requests are cut off.
        """
        super().shutdown()
        if self.cycle and self.cycle.scope.get(ENDLESS):
            self.transport.close()
        if self.cycle and self.cycle.more_body:
            self.loop.call_later(_LAST_BODY_SECONDS, self._close_without_body)

    def _close_without_body(self) -> None:
        if self.cycle.more_body:
            self.transport.close()

    def _watch(self) -> None:
        """Start the time limit for the next request header, or stop it if no header is expected."""
        awaited = self.conn.their_state is h11.IDLE and not self.transport.is_closing()
        if awaited and not self._header_deadline:
            self._header_deadline = self.loop.call_later(_HEADER_SECONDS, self.transport.close)
        elif not awaited and self._header_deadline:
            self._header_deadline.cancel()
            self._header_deadline = None


class Listener(socket.socket):
    """A listening socket that closes new connections at once while :attr:`most_connections` are
    open.
    """

    most_connections = 0  # maximum number of open connections, set by listen()
    open_connections = 0

    def __reduce__(self) -> tuple[Callable[..., Listener], tuple[Any, ...]]:
        """Return how pickle sends this socket to a worker process. The worker process gets it as a
        :class:`Listener`.
        """
        if SEPARATE_SOCKETS:
            return listen, (*self.getsockname()[:2], True)
        return _adopt, (
            socket.socket(self.family, self.type, self.proto, fileno=os.dup(self.fileno())),
        )

    def listen(self, backlog: int = _BACKLOG) -> None:
        """Start to listen. At most ``backlog`` connections wait until they are accepted.

        Set :attr:`most_connections` to the number of file descriptors that are left for
        connections.
        """
        super().listen(backlog)
        self.most_connections = most_connections()

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection and the client address.

        Raises :class:`BlockingIOError` if no connection waits.
        """
        for _ in range(_REFUSED_AT_ONCE):
            try:
                connection, address = super().accept()
            except OSError as error:
                if error.errno not in {errno.EMFILE, errno.ENFILE}:
                    raise
                log.error("no file descriptor is left for a new connection")
                # the connection stays in the backlog, so without a pause the event loop would retry
                # at once
                time.sleep(_RETRY_SECONDS)
                break
            if self.open_connections < self.most_connections:
                self.open_connections += 1
                return _Connection(connection, self), address
            connection.close()
            log.warning("a connection was refused, because %d are open", self.open_connections)
        raise BlockingIOError


class _Connection(socket.socket):
    """An accepted connection. ``listener`` counts it as an open connection until it is closed."""

    def __init__(self, connection: socket.socket, listener: Listener) -> None:
        super().__init__(
            connection.family, connection.type, connection.proto, fileno=connection.detach()
        )
        self._listener: Listener | None = listener

    def close(self) -> None:
        super().close()
        if self._listener:
            self._listener.open_connections -= 1
            self._listener = None


def listen(host: str, port: int, shared: bool = False) -> Listener:
    """Return a socket that listens at the address ``host`` and ``port``. If ``shared`` is true,
    other sockets can listen at the same address.
    """
    listener = bind(host, port, shared=shared)
    listener.listen()
    return listener


def bind(host: str, port: int, *, shared: bool) -> Listener:
    """Return a socket that is bound to the address ``host`` and ``port``. If ``shared`` is true,
    other sockets can be bound to the same address.

    Raises :class:`ConfigurationError` if the address cannot be used.
    """
    if not host:  # with an empty host, the system would listen at all addresses of the machine
        raise ConfigurationError(
            "the address to listen on is empty; give an address, or 0.0.0.0 for all addresses"
        )
    listener = Listener(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # on Windows this option would let two services use one address
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform != "win32" and shared and SEPARATE_SOCKETS:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        # Connections inherit this option. Without it, the body is sent only when the client has
        # acknowledged the header, up to 40 ms later. asyncio sets the option only for sockets that
        # it creates.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        reason = f"cannot listen there: {error.strerror or error}; name another --host or --port"
        raise ConfigurationError(f"{host}:{port}: {reason}") from error
    return listener


def most_connections() -> int:
    """Return the maximum number of connections: the limit on open files, minus the file descriptors
    that are in use or reserved.
    """
    soft = _MOST_WITHOUT_LIMIT
    if (
        sys.platform != "win32"
        and (limit := resource.getrlimit(resource.RLIMIT_NOFILE)[0]) != resource.RLIM_INFINITY
    ):
        soft = limit
    folder = Path("/dev/fd")
    # os.listdir returns only names, and more is not needed to count them
    in_use = len(os.listdir(folder)) if folder.is_dir() else 0  # noqa: PTH208
    return max(1, soft - _RESERVED_DESCRIPTORS - in_use)


def _adopt(shared: socket.socket) -> Listener:
    listener = Listener(shared.family, shared.type, shared.proto, fileno=shared.detach())
    listener.listen()
    return listener
