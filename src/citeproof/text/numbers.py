"""Parse pages, volumes and issue numbers, which have many notations."""

import re

# regex for the word after a number of pages: ``pages`` in ``12 pages``, ``p.`` in ``12p.``
_COUNT = re.compile(r"(?<![a-z])(?:pages|pp?\.?)\s*$", re.IGNORECASE)
_PAGE = re.compile(r"[a-z]{0,2}\d+", re.IGNORECASE)
_DASH = re.compile(r"[-\u2010-\u2015\u2212]")


def first_pages(pages: str) -> frozenset[str]:
    """Return the numbers that may be the first page of the page range ``pages``. For
    ``535:1-535:14``, which is page 1 to 14 of article 535, these are ``535`` and ``1``.

    The result is empty if ``pages`` states how many pages there are, such as ``12 pages``.
    """
    if _COUNT.search(pages):
        return frozenset()
    first = (_DASH.split(part, maxsplit=1)[0] for part in re.split(r"[,;]", pages.lower()))
    return frozenset(number.lstrip("0") for part in first for number in _PAGE.findall(part)) - {""}


def numbers_in(text: str) -> frozenset[str]:
    """Return the numbers in ``text``, such as ``3`` and ``4`` for the double issue ``3-4``."""
    return frozenset(number.lstrip("0") for number in re.findall(r"\d+", text)) - {""}
