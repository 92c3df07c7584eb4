"""The socket that a server process accepts connections from, and how many it accepts."""

from __future__ import annotations

import errno
import logging
import os
import resource
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeproof.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable

BACKLOG = 2048
"""Connections that may wait in the system until they are accepted."""
RESERVED_DESCRIPTORS = 128
"""Descriptors that connections leave to the database, the runtime store, the search process and the log."""
_REFUSED_AT_ONCE = 100
"""Connections that are refused before requests get their turn again."""
_RETRY_SECONDS = 0.02

_log = logging.getLogger("citeproof.web")


class Listener(socket.socket):
    """A listening socket with a bound on open connections: one too many is closed as soon as it is accepted.

    Without a bound the process runs out of file descriptors. Then nothing works, and asyncio logs thousands of lines.
    """

    most_connections = 0
    """Set by :func:`listen`."""
    open_connections = 0

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection; raise :class:`BlockingIOError` while there is none that may be had."""
        for _ in range(_REFUSED_AT_ONCE):
            try:
                connection, address = super().accept()
            except OSError as error:
                if error.errno not in {errno.EMFILE, errno.ENFILE}:
                    raise
                _log.error("no file descriptor is left for a new connection")
                time.sleep(_RETRY_SECONDS)  # the connection stays in the queue, so the loop would ask again at once
                break
            if self.open_connections < self.most_connections:
                self.open_connections += 1
                return _Connection(connection, self._one_less), address
            connection.close()
            _log.warning("a connection was refused, because %d are open", self.open_connections)
        raise BlockingIOError

    def _one_less(self) -> None:
        self.open_connections -= 1


class _Connection(socket.socket):
    """An accepted connection that tells when it is closed."""

    def __init__(self, connection: socket.socket, closed: Callable[[], None]) -> None:
        super().__init__(connection.family, connection.type, connection.proto, fileno=connection.detach())
        self._tell: Callable[[], None] | None = closed

    def close(self) -> None:
        """Close the connection."""
        super().close()
        if self._tell:
            self._tell()
            self._tell = None


class OwnListener:
    """Handed to a worker process, it arrives there as a listening socket of that worker's own.

    The system then deals connections out among the workers. With one socket for all, the worker that wakes first
    takes most of a burst.
    """

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port

    def __reduce__(self) -> tuple[Callable[..., Listener], tuple[str, int, bool]]:
        return listen, (*self._address, True)


def listen(host: str, port: int, shared: bool = False) -> Listener:
    """Return a socket that listens there; with ``shared`` other sockets of ours may do so too.

    Raises :class:`ConfigurationError` where that is not possible.
    """
    listener = bind(host, port, shared=shared)
    listener.listen(BACKLOG)
    listener.most_connections = most_connections()
    return listener


def bind(host: str, port: int, *, shared: bool) -> Listener:
    """Return a socket that has the address but does not listen yet; no connection comes to it."""
    if not host:  # the system would take it for every address of the machine
        raise ConfigurationError("the address to listen at is empty; name one, or 0.0.0.0 for all")
    listener = Listener(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        # Connections inherit it. Without, a body waits up to 40 ms until the client has acknowledged the header before
        # it; asyncio sets it only for sockets that it has made itself.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        raise ConfigurationError(
            f"{host}:{port}: cannot listen there: {reason}; name another --host or --port"
        ) from error
    return listener


def most_connections() -> int:
    """Return how many connections this process may hold: what the limit on open files leaves, at least one."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        soft = 1 << 20
    return max(1, soft - RESERVED_DESCRIPTORS - _open_descriptors())


def _open_descriptors() -> int:
    folder = Path("/dev/fd")
    return len(os.listdir(folder)) if folder.is_dir() else 0  # noqa: PTH208 - names alone
