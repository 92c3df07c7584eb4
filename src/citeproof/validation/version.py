"""Another version: what differs from the version that is held need not be wrong of the one that is cited."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.validation.difference import Difference

CODES = {
    "version.differs": "What differs may be so in another version of the work, at the cited venue, which is not held."
}
_ELSEWHERE = frozenset({"venue.not_confirmed", "preprint.not_confirmed"})
_MAY_DIFFER = frozenset({"doi.differs", "doi.other_volume", "year.off"})
_OF_ANOTHER_YEAR = frozenset({"doi.differs"})
"""A poster of one year and the paper of the next have one title and two DOIs."""
_PEOPLE = frozenset({"authors.dropped", "authors.not_on_record"})


def other_version(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """Leave open what may be right of a version at the cited venue, where that venue is not held.

    A conference paper and its journal version have other DOIs, and may have other years. Other
    people join in years: with a year equal or one off, a list that differs stays an issue.
    """
    codes = {item.code for item in differences}
    left_open: frozenset[str] = frozenset()
    if codes & _ELSEWHERE:
        left_open = _MAY_DIFFER | _PEOPLE if "year.off" in codes else _MAY_DIFFER
    elif "year.near" in codes:
        left_open = _OF_ANOTHER_YEAR
    return tuple(_left_open(item) if item.code in left_open else item for item in differences)


def _left_open(item: Difference) -> Difference:
    return replace(item, code="version.differs", explanation=f"{item.explanation}; another version may be meant")
