"""Find years in texts, also years of two digits."""

import re

_LAST_SHORT = 60  # largest number of two digits that stands for a year from 2000: 60 is 2060
YEAR = re.compile(r"\b((?:19|20)\d\d)\b|['’](\d\d)\b")
"""Regex for a year in a text: ``2016`` or ``'16``."""


def whole_year(short: int) -> int:
    """Return the year that ``short``, a number of two digits, stands for: 2016 for 16, 1983 for
    83.
    """
    return short + (1900 if short > _LAST_SHORT else 2000)


def years_in(text: str) -> set[int]:
    """Return the years that ``text`` names: 2016 and 1983 for ``CVPR 2016 and FCT '83``."""
    return {int(whole) if whole else whole_year(int(short)) for whole, short in YEAR.findall(text)}
