"""The title nearest to one that was not found: it explains the miss to a person, and proves nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from citeproof.models import MatchKind

if TYPE_CHECKING:
    from citeproof.models import Lookup

NEAREST_THRESHOLD = 0.87
"""Similarity from which a title below the threshold is worth showing.

Of 200 titles of the corpus with one word in six dropped, 147 reach 0.9, 176 reach 0.87 and 187 reach 0.85. For a
title that is nowhere the search costs twice as much as the miss at 0.9, and five times as much at 0.85.
"""

NEAREST_CANDIDATES = 20_000
"""The most titles that this search compares; it needs no proof, so it may be cut."""


class Searchable(Protocol):
    """A database, as far as this module asks it."""

    def look_up(self, title: str, threshold: float = 0.9, max_candidates: int = 100_000) -> Lookup:
        """Return the answer to one title."""


def with_nearest(database: Searchable, lookup: Lookup, max_candidates: int) -> Lookup:
    """Return ``lookup`` with the nearest title, where it found none and the method that answered names none."""
    if lookup.found or lookup.nearest or lookup.threshold <= NEAREST_THRESHOLD:
        return lookup
    near = database.look_up(lookup.query, NEAREST_THRESHOLD, min(max_candidates, NEAREST_CANDIDATES))
    nearest = replace(near.candidates[0], match=MatchKind.NEARBY) if near.found else near.nearest
    return replace(lookup, nearest=nearest, milliseconds=lookup.milliseconds + near.milliseconds)
