"""What venues are called, collected while a database is built.

A name is *stated* when a record or a title of proceedings gives it. A name is *derived* when it only follows from a
stated one: the last part of the venue's key, a name without its "conference", an acronym inside a name. A derived
name counts no records, so that a stated one always wins over it.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from citeproof.text.venue_names import acronyms, bare_words, venue_words

if TYPE_CHECKING:
    from collections.abc import Iterable


class VenueNames:
    """Names, each with the venue that it may mean and how many records state it."""

    def __init__(self) -> None:
        self._records: Counter[tuple[str, str]] = Counter()

    def add(self, venue: str, spellings: Iterable[str], records: int) -> None:
        """Count ``records`` records that call ``venue`` by each of ``spellings``.

        Papers of a workshop sometimes state the short name of the conference beside which it was held. That name
        is the conference's own, and is not counted for the workshop.
        """
        stream, beside, _ = venue.partition(":")
        stated, derived = _spelled(stream, bool(beside), tuple(spellings))
        for name in stated:
            if not (beside and self._records.get((name, stream), 0)):
                self._records[name, venue] += records
        for name in derived:
            self._records[name, venue] += 0

    def rows(self) -> list[tuple[str, str, int]]:
        """Return name, venue and number of records, as the table ``venue_names`` holds them."""
        return [(name, venue, records) for (name, venue), records in self._records.items()]


@lru_cache(maxsize=1024)  # a venue spells itself alike year after year
def _spelled(stream: str, beside: bool, spellings: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stated and the derived names that ``spellings`` come to; a workshop has no derived ones."""
    words = [venue_words(spelling) for spelling in spellings]
    stated = frozenset(" ".join(name) for name in words) - {""}
    if beside:
        return stated, frozenset()
    derived = {stream.rpartition("/")[2].lower(), *(" ".join(bare_words(name)) for name in words)}
    return stated, frozenset(derived.union(*map(acronyms, spellings)) - stated - {""})
