"""Pages, volume and number: where in its journal or proceedings the work stands.

They are copied, converted and counted anew so often that a difference alone says little; each is a note. Only
records of the published work are compared, and none where the cited venue is another one than theirs: each
version has pages of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.validation.compare.venues import VenueAgreement, is_preprint
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from citeproof.models import Record
    from citeproof.validation.case import Case

CODES = {
    "pages.differ": "The cited pages begin on another page than the recorded ones.",
    "volume.differs": "The cited volume of the journal is another one than the recorded one.",
    "number.differs": "The cited number (issue) of the journal is another one than the recorded one.",
}
_COMPARABLE = frozenset({VenueAgreement.SAME, VenueAgreement.NOT_COMPARABLE})
_COUNT = re.compile(r"\b(?:pages|pp?\.?|p\.)\s*$", re.IGNORECASE)
"""``12 pages`` counts them; ``pp. 12`` names one."""
_PAGE = re.compile(r"[a-z]{0,2}\d+", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare where the work stands with every published record of it that says so."""
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
    """Whether a record may be of the cited version: years further apart are those of two."""
    return cited is None or recorded is None or abs(cited - recorded) <= 1


def _of_articles(records: Iterable[Record], field: str) -> list[str]:
    """A conference paper's volume is that of a series, which few sources state."""
    return [getattr(record, field) for record in records if record.pub_type == "article"]


def _compared(
    code: str, field: str, cited: str, recorded: Iterable[str], read: Callable[[str], frozenset[str]]
) -> Difference | None:
    """Return a difference where both sides can be read and nothing that is cited is recorded."""
    ours = read(cited) if cited else frozenset[str]()
    stated = [value for value in recorded if read(value)] if ours else []
    if not stated or any(ours & read(value) for value in stated):
        return None
    shown = "; ".join(dict.fromkeys(stated))
    return Difference(code, cited, shown, f"the {field} cited ({cited}) and recorded ({shown}) do not agree")


def _first_pages(pages: str) -> frozenset[str]:
    """Return what a range may begin with: ``535:1-535:14`` is article 535 and begins on page 1 of it."""
    if _COUNT.search(pages):
        return frozenset()
    parts = (part for part in re.split(r"[,;]", pages.lower()) if part.strip())
    first = (re.split(r"[-\u2010-\u2015\u2212]", part, maxsplit=1)[0] for part in parts)
    return frozenset(number.lstrip("0") for part in first for number in _PAGE.findall(part)) - {""}


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers in ``text``: ``3-4`` and ``3/4`` are the double issue of 3 and 4."""
    return frozenset(number.lstrip("0") for number in _NUMBER.findall(text)) - {""}
