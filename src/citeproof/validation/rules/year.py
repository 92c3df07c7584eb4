"""Years: preprint, conference and volume of one work may lie a year apart, not more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.compare.years import is_far_ahead
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.validation.case import Case

CODES = {
    "year.future": "The cited year is two or more years ahead.",
    "year.ahead": "The cited year is the next one, and no record of the work states it; the work may be in press.",
    "year.off": "The cited year is more than one year from every record of the work.",
    "year.other_edition": (
        "The cited year's edition of the conference is held completely; the work is in the one before."
    ),
    "year.near": "The cited year is one off: preprint, conference and volume often differ so.",
}
_ANNOUNCED = frozenset({"proceedings", "mvproceedings"})
"""Kinds of entries that describe a volume and no work in it."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare the cited year with those of all records of the work; without a work only the future is impossible.

    The proceedings of coming years are announced, and are no work that could have been read: nothing is said of them.
    A year early is the preprint's; a year late is another edition, where that is held completely and the
    work is in the conference's own one before.
    """
    cited = case.reference.year
    if cited is None:
        return ()
    years = sorted({record.year for record in case.records if record.year is not None})
    if cited in years and not is_far_ahead(cited, case.today.year):
        return ()
    shown = ", ".join(map(str, years))
    if cited > case.today.year:
        if case.reference.entry_type in _ANNOUNCED:
            return ()
        code = "year.future" if is_far_ahead(cited, case.today.year) else "year.ahead"
        return (Difference(code, str(cited), shown, f"the cited year {cited} has not begun"),)
    if not years:
        return ()
    nearest = min(years, key=lambda year: abs(year - cited))
    if nearest == cited - 1 and _other_edition(case):
        explanation = f"cited as {cited}, recorded in the edition of {shown}; that of {cited} is held without it"
        return (Difference("year.other_edition", str(cited), shown, explanation),)
    if abs(nearest - cited) <= 1:
        return (Difference("year.near", str(cited), shown, f"cited as {cited}, recorded as {shown}"),)
    return (Difference("year.off", str(cited), shown, f"the year does not agree: cited {cited}, recorded {shown}"),)


def _other_edition(case: Case) -> bool:
    """Whether a claimed volume is a complete one of a conference that the work's only record is of."""
    streams = {volume.venue for volume in case.volumes if case.is_complete(volume)}
    return len(case.records) == 1 and any(case.records[0].crossref.startswith(f"{stream}/") for stream in streams)
