"""Shares of a volume that several rules ask for; ``docs/accuracy.md`` says how they are estimated."""

from __future__ import annotations

COMPLETE = 0.95
"""A volume with at least this share of its papers is taken for complete: what it lacks is not in it."""
HELD = 0.8
"""A volume at least this complete would show the work if it had appeared there as well."""
