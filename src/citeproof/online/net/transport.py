"""HTTP transport that uses the user's proxy, and refuses private IP addresses of hosts that the
settings do not name.
"""

import math
import socket
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from citeproof.model.errors import ConfigurationError
from citeproof.online.net.service import Clock

# IPv6 addresses whose last 32 bits are an IPv4 address (RFC 6052)
_NAT64 = IPv6Network("64:ff9b::/96")


def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of ``host``, in the system's order of preference."""
    return list(
        dict.fromkeys(
            str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        )
    )


def is_public(address: str) -> bool:
    """Return whether the IP address ``address`` is public. False for ``::ffff:127.0.0.1``, because
    it contains a private IPv4 address.
    """
    parsed = ip_address(address.split("%", 1)[0])
    if isinstance(parsed, IPv6Address):
        inner = (
            parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        )
        if parsed in _NAT64:
            inner = IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner:
            return is_public(str(inner))
    return parsed.is_global and not parsed.is_multicast


class GuardedBackend(httpcore2.NetworkBackend):
    """Opens TCP connections only to public IP addresses and to hosts from the user's settings."""

    def __init__(
        self,
        configured: Collection[str],
        clock: Clock,
        resolver: Callable[[str, int], Sequence[str]] = resolve,
        inner: httpcore2.NetworkBackend | None = None,
    ) -> None:
        self._configured, self._clock, self._resolve = frozenset(configured), clock, resolver
        self._inner = inner or httpcore2.SyncBackend()

    def connect_tcp(
        self, host: str, port: int, *options: Any, **named: Any
    ) -> httpcore2.NetworkStream:
        """Connect to ``host``.

        Raises :class:`PermissionError` if it has a private address and the settings do not name it.
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
                return _InterruptibleStream(
                    self._inner.connect_tcp(address, port, *options, **named), self._clock
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure


_CHECK_SECONDS = 0.25  # seconds between checks whether ``Clock.stop`` was called
# ``deadline``, if set, is the time after which reads of the current thread fail
_thread = threading.local()


@contextmanager
def read_deadline(deadline: float) -> Iterator[None]:
    """Context manager in which network reads of this thread fail once ``Clock.monotonic`` is after
    ``deadline``.
    """
    _thread.deadline = deadline
    try:
        yield
    finally:
        del _thread.deadline


@dataclass(eq=False)
class _InterruptibleStream(httpcore2.NetworkStream):
    """A network connection whose reads fail after the deadline of the thread, and after a call of
    ``Clock.stop``.
    """

    _inner: httpcore2.NetworkStream
    _clock: Clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read at most ``max_bytes`` bytes.

        Raises ``ReadTimeout`` after ``timeout`` seconds or after the deadline.
        """
        left = math.inf if timeout is None else timeout
        while True:
            if self._clock.monotonic() > getattr(_thread, "deadline", math.inf):
                raise httpcore2.ReadTimeout("the response takes too long")
            part = min(_CHECK_SECONDS, left)
            try:
                return self._inner.read(max_bytes, part)
            except httpcore2.ReadTimeout:
                left -= part
                if self._clock.stopped or left <= 0:
                    raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, timeout)

    def close(self) -> None:
        self._inner.close()

    def start_tls(self, *options: Any, **named: Any) -> httpcore2.NetworkStream:
        return _InterruptibleStream(self._inner.start_tls(*options, **named), self._clock)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _guarded(
    configured: Collection[str], clock: Clock, proxy: httpx2.Proxy | None = None
) -> httpx2.HTTPTransport:
    """Return a transport that connects only to public addresses and to ``configured`` hosts. With a
    ``proxy``, it connects only to the proxy.
    """
    # expiry in seconds
    limits = httpx2.Limits(max_connections=50, max_keepalive_connections=20, keepalive_expiry=30.0)
    try:
        transport = httpx2.HTTPTransport(
            verify=httpx2.create_ssl_context(), limits=limits, proxy=proxy
        )
    except ImportError as error:
        raise ConfigurationError("a SOCKS proxy needs the Python package socksio") from error
    except OSError as error:
        reason = error.strerror or error
        raise ConfigurationError(
            f"variable SSL_CERT_FILE or SSL_CERT_DIR: cannot be read: {reason}"
        ) from error
    # httpcore2 has a public parameter for the network backend; httpx2 does not pass it on
    pool = getattr(transport, "_pool", None)
    if not isinstance(getattr(pool, "_network_backend", None), httpcore2.NetworkBackend):
        raise ConfigurationError(
            "this release of httpx2 keeps its connections where they cannot be guarded"
        )
    transport._pool._network_backend = GuardedBackend(
        {proxy.url.host} if proxy else configured, clock
    )
    return transport


class RoutingTransport(httpx2.BaseTransport):
    """Sends requests through the proxy that ``HTTPS_PROXY`` or a similar variable names. Requests
    to loopback hosts are sent directly.
    """

    def __init__(self, configured: Collection[str], clock: Clock) -> None:
        """Read the proxies from the environment. ``configured`` are the hosts from the user's
        settings, which may have private addresses.

        Raises :class:`ConfigurationError` if a proxy or the TLS certificates are unusable.
        """
        self._direct = _guarded(configured, clock)
        self._proxied: dict[str, tuple[str, httpx2.HTTPTransport]] = {}
        """Map from a URL scheme, such as ``https``, to the host name of the proxy and the transport
        for the proxy.
        """
        found = getproxies()
        for scheme in ("http", "https"):
            if url := found.get(scheme) or found.get("all"):
                try:
                    proxy = httpx2.Proxy(url if "://" in url else f"http://{url}")
                except (ValueError, httpx2.InvalidURL) as error:
                    fault = (
                        "a proxy of the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY) is no URL"
                    )
                    raise ConfigurationError(fault) from error
                self._proxied[scheme] = proxy.url.host, _guarded((), clock, proxy)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send ``request``. If a proxy is used, store its host name in ``request.extensions``."""
        scheme, host = request.url.scheme, request.url.host
        is_loopback = host == "localhost"
        with suppress(ValueError):  # the host is a name, not an IP address
            is_loopback |= ip_address(host).is_loopback
        if is_loopback or scheme not in self._proxied or proxy_bypass(host):
            return self._direct.handle_request(request)
        request.extensions["proxy"], transport = self._proxied[scheme]
        return transport.handle_request(request)

    def close(self) -> None:
        """Close all connections."""
        self._direct.close()
        for _, transport in self._proxied.values():
            transport.close()
