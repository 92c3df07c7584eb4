"""Types that the HTTP client and its callers use: settings of services, responses, failures, rate
limits, and the clock.
"""

import json
import threading
import time
from dataclasses import dataclass, field
from enum import StrEnum

from citeproof.model.stored import JsonObject

MAX_BODY = 5 * 1024 * 1024
"""Maximum number of bytes of a decompressed response, unless a service sets another maximum."""


class Kind(StrEnum):
    """A kind of failure of a request. The value is a text for the user."""

    CONNECTION = "no connection"  # the connection could not be opened, so nothing was sent
    LOST = "connection lost"
    TIMEOUT = "timed out"
    RATE_LIMITED = "rate limited"
    SERVER_ERROR = "server error"
    REFUSED = "refused"  # a status such as 401 or 403; a retry would be refused too
    BAD_REQUEST = "did not accept the request"
    # HTML instead of data, truncated JSON, or data of an unexpected form
    BAD_ANSWER = "unusable answer"
    OTHER_WORK = "answered about another work"
    TOO_LARGE = "answer too large"
    NOT_DESCRIBED = "exists, but is not described"
    # a private or loopback address, or a redirect from https to http
    FORBIDDEN_ADDRESS = "address not allowed"
    UNKNOWN_HOST = "redirect not followed"  # a redirect to a host that belongs to no source
    CIRCUIT_OPEN = "not asked after repeated failures"
    OUT_FOR_THE_RUN = "not asked again in this run"
    STOPPED = "the run was stopped"


RETRIED = frozenset(
    {Kind.CONNECTION, Kind.LOST, Kind.TIMEOUT, Kind.RATE_LIMITED, Kind.SERVER_ERROR}
)
"""Kinds of failure after which the client sends the request again, because the cause may end within
seconds.
"""
NOTHING_SENT = frozenset({Kind.CONNECTION, Kind.FORBIDDEN_ADDRESS})
"""Kinds of failure that happen before any byte of the request is sent."""
NOT_COUNTED = frozenset(
    {
        Kind.BAD_REQUEST,
        Kind.NOT_DESCRIBED,
        Kind.UNKNOWN_HOST,
        Kind.CIRCUIT_OPEN,
        Kind.OUT_FOR_THE_RUN,
        Kind.STOPPED,
    }
)
"""Kinds of failure that the circuit breaker ignores, because they do not show that the service is
down.
"""


class SourceError(Exception):
    """Raised if a request to a service has no usable response.

    The message states the reason, and contains neither API keys nor the query.
    """

    def __init__(self, kind: Kind, reason: str = "", *, retry_after: float | None = None) -> None:
        # for a request that was not sent, ``reason`` is the message of the earlier failure
        not_sent = kind in {Kind.CIRCUIT_OPEN, Kind.OUT_FOR_THE_RUN} and reason
        super().__init__(
            f"{reason} ({kind.value})"
            if not_sent
            else ": ".join(filter(None, (kind.value, reason)))
        )
        self.kind = kind
        self.retry_after = retry_after  # seconds to wait; None without a ``Retry-After`` header


class Clock:
    """The system clock, with pauses that another thread can end. Tests replace it by a clock that
    does not wait.
    """

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def monotonic(self) -> float:
        """Return the time in seconds of a clock that never goes backwards. Its zero is
        arbitrary.
        """
        return time.monotonic()

    def wall(self) -> float:
        """Return the Unix time in seconds."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait for ``seconds``.

        Raises :class:`SourceError` of the kind ``STOPPED`` if :meth:`stop` was called before or is
        called meanwhile.
        """
        if self._stopped.wait(seconds):
            raise SourceError(Kind.STOPPED)

    def stop(self) -> None:
        """End all current and later pauses, so that an interrupted run exits at once."""
        self._stopped.set()

    @property
    def stopped(self) -> bool:
        """Whether :meth:`stop` was called."""
        return self._stopped.is_set()


@dataclass(frozen=True, slots=True)
class Response:
    """A complete HTTP response with status 2xx or 404."""

    status: int
    content_type: str
    body: bytes
    host: str = ""  # host of the final URL, after redirects

    @property
    def not_found(self) -> bool:
        """Whether the status is 404: the service does not have the requested item."""
        return self.status == 404

    def data(self) -> bytes:
        """Return the body.

        Raises :class:`SourceError` if the body is HTML, such as the log-in page of a wireless
        network.
        """
        if "html" in self.content_type:
            raise SourceError(Kind.BAD_ANSWER, "HTML instead of data")
        return self.body

    def json_object(self) -> JsonObject:
        """Return the body parsed as JSON.

        Raises :class:`SourceError` if the body is not a JSON object.
        """
        try:
            value = json.loads(self.data())
        except (ValueError, RecursionError) as error:
            raise SourceError(
                Kind.BAD_ANSWER, "not JSON, or cut off" if self.body.strip() else "empty body"
            ) from error
        if not isinstance(value, dict):
            raise SourceError(Kind.BAD_ANSWER, "not a JSON object")
        return value


@dataclass(frozen=True, slots=True)
class Pace:
    """A rate limit: at most ``requests`` requests in ``seconds`` seconds, and ``connections``
    connections at a time.
    """

    requests: int
    seconds: float = 1.0
    connections: int = 4


@dataclass(frozen=True, slots=True)
class Service:
    """Settings of a service to which the client sends requests."""

    name: str
    base_url: str
    paces: dict[str, Pace] = field(default_factory=dict)
    """Map from a group of requests, such as ``search``, to its rate limit. The limit for the key
    ``""`` is the default.
    """
    secret_headers: dict[str, str] = field(default_factory=dict, repr=False)
    """Headers with an API key. They are sent only to the origin of ``base_url``."""
    secret_params: dict[str, str] = field(default_factory=dict, repr=False)
    """Query parameters of every request, such as an API key.

    They are not added to redirected requests.
    """
    accept: str = "application/json"  # value of the ``Accept`` header
    timeout: float = 20.0  # maximum seconds between two bytes of a response
    largest: int = MAX_BODY  # maximum number of bytes of a decompressed response

    def pace(self, group: str) -> Pace:
        """Return the rate limit of a group of requests. The default is one request per second."""
        return self.paces.get(group) or self.paces.get("") or Pace(1)


@dataclass(frozen=True, slots=True)
class Access:
    """A user's settings for access to one service."""

    # URL of a mirror or of the user's own server; empty for the usual URL of the service
    base_url: str = ""
    key: str = field(default="", repr=False)
    contact: str = ""  # e-mail address of the user, for the service's operators


def http_host(url: str) -> str:
    """Return the host of ``url`` without the port. The result is empty if ``url`` is not a valid
    http or https URL.
    """
    import httpx2  # imported late, because `citeproof sources` and offline runs need no HTTP client

    try:
        parts = httpx2.URL(url)
    except httpx2.InvalidURL:
        return ""
    usable = (
        parts.scheme in {"http", "https"} and (parts.port or 0) <= 65535 and "%" not in parts.host
    )
    return parts.host if usable else ""
