"""The settings of one service for the client: base URL, rate limits and secrets."""

from __future__ import annotations

from dataclasses import dataclass, field

_MAX_PORT = 65535


@dataclass(frozen=True, slots=True)
class Pace:
    """A rate limit: at most ``requests`` in any interval of ``seconds``, over at most ``connections`` at a time."""

    requests: int
    seconds: float = 1.0
    connections: int = 4


@dataclass(frozen=True, slots=True)
class Service:
    """A service that the client can send requests to."""

    name: str
    base_url: str
    paces: dict[str, Pace] = field(default_factory=dict)
    """Rate limits by group of requests. A group without an entry has the limit of the group ``""``."""
    secret_headers: dict[str, str] = field(default_factory=dict, repr=False)
    """Headers that are sent only to the origin of ``base_url``."""
    secret_params: dict[str, str] = field(default_factory=dict, repr=False)
    """Query parameters of every request; redirects do not get them."""
    timeout: float = 20.0
    """Maximum seconds without a byte from the host."""

    @property
    def host(self) -> str:
        """The host of ``base_url``, without port."""
        return http_host(self.base_url)

    def pace(self, group: str) -> Pace:
        """Return the rate limit of ``group``; without any limit, one request per second."""
        return self.paces.get(group) or self.paces.get("") or Pace(1)


@dataclass(frozen=True, slots=True)
class Access:
    """A user's settings for one service."""

    base_url: str = ""
    """URL of a mirror or of the user's own server; empty for the service's usual URL."""
    key: str = field(default="", repr=False)
    contact: str = ""
    """E-mail address of the user, for the service's operators."""


def http_host(url: str) -> str:
    """Return the host of ``url``, without port; empty if ``url`` is not a valid http or https URL."""
    import httpx2  # imported late, because `citeproof sources` and offline runs need no HTTP client

    try:
        parts = httpx2.URL(url)
    except httpx2.InvalidURL:
        return ""
    usable = parts.scheme in {"http", "https"} and (parts.port or 0) <= _MAX_PORT and "%" not in parts.host
    return parts.host if usable else ""
