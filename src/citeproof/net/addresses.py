"""Which addresses may be connected to: public ones, and hosts that the user has configured.

The check is on the address that is connected to, after the name was resolved, so that a name of
the public DNS that points into a private network is refused as well, and cannot change its
address between the check and the connection.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING

import httpcore2

from citeproof.net.streams import StoppableStream

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    from citeproof.net.clock import Clock

_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of ``host``, in the system's order of preference."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


def is_public(address: str) -> bool:
    """Whether ``address`` belongs to the public internet, also as seen through a transition mechanism."""
    parsed = ip_address(address.split("%", 1)[0])
    if isinstance(parsed, IPv6Address) and (inner := _embedded(parsed)):
        return is_public(str(inner))
    return parsed.is_global and not parsed.is_multicast


def _embedded(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


class GuardedBackend(httpcore2.NetworkBackend):
    """Opens TCP connections to public addresses and to configured hosts, and to nothing else."""

    def __init__(
        self,
        configured: Collection[str],
        clock: Clock,
        resolver: Callable[[str, int], Sequence[str]] = resolve,
        inner: httpcore2.NetworkBackend | None = None,
    ) -> None:
        self._configured = frozenset(configured)
        self._clock = clock
        self._resolve = resolver
        self._inner = inner or httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first address of ``host`` that answers.

        Raises :class:`PermissionError` where any address is not public and the host is not configured.
        """
        try:
            addresses = self._resolve(host, port)
        except OSError as error:
            raise httpcore2.ConnectError(f"{host} has no address") from error
        if host not in self._configured and not all(map(is_public, addresses)):
            raise PermissionError(f"{host} has a private address")
        failure: Exception = httpcore2.ConnectError(f"{host} has no address")
        for address in addresses:
            try:
                stream = self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
                return StoppableStream(stream, self._clock)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure
