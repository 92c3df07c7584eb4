"""Another version: what differs from the version that is held need not be wrong of the one that is cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.codes import issue

if TYPE_CHECKING:
    from citeproof.models import Issue

_ELSEWHERE = frozenset({"venue.not_confirmed", "preprint.not_confirmed"})
_MAY_DIFFER = frozenset({"doi.differs", "doi.other_volume", "year.off"})
_PEOPLE = frozenset({"authors.dropped", "authors.not_on_record"})


def other_version(issues: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """Leave open what may be right of a version at the cited venue, where that venue is not held.

    A conference paper and its journal version have other DOIs, and may have other years. Other
    people join in years: with a year equal or one off, a list that differs stays an issue.
    """
    codes = {item.code for item in issues}
    if not codes & _ELSEWHERE:
        return issues
    left_open = _MAY_DIFFER | _PEOPLE if "year.off" in codes else _MAY_DIFFER
    return tuple(_left_open(item) if item.code in left_open else item for item in issues)


def _left_open(item: Issue) -> Issue:
    return issue("version.differs", item.cited, item.recorded, f"{item.explanation}; another version may be meant")
