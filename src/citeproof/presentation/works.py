"""The works that a reference may mean, as few as explain it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Status
from citeproof.wording import relation

if TYPE_CHECKING:
    from citeproof.models import NearestWork, Record, Verdict

_MOST_NAMES = 3


def works(verdict: Verdict) -> tuple[tuple[str, NearestWork], ...]:
    """Return the work that was meant with what it is to the reference.

    Of a reference that mixes two works both are shown: the one of its title, and the one of its DOI. A work whose
    title is merely alike explains nothing.
    """
    named = ((relation(work), work) for work in verdict.meant)
    telling = [(said, work) for said, work in named if said == "meant" or said.endswith(" of")]
    return tuple(telling[: 2 if verdict.status is Status.INVALID else 1])


def facts(record: Record) -> str:
    """Return people, venue and year of a work in one line: ``Leslie G. Valiant, Commun. ACM 1984``."""
    people, more = record.authors[:_MOST_NAMES], len(record.authors) - _MOST_NAMES
    names = ", ".join(people) + (f" and {more} more" if more > 0 else "")
    return ", ".join(filter(None, (names, f"{record.venue} {record.year or ''}".strip())))
