"""Names of venues, collected while a database is built.

A *stated* name is given by a record or by the title of proceedings. A *derived* name follows from a stated one: the
last part of the venue's key, a name without its "conference", an acronym inside a name. A derived name counts no
records, so a stated name always wins over it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from citeproof.text.venue_names import acronyms, bare_words, venue_words

_SEGMENTS = re.compile(r"\s*[,:()]\s*|\s+[-–]\s+")
_ACRONYM_YEAR = re.compile(r"(\S+(?:\s\S+)?)(?:\s*['’]\d\d|\s+(?:19|20)\d\d|-(?:19|20)?\d\d)\.?$")
_MONTH = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b", re.IGNORECASE
)
_KIND = re.compile(r"\b(?:conference|symposium|workshop|meeting|congress|colloquium|school|forum)\b", re.IGNORECASE)


def names_in_title(title: str) -> Iterator[str]:
    """Yield the names of the conference in the title of its proceedings.

    Example: ``Proceedings of the 38th International Conference on Machine Learning, ICML 2021, 18-24 July 2021,
    Virtual Event`` yields ``Proceedings of the 38th International Conference on Machine Learning`` and ``ICML``. City,
    date and joint conferences come after the acronym.
    """
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


class VenueNames:
    """Counts how many records call a venue by a name."""

    def __init__(self) -> None:
        self._records: Counter[tuple[str, str]] = Counter()

    def add(self, venue: str, spellings: Iterable[str], records: int) -> None:
        """Count ``records`` records that call ``venue`` by each of ``spellings``.

        Papers of a workshop sometimes state the short name of its conference. That name belongs to the conference and
        is not counted for the workshop.
        """
        stream, beside, _ = venue.partition(":")
        stated, derived = _spelled(stream, bool(beside), tuple(spellings))
        for name in stated:
            if not (beside and self._records.get((name, stream), 0)):
                self._records[name, venue] += records
        for name in derived:
            self._records[name, venue] += 0

    def rows(self) -> list[tuple[str, str, int]]:
        """Return name, venue and number of records, for the table ``venue_names``."""
        return [(name, venue, records) for (name, venue), records in self._records.items()]


@lru_cache(maxsize=1024)  # a venue spells itself alike year after year
def _spelled(stream: str, beside: bool, spellings: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stated and the derived names of ``spellings``; a workshop (``beside``) has no derived ones."""
    words = [venue_words(spelling) for spelling in spellings]
    stated = frozenset(" ".join(name) for name in words) - {""}
    if beside:
        return stated, frozenset()
    derived = {stream.rpartition("/")[2].lower(), *(" ".join(bare_words(name)) for name in words)}
    return stated, frozenset(derived.union(*map(acronyms, spellings)) - stated - {""})
