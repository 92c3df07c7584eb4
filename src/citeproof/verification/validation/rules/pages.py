"""Compare pages, volume and number.

A difference is only a note, because wrong values are often copied.
"""

import re
from collections.abc import Iterator

from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint
from citeproof.verification.validation.policy import Difference

# regex of the unit in page counts: ``12 pages``
_COUNT = re.compile(r"\b(?:pages|pp?\.?|p\.)\s*$", re.IGNORECASE)
_PAGE = re.compile(r"[a-z]{0,2}\d+", re.IGNORECASE)


def rule(case: Case) -> Iterator[Difference]:
    """Compare the cited pages, volume and number with the records at the cited venue."""
    reference, year = case.reference, case.reference.year
    if case.venue not in (VenueAgreement.SAME, VenueAgreement.NOT_COMPARABLE):
        return
    near = (
        {None, *range(year - 1, year + 2)}
        if year is not None
        else {record.year for record in case.records}
    )
    records = [record for record in case.records if not is_preprint(record) and record.year in near]
    # papers have the volume of a book series
    articles = [record for record in records if record.pub_type == "article"]
    for code, field, read, those in (
        ("pages.differ", "pages", _first_pages, records),
        ("volume.differs", "volume", _numbers, articles),
        ("number.differs", "number", _numbers, articles),
    ):
        cited = getattr(reference, field)
        ours = read(cited)
        stated = (
            [value for record in those if read(value := getattr(record, field))] if ours else []
        )
        if stated and not any(ours & read(value) for value in stated):
            shown = "; ".join(dict.fromkeys(stated))
            yield Difference(
                code, cited, shown, f"the {field} do not agree: recorded {shown}, cited {cited}"
            )


def _first_pages(pages: str) -> frozenset[str]:
    """Return possible first pages of a range: ``535`` and ``1`` for ``535:1-535:14``.

    Empty for a number of pages.
    """
    if _COUNT.search(pages):
        return frozenset()
    first = (
        re.split(r"[-\u2010-\u2015\u2212]", part, maxsplit=1)[0]
        for part in re.split(r"[,;]", pages.lower())
    )
    return frozenset(number.lstrip("0") for part in first for number in _PAGE.findall(part)) - {""}


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers in ``text``, such as ``3`` and ``4`` for the double issue ``3-4``."""
    return frozenset(number.lstrip("0") for number in re.findall(r"\d+", text)) - {""}
