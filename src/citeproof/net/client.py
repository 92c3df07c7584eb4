"""The one HTTP client: User-Agent, time limits, size limit, known hosts, pace, retries, circuit breakers.

Every failure comes out as :class:`~citeproof.net.failure.SourceError`; an answer comes back only
with a status below 400, or 404, which is how sources say that they do not have something.
"""

from __future__ import annotations

import random
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, TypeVar

import httpx2

from citeproof.net.answer import Answer
from citeproof.net.breaker import LONGEST_RETRY_AFTER, Breaker
from citeproof.net.exchange import exchange
from citeproof.net.failure import RETRIED, Kind, SourceError
from citeproof.net.outgoing import RequestCounter
from citeproof.net.pace import Pacer, stated_pace
from citeproof.net.retry_after import seconds_to_wait
from citeproof.net.transport import GuardedTransport
from citeproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from citeproof.net.breaker import Permit
    from citeproof.net.clock import Clock
    from citeproof.net.service import Service

T = TypeVar("T")
Transport = httpx2.BaseTransport
"""What carries requests; tests hand in one of their own."""

CONNECT_SECONDS = 5.0
ATTEMPTS = 3
FIRST_PAUSE = 1.0
"""Seconds before the second attempt, where the server asks for no other pause; twice as long before the third."""
REDIRECTS = 5
PURPOSE = "checks the references of papers"


class Client:
    """Asks services over HTTP. Safe to share between threads; one for a run."""

    def __init__(
        self,
        clock: Clock,
        *,
        contact: str = "",
        known_hosts: Collection[str] = (),
        configured_hosts: Collection[str] = (),
        transport: Transport | None = None,
    ) -> None:
        """Take the ``contact`` address for the User-Agent, and the hosts that may be asked.

        ``known_hosts`` may be redirected to; ``configured_hosts`` may be private, and are redirected to by themselves
        alone, so that no answer from outside leads into the user's own network.
        """
        self._clock = clock
        self._known = frozenset(known_hosts)
        self._pacer = Pacer(clock)
        self._breakers: dict[str, Breaker] = {}
        self.outgoing = RequestCounter()
        comment = f"{PURPOSE}; mailto:{contact}" if contact else PURPOSE
        self._http = httpx2.Client(
            headers={"User-Agent": f"citeproof/{__version__} ({comment})", "Accept-Encoding": "gzip, deflate"},
            transport=transport or GuardedTransport(configured_hosts, clock),
            follow_redirects=False,
            trust_env=False,  # neither proxies nor a .netrc with other people's passwords
        )
        # A cookie would tell a source which questions come from one place.
        self._http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))

    def get(
        self,
        service: Service,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        read: Callable[[Answer], T],
        fields: Collection[str],
        lane: str = "",
        accept: str = "application/json",
    ) -> T:
        """Return what ``read`` makes of the answer to one GET of ``path`` below the service's address.

        ``fields`` names the fields of the reference that the question carries, for the account of what was sent.
        Raises :class:`SourceError`, also one of ``read``: an unreadable answer is a failure of the source.
        """
        request = self._request(service, "GET", path, params or {}, None, accept)
        return self._ask(service, request, read, fields, lane)

    def post(
        self, service: Service, path: str, body: object, *, read: Callable[[Answer], T], fields: Collection[str]
    ) -> T:
        """Return what ``read`` makes of the answer to one POST of ``body`` as JSON. Raises :class:`SourceError`."""
        request = self._request(service, "POST", path, {}, body, "application/json")
        return self._ask(service, request, read, fields, "")

    def close_circuits(self) -> bool:
        """Close the circuits that failures have opened; return whether any was open."""
        return sum(breaker.close() for breaker in list(self._breakers.values())) > 0

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def _request(
        self, service: Service, method: str, path: str, params: Mapping[str, str], body: object, accept: str
    ) -> httpx2.Request:
        url = httpx2.URL(service.base_url.rstrip("/") + path).copy_merge_params({**params, **service.secret_params})
        return self._http.build_request(
            method,
            url,
            headers={"Accept": accept, **service.secret_headers},
            json=body,
            timeout=httpx2.Timeout(service.timeout, connect=CONNECT_SECONDS),
        )

    def _ask(
        self,
        service: Service,
        request: httpx2.Request,
        read: Callable[[Answer], T],
        fields: Collection[str],
        lane: str,
    ) -> T:
        breaker = self._breakers.setdefault(service.name, Breaker(self._clock))
        permit = breaker.check()
        try:
            result = read(self._with_retries(service, request, fields, lane, permit))
        except SourceError as failure:
            breaker.failed(failure)
            raise
        breaker.succeeded()
        return result

    def _with_retries(
        self, service: Service, request: httpx2.Request, fields: Collection[str], lane: str, permit: Permit
    ) -> Answer:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._follow(service, request, fields, lane, permit)
            except SourceError as failure:
                if failure.kind is Kind.CONNECTION:
                    permit.unreachable(str(failure))
                if attempt == ATTEMPTS or not _may_pass(failure):
                    raise
                backoff = FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(1.0, 1.5)  # noqa: S311
                self._clock.sleep(failure.retry_after or backoff)
        raise AssertionError("the last attempt returns or raises")

    def _follow(
        self, service: Service, request: httpx2.Request, fields: Collection[str], lane: str, permit: Permit
    ) -> Answer:
        """Send one request and follow its redirects, as far as they lead to known hosts."""
        for _ in range(REDIRECTS):
            bucket = self._pacer.bucket(_place(service, request.url), lane, service.pace(lane))
            with bucket.place(permit.recheck), self.outgoing.counted(request.url.host, fields):
                response, body = exchange(self._http, request, self._clock)
            bucket.slow_down(stated_pace(response.headers))
            if not response.has_redirect_location:
                return self._answer(response, body)
            request = self._redirected(service, request, response)
        raise SourceError(Kind.BAD_ANSWER, "too many redirects")

    def _redirected(self, service: Service, request: httpx2.Request, response: httpx2.Response) -> httpx2.Request:
        try:
            url = request.url.join(response.headers["location"])
        except httpx2.InvalidURL as error:
            raise SourceError(Kind.BAD_ANSWER, "redirect to no address") from error
        if url.host != request.url.host and url.host not in self._known:
            raise SourceError(Kind.UNKNOWN_HOST, url.host or "no host")
        if url.scheme not in {"https", request.url.scheme}:
            raise SourceError(Kind.FORBIDDEN_ADDRESS, f"redirect to {url.host} without TLS")
        headers: dict[str, Any] = {"Accept": request.headers["accept"]}
        if (url.scheme, url.host, url.port) == _origin(service):
            headers |= service.secret_headers
        timeout = httpx2.Timeout(service.timeout, connect=CONNECT_SECONDS)
        return self._http.build_request("GET", url, headers=headers, timeout=timeout)

    def _answer(self, response: httpx2.Response, body: bytes) -> Answer:
        status = response.status_code
        if status == 404 or 200 <= status < 300:
            content_type = response.headers.get("content-type", "").lower()
            return Answer(status, content_type, body, response.request.url.host)
        reason = f"HTTP status {status}"
        wait = seconds_to_wait(response.headers.get("retry-after", ""), self._clock.wall())
        if status in {401, 402, 403}:
            raise SourceError(Kind.REFUSED, reason)
        if status == 429:
            raise SourceError(Kind.RATE_LIMITED, reason, retry_after=wait)
        if status >= 500:
            raise SourceError(Kind.SERVER_ERROR, reason, retry_after=wait)
        raise SourceError(Kind.BAD_REQUEST, reason)


def _may_pass(failure: SourceError) -> bool:
    """Whether to try again: the failure may pass within seconds, and the server asks for no longer pause."""
    return failure.kind in RETRIED and (failure.retry_after or 0.0) <= LONGEST_RETRY_AFTER


def _place(service: Service, url: httpx2.URL) -> str:
    """Return whose pace counts: the service's own address, or the host that it sent us to.

    A host that serves several services, such as a mirror, has a pace for each.
    """
    if (url.scheme, url.host, url.port) == _origin(service):
        return service.base_url
    return f"{url.scheme}://{url.host}"


def _origin(service: Service) -> tuple[str, str, int | None]:
    url = httpx2.URL(service.base_url)
    return url.scheme, url.host, url.port
