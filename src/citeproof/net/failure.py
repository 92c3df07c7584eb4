"""Why a source gave no usable answer: one error with a kind, so that the rest never sees an HTTP library's own."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What went wrong; the value is what evidence shows."""

    CONNECTION = "no connection"
    """None could be made, so nothing was sent."""
    LOST = "connection lost"
    TIMEOUT = "timed out"
    RATE_LIMITED = "rate limited"
    SERVER_ERROR = "server error"
    REFUSED = "refused"
    """The request or its key: asking again would be refused again."""
    BAD_REQUEST = "did not accept the request"
    BAD_ANSWER = "unusable answer"
    """HTML in place of data, cut JSON, a shape that the source never had."""
    OTHER_WORK = "answered about another work"
    TOO_LARGE = "answer too large"
    NOT_DESCRIBED = "exists, but is not described"
    FORBIDDEN_ADDRESS = "address not allowed"
    """A private or loopback address, or a redirect that leaves TLS."""
    UNKNOWN_HOST = "redirect not followed"
    """It leads to a host that is no source's."""
    CIRCUIT_OPEN = "not asked after repeated failures"
    OUT_FOR_THE_RUN = "not asked again in this run"
    STOPPED = "the run was stopped"


RETRIED = frozenset({Kind.CONNECTION, Kind.LOST, Kind.TIMEOUT, Kind.RATE_LIMITED, Kind.SERVER_ERROR})
"""What may pass by itself within seconds."""

NOTHING_SENT = frozenset({Kind.CONNECTION, Kind.FORBIDDEN_ADDRESS})
"""What is known before a byte of the request has left the machine."""

NOT_COUNTED = frozenset(
    {Kind.BAD_REQUEST, Kind.NOT_DESCRIBED, Kind.UNKNOWN_HOST, Kind.CIRCUIT_OPEN, Kind.OUT_FOR_THE_RUN, Kind.STOPPED}
)
"""What the circuit breaker does not count: it says nothing new about whether the source works."""


class SourceError(Exception):
    """A source gave no usable answer. The text names the kind and the reason, and never holds a key or a query."""

    def __init__(self, kind: Kind, reason: str = "", *, retry_after: float | None = None) -> None:
        not_asked = kind in {Kind.CIRCUIT_OPEN, Kind.OUT_FOR_THE_RUN} and reason  # the reason is another failure's text
        super().__init__(f"{reason} ({kind.value})" if not_asked else ": ".join(filter(None, (kind.value, reason))))
        self.kind = kind
        self.retry_after = retry_after
        """Seconds after which the source says it may be asked again."""
