"""The HTTP client of a run, with rate limits, retries and circuit breakers, and with limits for
time, size and redirects.
"""

import random
import re
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from email.utils import parsedate_to_datetime
from functools import partial
from http.cookiejar import DefaultCookiePolicy
from typing import TypeVar

import httpx2

from citeproof.model.verdict import OutgoingRequests
from citeproof.model.version import __version__
from citeproof.online.net.limits import MAX_RETRY_AFTER, Breaker, RateLimiter, stated_pace
from citeproof.online.net.service import (
    MAX_BODY,
    NOTHING_SENT,
    RETRIED,
    Clock,
    Kind,
    Response,
    Service,
    SourceError,
)
from citeproof.online.net.transport import RoutingTransport, read_deadline

T = TypeVar("T")
Transport = httpx2.BaseTransport
"""Type of the object that sends HTTP requests. Tests pass a replacement."""
ATTEMPTS = 3
"""Maximum number of attempts per request."""
_MAX_SECONDS = 60.0  # maximum seconds from sending a request until the response is complete
_CONNECT_SECONDS = 5.0  # maximum seconds for opening a connection
# minimum seconds before the second attempt if there is no ``Retry-After`` header; twice as long
# before the third attempt
_FIRST_PAUSE = 1.0
_MAX_REDIRECTS = 5  # maximum number of requests in one attempt, including redirected requests
_KINDS = {**dict.fromkeys((401, 402, 403, 407), Kind.REFUSED), 429: Kind.RATE_LIMITED}
"""Map from an HTTP status to the kind of failure. Any other status 4xx is a bad request, and any
other status 5xx a server error.
"""
# regex for the seconds in a ``Retry-After`` header: ``5``, or ``5, 5`` if it was sent twice
_SECONDS = re.compile(r"\s*(\d+)(?:\.\d+)?\s*(?:,|$)")
_LOST = {
    httpx2.ReadError: "the connection was closed",
    httpx2.WriteError: "the connection was closed",
    httpx2.RemoteProtocolError: "its answer is cut off, or not HTTP",
}
"""Map from the type of an exception to a message for the user. The message of the exception itself
may contain an API key.
"""


class RequestCounter:
    """Counts the requests that were sent to each host, including retries and redirected
    requests.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests = Counter[tuple[str, frozenset[str]]]()

    @contextmanager
    def counted(self, host: str, fields: Iterable[str]) -> Iterator[None]:
        """Context manager for sending one request to ``host``, which is counted with the names of
        the ``fields`` that it contains. It is not counted if no connection can be opened.
        """
        request = (host, frozenset(fields))
        with self._lock:
            self._requests[request] += 1
        try:
            yield
        except SourceError as failure:
            if failure.kind in NOTHING_SENT:
                with self._lock:
                    self._requests[request] -= 1
            raise

    def by_host(self) -> tuple[OutgoingRequests, ...]:
        """Return the number of requests to each host and the names of the fields that were sent to
        it, sorted by host.
        """
        found = dict[str, OutgoingRequests]()
        with self._lock:
            sent = +self._requests
        for (host, fields), count in sent.items():
            known = found.get(host, OutgoingRequests(host, 0, ()))
            found[host] = OutgoingRequests(
                host, known.requests + count, tuple(sorted({*known.fields, *fields}))
            )
        return tuple(found[host] for host in sorted(found))


class Client:
    """Sends requests to services. One instance serves all threads of a run."""

    def __init__(
        self,
        clock: Clock,
        *,
        contact: str = "",
        known_hosts: Collection[str] = (),
        configured_hosts: Collection[str] = (),
        transport: Transport | None = None,
    ) -> None:
        """Prepare the client without opening a connection. ``contact`` is an e-mail address for the
        User-Agent header.

        Redirects to ``known_hosts`` are followed. ``configured_hosts`` are hosts from the user's
        settings. They may have private IP addresses, and redirects to them from other hosts are not
        followed.
        """
        self._clock, self._known = clock, frozenset(known_hosts)
        self._limiters: dict[tuple[str, str], RateLimiter] = {}
        """Map from ``(base URL or host, group of requests)`` to the rate limiter.

        ``search`` is such a group.
        """
        self._breakers: dict[str, Breaker] = {}
        self.outgoing = RequestCounter()
        comment = "checks the references of papers" + (f"; mailto:{contact}" if contact else "")
        self._http = httpx2.Client(
            headers={
                "User-Agent": f"citeproof/{__version__} ({comment})",
                "Accept-Encoding": "gzip, deflate",
            },
            transport=transport or RoutingTransport(configured_hosts, clock),
            follow_redirects=False,
            trust_env=False,  # do not send passwords of a .netrc; the transport chooses the proxy
        )
        # a cookie would tell a source which requests come from one user
        self._http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))

    def send(
        self,
        service: Service,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        read: Callable[[Response], T],
        fields: Collection[str],
        group: str = "",
        body: object = None,
    ) -> T:
        """Send a GET request to ``service``, or a POST request if there is a ``body``. Return
        ``read(response)``.

        ``path`` is appended to the base URL, and ``params`` are query parameters. ``fields`` are
        the names of the fields of the reference that the request contains, and ``group`` selects
        the rate limit. Raises :class:`SourceError` if the request fails, or if ``read`` raises it
        because the response is unusable. Both failures can open the circuit breaker.
        """
        url = httpx2.URL(service.base_url.rstrip("/") + path)
        url = url.copy_merge_params({**(params or {}), **service.secret_params})
        headers = {"Accept": service.accept, **service.secret_headers}
        method, timeout = "GET" if body is None else "POST", _timeout(service)
        request = self._http.build_request(method, url, headers=headers, json=body, timeout=timeout)
        breaker = self._breakers.setdefault(service.name, Breaker(self._clock))
        cancel = partial(breaker.recheck, breaker.check())
        try:
            result = read(
                self._with_retries(
                    partial(self._follow, service, request, group, fields, cancel), breaker
                )
            )
        except SourceError as failure:
            breaker.failed(failure)
            raise
        breaker.close()
        return result

    def close_circuits(self) -> bool:
        """Close all circuit breakers, so that requests are sent again. Return whether any circuit
        breaker was open.
        """
        return sum(breaker.close() for breaker in list(self._breakers.values())) > 0

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def _with_retries(self, send: Callable[[], Response], breaker: Breaker) -> Response:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return send()
            except SourceError as failure:
                if failure.kind is Kind.CONNECTION:
                    # each failed attempt is counted, not only each failed request, so that requests
                    # to an unreachable host stop sooner
                    breaker.failed(failure)
                is_brief = (failure.retry_after or 0.0) <= MAX_RETRY_AFTER
                if attempt == ATTEMPTS or failure.kind not in RETRIED or not is_brief:
                    raise
                backoff = _FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(1.0, 1.5)  # noqa: S311
                self._clock.sleep(failure.retry_after or backoff)
        raise AssertionError("the last attempt returns or raises")

    def _follow(
        self,
        service: Service,
        request: httpx2.Request,
        group: str,
        fields: Collection[str],
        cancel: Callable[[], None],
    ) -> Response:
        """Send a request and follow redirects to known hosts. ``cancel`` is called before each
        request is sent, and raises an exception if it must not be sent.
        """
        for _ in range(_MAX_REDIRECTS):
            url = request.url
            # The key of the rate limit is the base URL, because two services on one host have
            # separate limits. After a redirect, the key is the host.
            own = _origin(url) == _origin(httpx2.URL(service.base_url))
            address = service.base_url if own else f"{url.scheme}://{url.host}"
            limiter = self._limiters.setdefault(
                (address, group), RateLimiter(service.pace(group), self._clock)
            )
            with limiter.slot(cancel), self.outgoing.counted(url.host, fields):
                response, body = exchange(self._http, request, self._clock, service.largest)
            limiter.slow_down(stated_pace(response.headers))
            if not response.has_redirect_location:
                return self._checked(response, body)
            request = self._redirected(service, request, response)
        raise SourceError(Kind.BAD_ANSWER, "too many redirects")

    def _redirected(
        self, service: Service, request: httpx2.Request, response: httpx2.Response
    ) -> httpx2.Request:
        try:
            url = request.url.join(response.headers["location"])
        except httpx2.InvalidURL as error:
            raise SourceError(Kind.BAD_ANSWER, "redirect to an invalid URL") from error
        if url.host != request.url.host and url.host not in self._known:
            raise SourceError(Kind.UNKNOWN_HOST, url.host or "no host")
        if url.scheme not in {"https", request.url.scheme}:
            raise SourceError(Kind.FORBIDDEN_ADDRESS, f"redirect to {url.host} without TLS")
        own = _origin(url) == _origin(httpx2.URL(service.base_url))
        headers = {"Accept": service.accept, **(service.secret_headers if own else {})}
        return self._http.build_request("GET", url, headers=headers, timeout=_timeout(service))

    def _checked(self, response: httpx2.Response, body: bytes) -> Response:
        status = response.status_code
        if status == 404 or 200 <= status < 300:
            return Response(
                status,
                response.headers.get("content-type", "").lower(),
                body,
                response.request.url.host,
            )
        kind = _KINDS.get(status, Kind.SERVER_ERROR if status >= 500 else Kind.BAD_REQUEST)
        wait = (
            retry_after(response.headers.get("retry-after", ""), self._clock.wall())
            if kind in RETRIED
            else None
        )
        raise SourceError(kind, f"HTTP status {status}", retry_after=wait)


def _timeout(service: Service) -> httpx2.Timeout:
    return httpx2.Timeout(service.timeout, connect=_CONNECT_SECONDS)


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def exchange(
    http: httpx2.Client, request: httpx2.Request, clock: Clock, largest: int = MAX_BODY
) -> tuple[httpx2.Response, bytes]:
    """Send ``request``, and return the response and the decompressed body, of at most ``largest``
    bytes.

    Raises :class:`SourceError` for any failure.
    """
    host, deadline = request.url.host, clock.monotonic() + _MAX_SECONDS
    try:
        with read_deadline(deadline), closing(http.send(request, stream=True)) as response:
            return response, _body(response, largest)
    except (
        httpx2.ConnectTimeout,
        httpx2.PoolTimeout,
        httpx2.ConnectError,
        httpx2.ProxyError,
    ) as error:
        proxy = request.extensions.get("proxy")
        place = f"{host} through the proxy {proxy}" if proxy else host
        raise SourceError(Kind.CONNECTION, f"{place}{_connection_failure(error)}") from error
    except httpx2.TimeoutException as error:
        late = clock.monotonic() > deadline
        reason = (
            f"{host}: no complete answer in {_MAX_SECONDS:.0f} s"
            if late
            else f"{host} stopped responding"
        )
        raise SourceError(Kind.TIMEOUT, reason) from error
    except httpx2.DecodingError as error:
        raise SourceError(Kind.BAD_ANSWER, f"{host}: invalid compression") from error
    except httpx2.TransportError as error:
        raise SourceError(Kind.LOST, f"{host}: {_LOST.get(type(error), 'no response')}") from error
    except PermissionError as error:
        raise SourceError(Kind.FORBIDDEN_ADDRESS, str(error)) from error


def _body(response: httpx2.Response, largest: int) -> bytes:
    body = bytearray()
    for chunk in response.iter_bytes():  # the library decompresses at most 1 MiB at a time
        body += chunk
        if len(body) > largest:
            raise SourceError(Kind.TOO_LARGE, f"more than {largest // 1024 // 1024} MiB")
    return bytes(body)


def _connection_failure(error: httpx2.TransportError) -> str:
    """Return the cause if no connection could be opened, as the end of a message:
    ``: connection refused``.
    """
    if isinstance(error, httpx2.TimeoutException):
        return " does not respond"
    if isinstance(error, httpx2.ProxyError):
        return f": {error}"
    for cause in causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f": its certificate is refused: {cause.verify_message.rstrip('.')}"
        if isinstance(cause, ssl.SSLError):
            return ": TLS fails"
        if isinstance(cause, OSError) and cause.strerror:
            return f": {cause.strerror[0].lower()}{cause.strerror[1:]}"
    return ": refused"


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield ``error``, then the exception that caused it, and so on until an exception has no
    cause.
    """
    while error:
        yield error
        error = error.__cause__ or error.__context__


def retry_after(header: str, now: float) -> float | None:
    """Return how many seconds to wait according to a ``Retry-After`` header. None if the header is
    invalid.

    ``now`` is the present Unix time in seconds.
    """
    if seconds := _SECONDS.match(header):
        return float(seconds[1])
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except (ValueError, IndexError):
        return None
