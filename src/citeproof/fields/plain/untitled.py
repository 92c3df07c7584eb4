"""Works whose title is not given: what speaks for a stretch of text being their venue.

``Willems, E. P. Environment and Behavior 1990, 22, 468`` has numbers right behind it, and a journal must be named.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from citeproof.fields.plain.signs import weight_of

if TYPE_CHECKING:
    from citeproof.fields.plain.titles import Title, Titles

SHORT = 4
_NO_TITLE_BEGINS = frozenset("iIpP")
_NO_TITLE = re.compile(
    r"in |(?i:personal|private) +communication|[^\W\d_]{1,4}$|[\W\d_]*$|\d{1,2} [^\W\d_]+ (?:1[89]|20)\d\d$"
)
"""What is never a title: a venue behind ``in``, a talk between two, a short abbreviation, numbers, a date.

Each begins with a letter of ``_NO_TITLE_BEGINS`` or with none, or has at most ``SHORT`` letters.
"""
_NONE = ("untitled", "untitled:no_title")
_LOOKS = ("container", "abbreviated", "plain")
_MOST_NUMBERS = 4


def may_be_odd(first: str, length: int) -> bool:
    """Whether a title with that first letter and so many letters may be none: told in a fraction of a match's time."""
    return length <= SHORT or first in _NO_TITLE_BEGINS or not first.isalpha()


def signs_of_venue(title: Title, known: Titles) -> tuple[str, ...]:
    """Return what speaks for ``title`` being the venue of a work without one; empty where it cannot be."""
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
    return _as_venue(looks, min(title.numbers - 1, _MOST_NUMBERS))


@cache
def _as_venue(looks: str, numbers: int) -> tuple[str, ...]:
    return "untitled", f"untitled:{numbers}", f"untitled:{looks}", f"untitled:{looks}:{numbers}"


def _most(numbers: int, odd: bool) -> int:
    named = [_as_venue(looks, numbers - 1) for looks in _LOOKS if numbers]
    return max(map(weight_of, [*named, *[_NONE] * odd]), default=0)


MOST_AS_VENUE = [[_most(numbers, odd) for odd in (False, True)] for numbers in range(_MOST_NUMBERS + 2)]
"""What a stretch weighs at most as a venue, by :attr:`Title.numbers` up to the last that counts, and by whether it may
be no title."""
