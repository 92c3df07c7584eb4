"""What a method of looking titles up brings back: which records, how alike, and how sure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Self

from citeproof.frozen import frozen
from citeproof.models import MatchKind
from citeproof.text.similarity import similarities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citeproof.models import Record


class Match(NamedTuple):
    """A record whose title was compared with the query."""

    similarity: float
    """Normalised Indel similarity, the correctly rounded quotient of two integers."""
    record_id: int
    kind: MatchKind = MatchKind.TITLE
    record: Record | None = None
    """The record itself, where the method has read it."""


@frozen
class Matches:
    """The answer of one method to one title."""

    found: tuple[Match, ...]
    """At or above the threshold, best first, equally good ones by record id."""
    nearest: Match | None
    """The best below the threshold, where nothing was found and the method knows one."""
    examined: int
    """Titles that were compared with the query."""
    complete: bool
    """Nothing better can exist."""
    cut: bool = False
    """The most candidates that were allowed ended the search."""
    more: int = 0
    """Records at or above the threshold beyond those of ``found``, where an answer is limited."""

    def first(self, most: int) -> Self:
        """Return this with at most ``most`` records found."""
        return replace(self, found=self.found[:most], more=self.more + len(self.found[most:]))

    def reaching(self, threshold: float) -> Self:
        """Return what of this reaches a higher ``threshold``, or the best that does not as the nearest."""
        found = tuple(match for match in self.found if match.similarity >= threshold)
        if len(found) == len(self.found) and not (found and self.nearest):
            return self
        return replace(self, found=found, nearest=None if found else next(iter(self.found), self.nearest))


def compare(query: str, titles: Mapping[int, str], threshold: float) -> tuple[tuple[Match, ...], Match | None]:
    """Return which of the normalised ``titles`` of records reach ``threshold``, and if none does, the nearest.

    Of equally near ones that is the first. The similarity is an exact quotient, rounded once, so that one equal to the
    threshold is never lost.
    """
    if not titles:
        return (), None
    ids, alike = list(titles), similarities(query, list(titles.values()))
    reached = (alike >= threshold).nonzero()[0].tolist()
    if not reached:
        best = int(alike.argmax())
        return (), Match(float(alike[best]), ids[best])
    found = [Match(float(alike[place]), ids[place]) for place in reached]
    return tuple(sorted(found, key=lambda match: (-match.similarity, match.record_id))), None
