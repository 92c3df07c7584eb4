"""Read pages, volumes and issue numbers, which are written in many ways."""

import re

# regex for the unit in page counts: ``12 pages``
_COUNT = re.compile(r"\b(?:pages|pp?\.?|p\.)\s*$", re.IGNORECASE)
_PAGE = re.compile(r"[a-z]{0,2}\d+", re.IGNORECASE)
_DASH = re.compile(r"[-\u2010-\u2015\u2212]")


def first_pages(pages: str) -> frozenset[str]:
    """Return possible first pages of a range: ``535`` and ``1`` for ``535:1-535:14``.

    Empty for a number of pages.
    """
    if _COUNT.search(pages):
        return frozenset()
    first = (_DASH.split(part, maxsplit=1)[0] for part in re.split(r"[,;]", pages.lower()))
    return frozenset(number.lstrip("0") for part in first for number in _PAGE.findall(part)) - {""}


def numbers_in(text: str) -> frozenset[str]:
    """Return the numbers in ``text``, such as ``3`` and ``4`` for the double issue ``3-4``."""
    return frozenset(number.lstrip("0") for number in re.findall(r"\d+", text)) - {""}
