"""Another version: what differs from the version that is held need not be wrong of the one that is cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.codes import issue

if TYPE_CHECKING:
    from citeproof.models import Issue

_ELSEWHERE = frozenset({"venue.not_confirmed", "preprint.not_confirmed"})
_MAY_DIFFER = frozenset({"authors.dropped", "authors.not_on_record", "doi.differs", "doi.other_volume", "year.off"})


def other_version(issues: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """Leave open what may be right of a version at the cited venue, where that venue is not held.

    A conference paper and its journal version may have other authors, another year, another DOI.
    """
    if not any(item.code in _ELSEWHERE for item in issues):
        return issues
    return tuple(_left_open(item) if item.code in _MAY_DIFFER else item for item in issues)


def _left_open(item: Issue) -> Issue:
    return issue("version.differs", item.cited, item.recorded, f"{item.explanation}; another version may be meant")
