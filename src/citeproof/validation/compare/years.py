"""Years that no volume can bear yet."""

from __future__ import annotations

_AHEAD = 1
"""Years by which publishers date their volumes ahead, so that a record may state a year to come."""


def is_far_ahead(cited: int | None, this_year: int) -> bool:
    """Whether no volume can bear the cited year yet, whatever a record says."""
    return cited is not None and cited > this_year + _AHEAD
