"""Pages, volume and number of a work.

They are copied and converted so often that a difference says little and is only a note. Only records of the published
work with the cited venue are compared: each version has its own pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from citeproof.model.record import Record
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint
from citeproof.verification.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.verification.validation.case import Case

CODES = {
    "pages.differ": "The cited pages begin on another page than the recorded ones.",
    "volume.differs": "The cited volume of the journal is another one than the recorded one.",
    "number.differs": "The cited number (issue) of the journal is another one than the recorded one.",
}
_COMPARABLE = frozenset({VenueAgreement.SAME, VenueAgreement.NOT_COMPARABLE})
_COUNT = re.compile(r"\b(?:pages|pp?\.?|p\.)\s*$", re.IGNORECASE)
"""Regex of the word after a count, ``12 pages``; in ``pp. 12`` it comes before a page."""
_PAGE = re.compile(r"[a-z]{0,2}\d+", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare pages, volume and number with every published record that has them."""
    reference = case.reference
    if not (reference.pages or reference.volume or reference.number):
        return ()
    records = [record for record in case.records if not is_preprint(record) and _near(reference.year, record.year)]
    if case.venue not in _COMPARABLE or not records:
        return ()
    found = (
        _compared("pages.differ", "pages", reference.pages, [record.pages for record in records], _first_pages),
        _compared("volume.differs", "volume", reference.volume, _of_articles(records, "volume"), _numbers),
        _compared("number.differs", "number", reference.number, _of_articles(records, "number"), _numbers),
    )
    return tuple(difference for difference in found if difference)


def _near(cited: int | None, recorded: int | None) -> bool:
    """Return whether the years are near enough for one version."""
    return cited is None or recorded is None or abs(cited - recorded) <= 1


def _of_articles(records: Iterable[Record], field: str) -> list[str]:
    """Return ``field`` of articles; a conference paper's volume is that of a series, which few sources have."""
    return [getattr(record, field) for record in records if record.pub_type == "article"]


def _compared(
    code: str, field: str, cited: str, recorded: Iterable[str], read: Callable[[str], frozenset[str]]
) -> Difference | None:
    """Return a difference if both sides can be parsed and have no value in common."""
    ours = read(cited) if cited else frozenset[str]()
    stated = [value for value in recorded if read(value)] if ours else []
    if not stated or any(ours & read(value) for value in stated):
        return None
    shown = "; ".join(dict.fromkeys(stated))
    return Difference(code, cited, shown, f"the {field} do not agree: recorded {shown}, cited {cited}")


def _first_pages(pages: str) -> frozenset[str]:
    """Return the possible first pages of a range: ``535:1-535:14`` begins on page 1 of article 535."""
    if _COUNT.search(pages):
        return frozenset()
    parts = (part for part in re.split(r"[,;]", pages.lower()) if part.strip())
    first = (re.split(r"[-\u2010-\u2015\u2212]", part, maxsplit=1)[0] for part in parts)
    return frozenset(number.lstrip("0") for part in first for number in _PAGE.findall(part)) - {""}


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers in ``text``: ``3-4`` and ``3/4`` are the double issue 3 and 4."""
    return frozenset(number.lstrip("0") for number in _NUMBER.findall(text)) - {""}
