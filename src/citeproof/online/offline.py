"""Refuse all network connections of this process, including those of libraries, by an audit hook
(PEP 578).

``AF_UNIX`` sockets are allowed. The process may also start child processes with the same Python
interpreter, in which connections are not refused.
"""

import sys

from citeproof.model.errors import CiteproofError

_CONNECTING = frozenset(
    {
        "socket.connect",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "socket.getnameinfo",
    }
)
"""Names of the audit events of connections, datagrams and DNS requests."""
_STARTING = frozenset({"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn"})
"""Names of the audit events for the start of a program. The first argument of these events is the
path of the program.
"""
_installed = False


class OfflineError(CiteproofError, OSError):
    """Raised if code in an offline process tries to open a connection or to start another
    program.
    """


def refuse_connections() -> None:
    """Make every later attempt to open a connection in this process raise :class:`OfflineError`."""
    global _installed  # noqa: PLW0603 - the hook is one per process
    if not _installed:
        sys.addaudithook(_refuse)
        _installed = True


def refuses_connections() -> bool:
    """Return whether :func:`refuse_connections` was called in this process."""
    return _installed


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event in _CONNECTING:
        import socket

        first = arguments[0] if arguments else None
        if isinstance(first, socket.socket) and first.family == getattr(socket, "AF_UNIX", None):
            return
        raise OfflineError(f"--offline: a connection was refused ({event})")
    if event == "os.system" or (event in _STARTING and arguments[0] not in {sys.executable, None}):
        raise OfflineError(f"--offline: another program was refused ({event})")
