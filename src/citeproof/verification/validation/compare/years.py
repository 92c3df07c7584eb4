"""Future years."""

from __future__ import annotations

_AHEAD = 1
"""Maximum number of years by which publishers date volumes ahead."""


def is_far_ahead(cited: int | None, this_year: int) -> bool:
    """Return whether the cited year is too far in the future for any volume."""
    return cited is not None and cited > this_year + _AHEAD
