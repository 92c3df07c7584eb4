"""The ``Retry-After`` header in both its forms (RFC 9110, section 10.2.3)."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\s*(\d+)(?:\.\d+)?\s*(?:,|$)")


def seconds_to_wait(header: str, now: float) -> float | None:
    """Return the seconds that ``header`` asks to wait, or None where it does not say.

    ``now`` is in seconds since the epoch. A header that was sent twice arrives as ``5, 5``.
    """
    if seconds := _SECONDS.match(header):
        return float(seconds[1])
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except (ValueError, IndexError):
        return None
