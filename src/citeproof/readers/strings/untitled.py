"""Works cited without a title: signs that a stretch of text is the venue.

In ``Willems, E. P. Environment and Behavior 1990, 22, 468`` numbers follow directly: the stretch is a journal.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from citeproof.readers.strings.signs import weight_of

if TYPE_CHECKING:
    from citeproof.readers.strings.titles import Title, Titles

SHORT = 4
_NO_TITLE_BEGINS = frozenset("iIpP")
_NO_TITLE = re.compile(
    r"in |(?i:personal|private) +communication|[^\W\d_]{1,4}$|[\W\d_]*$|\d{1,2} [^\W\d_]+ (?:1[89]|20)\d\d$"
)
"""Regex of texts that are never titles: ``in`` and a venue, a personal communication, a short abbreviation, a date.

Each begins with a letter of ``_NO_TITLE_BEGINS`` or with a non-letter, or has at most ``SHORT`` letters.
"""
_NONE = ("untitled", "untitled:no_title")
_LOOKS = ("container", "abbreviated", "plain")
_MOST_NUMBERS = 4
A_YEAR = _MOST_NUMBERS + 2
"""Value of ``numbers`` if a single year follows, as after most titles; otherwise it is one more than their number."""
_LONG = 7
"""Number of words from which a name is long: few journals have such names."""
_IS_LONG, _HAS_TITLE_WORDS = "untitled:long", "untitled:title_words"


def may_be_odd(first: str, length: int) -> bool:
    """Return whether a text with this first letter and length may be no title; a fast check before the regex."""
    return length <= SHORT or first in _NO_TITLE_BEGINS or not first.isalpha()


def signs_of_venue(title: Title, known: Titles) -> tuple[str, ...]:
    """Return the signs that ``title`` is the venue of a work without a title; empty if it cannot be."""
    if title.ending == "quote":
        return ()
    no_title = may_be_odd(title.text[:1], len(title.text)) and _NO_TITLE.match(title.text)
    if not (no_title or title.numbers) or known.holds_in(title):
        return ()
    if no_title:
        return _NONE
    looks = "abbreviated" if title.is_abbreviated else "plain"
    if known.begins_as_venue(title) or known.names_venue(title):
        looks = "container"
    signs = _as_venue(looks, title.numbers)
    if title.text.count(" ") >= _LONG - 1:
        signs = (*signs, _IS_LONG)
    return (*signs, _HAS_TITLE_WORDS) if known.has_title_words(title) else signs


@cache
def _as_venue(looks: str, numbers: int) -> tuple[str, ...]:
    count = "year" if numbers == A_YEAR else f"{min(numbers - 1, _MOST_NUMBERS)}"
    return "untitled", f"untitled:{count}", f"untitled:{looks}", f"untitled:{looks}:{count}"


def _most(numbers: int, odd: bool) -> int:
    named = [_as_venue(looks, numbers) for looks in _LOOKS if numbers]
    more = sum(max(0, weight_of((sign,))) for sign in (_IS_LONG, _HAS_TITLE_WORDS))
    return more + max(map(weight_of, [*named, *[_NONE] * odd]), default=0)


MOST_AS_VENUE = [[_most(numbers, odd) for odd in (False, True)] for numbers in range(A_YEAR + 1)]
"""Upper bound of the weight as a venue, by :attr:`Title.numbers` and by the result of :func:`may_be_odd`."""
