"""The names of a conference in the titles of its proceedings.

``Proceedings of the 38th International Conference on Machine Learning, ICML 2021, 18-24 July 2021,
Virtual Event`` names the conference up to and with the acronym; place, date and conferences held
beside it come behind.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.text.venue_names import venue_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEGMENTS = re.compile(r"\s*[,:()]\s*|\s+[-–]\s+")
_ACRONYM_YEAR = re.compile(r"(\S+(?:\s\S+)?)(?:\s*['’]\d\d|\s+(?:19|20)\d\d|-(?:19|20)?\d\d)\.?$")
_MONTH = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b", re.IGNORECASE
)


def names_in_title(title: str) -> Iterator[str]:
    """Yield the names of the conference in a proceedings' title."""
    segments = [segment for segment in _SEGMENTS.split(title) if segment]
    named = False
    for place, segment in enumerate(segments):
        if _MONTH.search(segment):
            return
        acronym = _ACRONYM_YEAR.match(segment)
        if acronym and len(venue_words(segment)) <= 2:
            yield acronym[1]
            if named:
                return
        elif place == 0 or (named is False) or _acronym_follows(segments, place):
            if len(venue_words(segment)) >= 2:
                yield segment
                named = True
        else:
            return


def _acronym_follows(segments: list[str], place: int) -> bool:
    """Whether the next segment is an acronym with a year, so that this one still belongs to the name."""
    return place + 1 < len(segments) and bool(_ACRONYM_YEAR.match(segments[place + 1]))
