"""The HTTP client of a run: rate limits, retries, circuit breakers, redirects to known hosts only.

Every failure is a :class:`~citeproof.online.net.service.SourceError`. A status other than 2xx and 404 is a failure;
404 is how sources say that they do not have an item.
"""

import random
from collections.abc import Callable, Collection, Mapping
from functools import partial
from http.cookiejar import DefaultCookiePolicy
from typing import TypeVar

import httpx2

from citeproof.model.version import __version__
from citeproof.online.net.clock import Clock
from citeproof.online.net.exchange import RequestCounter, exchange, retry_after
from citeproof.online.net.limits import MAX_RETRY_AFTER, Breaker, RateLimiter, stated_pace
from citeproof.online.net.service import RETRIED, Kind, Response, Service, SourceError
from citeproof.online.net.transport import RoutingTransport

T = TypeVar("T")
Transport = httpx2.BaseTransport
"""Type of the HTTP transport. Tests pass a replacement."""
CONNECT_SECONDS = 5.0
"""Maximum seconds for opening a connection."""
ATTEMPTS = 3
"""Maximum attempts per request."""
FIRST_PAUSE = 1.0
"""Seconds before the second attempt without a ``Retry-After`` header. They are doubled before the third."""
MAX_REDIRECTS = 5
"""Maximum responses of one attempt, including redirects."""
_KINDS = {**dict.fromkeys((401, 402, 403, 407), Kind.REFUSED), 429: Kind.RATE_LIMITED}
"""Kind of failure of single HTTP statuses. For other statuses from 400 on, the class decides: 4xx or 5xx."""
PURPOSE = "checks the references of papers"
"""Comment in the User-Agent header."""


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
        """Prepare the client. It opens no connection yet.

        ``clock`` is used for pauses and time limits, and ``contact`` is the e-mail address in the User-Agent header.
        Any service may redirect to ``known_hosts``. ``configured_hosts`` are those of the user's settings, which may
        have private addresses. Other hosts may not redirect to them, so that no response leads into the user's network.
        ``transport`` is a replacement for tests.
        """
        self._clock = clock
        self._known = frozenset(known_hosts)
        self._limiters: dict[tuple[str, str], RateLimiter] = {}
        """Rate limiters by host and group of requests."""
        self._breakers: dict[str, Breaker] = {}
        self.outgoing = RequestCounter()
        comment = f"{PURPOSE}; mailto:{contact}" if contact else PURPOSE
        self._http = httpx2.Client(
            headers={"User-Agent": f"citeproof/{__version__} ({comment})", "Accept-Encoding": "gzip, deflate"},
            transport=transport or RoutingTransport(configured_hosts, clock),
            follow_redirects=False,
            trust_env=False,  # no passwords of a .netrc; the transport chooses the proxy
        )
        # A cookie would tell a source which requests come from one user.
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
        """Send a GET request for ``path`` below the service's base URL, and return ``read(response)``.

        With ``body``, which is sent as JSON, it is a POST request. ``fields`` names the fields of the reference that
        the request contains, for the report of what was sent. ``group`` selects the rate limit. Raises
        :class:`SourceError` if the request failed, or ``read`` raised it because the response is unusable. Both count
        as failures of the service.
        """
        url = httpx2.URL(service.base_url.rstrip("/") + path)
        url = url.copy_merge_params({**(params or {}), **service.secret_params})
        headers = {"Accept": service.accept, **service.secret_headers}
        method, timeout = "GET" if body is None else "POST", _timeout(service)
        request = self._http.build_request(method, url, headers=headers, json=body, timeout=timeout)
        breaker = self._breakers.setdefault(service.name, Breaker(self._clock))
        cancel = partial(breaker.recheck, breaker.check())
        try:
            result = read(self._with_retries(partial(self._follow, service, request, group, fields, cancel), breaker))
        except SourceError as failure:
            breaker.failed(failure)
            raise
        breaker.succeeded()
        return result

    def close_circuits(self) -> bool:
        """Close all circuit breakers; return whether any was open."""
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
                    breaker.failed(failure)  # each attempt counts, so that an unreachable host is given up sooner
                is_brief = (failure.retry_after or 0.0) <= MAX_RETRY_AFTER
                if attempt == ATTEMPTS or failure.kind not in RETRIED or not is_brief:
                    raise
                backoff = FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(1.0, 1.5)  # noqa: S311
                self._clock.sleep(failure.retry_after or backoff)
        raise AssertionError("the last attempt returns or raises")

    def _follow(
        self, service: Service, request: httpx2.Request, group: str, fields: Collection[str], cancel: Callable[[], None]
    ) -> Response:
        """Send one request and follow its redirects to known hosts. ``cancel`` is called before and may raise."""
        for _ in range(MAX_REDIRECTS):
            url = request.url
            # The limit is of the base URL, so that two services on one host have limits of their own, or of a host.
            own = _origin(url) == _origin(httpx2.URL(service.base_url))
            address = service.base_url if own else f"{url.scheme}://{url.host}"
            limiter = RateLimiter(service.pace(group), self._clock)
            limiter = self._limiters.setdefault((address, group), limiter)
            with limiter.slot(cancel), self.outgoing.counted(url.host, fields):
                response, body = exchange(self._http, request, self._clock)
            limiter.slow_down(stated_pace(response.headers))
            if not response.has_redirect_location:
                return self._checked(response, body)
            request = self._redirected(service, request, response)
        raise SourceError(Kind.BAD_ANSWER, "too many redirects")

    def _redirected(self, service: Service, request: httpx2.Request, response: httpx2.Response) -> httpx2.Request:
        try:
            url = request.url.join(response.headers["location"])
        except httpx2.InvalidURL as error:
            raise SourceError(Kind.BAD_ANSWER, "redirect to an invalid URL") from error
        if url.host != request.url.host and url.host not in self._known:
            raise SourceError(Kind.UNKNOWN_HOST, url.host or "no host")
        if url.scheme not in {"https", request.url.scheme}:
            raise SourceError(Kind.FORBIDDEN_ADDRESS, f"redirect to {url.host} without TLS")
        headers = {"Accept": service.accept}
        if _origin(url) == _origin(httpx2.URL(service.base_url)):
            headers |= service.secret_headers
        return self._http.build_request("GET", url, headers=headers, timeout=_timeout(service))

    def _checked(self, response: httpx2.Response, body: bytes) -> Response:
        status = response.status_code
        if status == 404 or 200 <= status < 300:
            content_type = response.headers.get("content-type", "").lower()
            return Response(status, content_type, body, response.request.url.host)
        kind = _KINDS.get(status, Kind.SERVER_ERROR if status >= 500 else Kind.BAD_REQUEST)
        wait = None
        if kind in RETRIED:
            wait = retry_after(response.headers.get("retry-after", ""), self._clock.wall())
        raise SourceError(kind, f"HTTP status {status}", retry_after=wait)


def _timeout(service: Service) -> httpx2.Timeout:
    return httpx2.Timeout(service.timeout, connect=CONNECT_SECONDS)


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
