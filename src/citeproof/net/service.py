"""One service at one address: where it is, how fast it may be asked, and with which key."""

from __future__ import annotations

from dataclasses import dataclass, field

from citeproof.net.pace import Pace

_LAST_PORT = 65535


@dataclass(frozen=True, slots=True)
class Service:
    """What the client must know of a source before it asks anything."""

    name: str
    base_url: str
    paces: dict[str, Pace] = field(default_factory=dict)
    """The pace of each lane; a lane that is not named here has that of the lane ``""``."""
    secret_headers: dict[str, str] = field(default_factory=dict, repr=False)
    """Sent to the host of ``base_url`` and to no other."""
    secret_params: dict[str, str] = field(default_factory=dict, repr=False)
    timeout: float = 20.0
    """Seconds that a host may stay silent."""

    @property
    def host(self) -> str:
        """The host of ``base_url``, without port."""
        return http_host(self.base_url)

    def pace(self, lane: str) -> Pace:
        """Return the pace of ``lane``."""
        return self.paces.get(lane) or self.paces.get("") or Pace(1)


@dataclass(frozen=True, slots=True)
class Access:
    """How a user reaches one service."""

    base_url: str = ""
    """Another address than the service's own: a mirror, or a server of one's own."""
    key: str = field(default="", repr=False)
    contact: str = ""
    """An e-mail address for its operators."""


def http_host(url: str) -> str:
    """Return the host of ``url``, without port; empty where ``url`` is no http address that could be asked."""
    import httpx2  # here, because `citeproof sources` lists the services without the extra `online` too

    try:
        parts = httpx2.URL(url)
    except httpx2.InvalidURL:
        return ""
    usable = parts.scheme in {"http", "https"} and (parts.port or 0) <= _LAST_PORT and "%" not in parts.host
    return parts.host if usable else ""
