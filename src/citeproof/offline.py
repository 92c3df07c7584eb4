"""A process that can open no connection: Python's audit events are refused, whatever code raises them.

An audit hook (PEP 578) cannot be taken back, so only commands use it, for the whole of their process. Sockets of the
machine itself (``AF_UNIX``) stay, and so do processes of our own Python; another program could connect unseen.
"""

from __future__ import annotations

import socket
import sys

from citeproof.errors import CiteproofError

_CONNECTING = frozenset({
    "socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname",
    "socket.gethostbyaddr", "socket.getnameinfo",
})  # fmt: skip
"""Sending and asking for an address alike: a name that is looked up has left the machine."""
_STARTING = frozenset({"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn"})
_installed = False


class OfflineError(CiteproofError, OSError):
    """Something tried to open a connection, or to start another program, in a process that is offline."""


def refuse_connections() -> None:
    """Let this process open no connection from now on; what tries raises :class:`OfflineError`."""
    global _installed  # noqa: PLW0603 - a hook belongs to the process
    if not _installed:
        sys.addaudithook(_refuse)
        _installed = True


def refuses_connections() -> bool:
    """Whether this process can open no connection."""
    return _installed


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event in _CONNECTING:
        first = arguments[0] if arguments else None
        if isinstance(first, socket.socket) and first.family == getattr(socket, "AF_UNIX", None):
            return
        raise OfflineError(f"--offline: a connection was refused ({event})")
    if event == "os.system" or (event in _STARTING and arguments[0] not in {sys.executable, None}):
        raise OfflineError(f"--offline: another program was refused ({event})")
