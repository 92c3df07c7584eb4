"""Sizes, numbers and times for people, with no more digits than are known."""

from __future__ import annotations


def size(count: int) -> str:
    """Return a number of bytes: ``65 MB``, ``1.1 GB``, ``330 GB``."""
    for unit, one in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= one:
            return f"{count / one:,.{int(count < 10 * one)}f} {unit}"
    return f"{count} bytes"


def count(number: int) -> str:
    """Return a number: ``65,000``, ``8.2 million``."""
    return f"{number / 10**6:,.{int(number < 10**7)}f} million" if number >= 10**6 else f"{number:,}"


def duration(seconds: float) -> str:
    """Return a time: ``less than a minute``, ``5 minutes``, ``9 hours``."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    if minutes < 120:
        return f"{minutes} minute{'s' * (minutes > 1)}"
    return f"{minutes / 60:,.0f} hours"
