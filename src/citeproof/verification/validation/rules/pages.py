"""Compare pages, volume and number of a work, which are copied so often that a difference is only a note.

Only records of the published work with the cited venue are compared: each version has its own pages.
"""

import re
from collections.abc import Iterator

from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint
from citeproof.verification.validation.policy import Difference

_COUNT = re.compile(r"\b(?:pages|pp?\.?|p\.)\s*$", re.IGNORECASE)  # regex of the word after a count: ``12 pages``
_PAGE = re.compile(r"[a-z]{0,2}\d+", re.IGNORECASE)


def rule(case: Case) -> Iterator[Difference]:
    """Compare pages, volume and number with every published record that states them.

    The volume of a conference paper is that of a series, so volume and number are compared for articles only.
    """
    reference = case.reference
    compared = reference.pages or reference.volume or reference.number
    if not compared or case.venue not in (VenueAgreement.SAME, VenueAgreement.NOT_COMPARABLE):
        return
    near = {None, *range(reference.year - 1, reference.year + 2)} if reference.year is not None else None
    records = [one for one in case.records if not is_preprint(one) and (near is None or one.year in near)]
    articles = [record for record in records if record.pub_type == "article"]
    for code, field, read, those in (
        ("pages.differ", "pages", _first_pages, records),
        ("volume.differs", "volume", _numbers, articles),
        ("number.differs", "number", _numbers, articles),
    ):
        cited = getattr(reference, field)
        ours = read(cited)
        stated = [value for record in those if read(value := getattr(record, field))] if ours else []
        if stated and not any(ours & read(value) for value in stated):
            shown = "; ".join(dict.fromkeys(stated))
            yield Difference(code, cited, shown, f"the {field} do not agree: recorded {shown}, cited {cited}")


def _first_pages(pages: str) -> frozenset[str]:
    """Return the possible first pages of a range: ``535:1-535:14`` begins on page 1 of article 535."""
    if _COUNT.search(pages):
        return frozenset()
    first = (re.split(r"[-\u2010-\u2015\u2212]", part, maxsplit=1)[0] for part in re.split(r"[,;]", pages.lower()))
    return frozenset(number.lstrip("0") for part in first for number in _PAGE.findall(part)) - {""}


def _numbers(text: str) -> frozenset[str]:
    """Return the set of numbers in ``text``: ``3-4`` and ``3/4`` are the double issue 3 and 4."""
    return frozenset(number.lstrip("0") for number in re.findall(r"\d+", text)) - {""}
