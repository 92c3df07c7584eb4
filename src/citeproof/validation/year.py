"""Years: preprint, conference and volume of one work may lie a year apart, not more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.codes import issue
from citeproof.validation.thresholds import COMPLETE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Issue, Record, Reference, Volume


_AHEAD = 1
"""Years by which publishers date their volumes ahead, so that a record may state a year to come."""


def is_far_ahead(cited: int | None, this_year: int) -> bool:
    """Whether no volume can bear the cited year yet, whatever a record says."""
    return cited is not None and cited > this_year + _AHEAD


def year_issues(
    reference: Reference, records: Sequence[Record], this_year: int, volumes: Sequence[Volume] = ()
) -> tuple[Issue, ...]:
    """Compare the cited year with those of all records of one work; none recorded: only the future is impossible.

    ``volumes`` are those that the reference may claim. A year early is the preprint's; a year late
    is another edition, where that is held completely and the work is in the conference's own one before.
    """
    cited = reference.year
    if cited is None:
        return ()
    years = sorted({record.year for record in records if record.year is not None})
    if cited in years and not is_far_ahead(cited, this_year):
        return ()
    shown = ", ".join(map(str, years))
    if cited > this_year:
        return (issue("year.future", str(cited), shown, f"the cited year {cited} has not begun"),)
    if not years:
        return ()
    nearest = min(years, key=lambda year: abs(year - cited))
    if nearest == cited - 1 and _other_edition(records, volumes):
        explanation = f"cited as {cited}, recorded in the edition of {shown}; that of {cited} is held without it"
        return (issue("year.other_edition", str(cited), shown, explanation),)
    if abs(nearest - cited) <= 1:
        return (issue("year.near", str(cited), shown, f"cited as {cited}, recorded as {shown}"),)
    return (issue("year.off", str(cited), shown, f"the year does not agree: cited {cited}, recorded {shown}"),)


def _other_edition(records: Sequence[Record], volumes: Sequence[Volume]) -> bool:
    """Whether a claimed volume is a complete one of a conference that the work's only record is of."""
    streams = {volume.venue for volume in volumes if volume.completeness >= COMPLETE}
    return len(records) == 1 and any(records[0].crossref.startswith(f"{stream}/") for stream in streams)
