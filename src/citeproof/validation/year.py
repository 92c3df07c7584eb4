"""Years: preprint, conference and volume of one work may lie a year apart, not more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.codes import issue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Issue, Record, Reference


def year_issues(reference: Reference, records: Sequence[Record], this_year: int) -> tuple[Issue, ...]:
    """Compare the cited year with those of all records of one work; none recorded: only the future is impossible."""
    cited = reference.year
    if cited is None:
        return ()
    years = sorted({record.year for record in records if record.year is not None})
    if cited in years:
        return ()
    shown = ", ".join(map(str, years))
    if cited > this_year:
        return (issue("year.future", str(cited), shown, f"the cited year {cited} has not begun"),)
    if not years:
        return ()
    nearest = min(years, key=lambda year: abs(year - cited))
    if abs(nearest - cited) <= 1:
        return (issue("year.near", str(cited), shown, f"cited as {cited}, recorded as {shown}"),)
    return (issue("year.off", str(cited), shown, f"the year does not agree: cited {cited}, recorded {shown}"),)
