"""The names of a conference in the titles of its proceedings.

``Proceedings of the 38th International Conference on Machine Learning, ICML 2021, 18-24 July 2021,
Virtual Event`` names the conference up to and with the acronym. City, date and
conferences beside it follow.
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
_KIND = re.compile(r"\b(?:conference|symposium|workshop|meeting|congress|colloquium|school|forum)\b", re.IGNORECASE)


def names_in_title(title: str) -> Iterator[str]:
    """Yield the names of the conference in a proceedings' title."""
    segments = [segment for segment in _SEGMENTS.split(title) if segment]
    dated = next((index for index, segment in enumerate(segments) if _MONTH.search(segment)), len(segments))
    segments = segments[:dated]
    short = [index for index, segment in enumerate(segments) if _is_short(segment)]
    end = next((index for index in short if index), len(segments) if short else 1)
    for index, segment in enumerate(segments[: end + 1]):
        acronym = _ACRONYM_YEAR.match(segment) if index in short else None
        if acronym:
            yield acronym[1]
        elif len(venue_words(segment)) > 1 and (index == 0 or index - 1 in short or _KIND.search(segment)):
            yield segment


def _is_short(segment: str) -> bool:
    """Whether a segment is an acronym with a year."""
    return bool(_ACRONYM_YEAR.match(segment)) and len(venue_words(segment)) <= 2
