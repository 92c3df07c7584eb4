"""Find the year or month in which a DOI or an arXiv id was assigned."""

import re

from citeproof.text.identifiers import doi_says_nothing
from citeproof.text.years import whole_year

_ARXIV_NEW = re.compile(r"(\d{2})(\d{2})\.(\d{4,5})(?:v\d+)?$")
_ARXIV_OLD = re.compile(r"[a-z-]+(?:\.[a-z]{2})?/(\d{2})(\d{2})\d{3}(?:v\d+)?$", re.IGNORECASE)
_MOST_PAPERS = ((2015, 12_000), (2018, 16_000), (2020, 20_000), (2024, 30_000), (9999, 60_000))
_DOI_YEAR = re.compile(
    r"10\.[\d.]+/(?:v1/[a-z](?P<short>\d\d)-\d{4}"
    r"|(?:.*\.|(?:.+/)?v1/)(?P<year>(?:19|20)\d\d)[./-])",
    re.IGNORECASE,
)
"""Regex for a DOI that states a year, as the DOIs of many conferences do: 2017 in
``10.4230/LIPIcs.CALCO.2017.1``, 2019 in ``10.18653/v1/N19-1357``. The number before the slash is
the registrant, so ``10.2044/bsr1`` does not state a year.
"""


def year_of_doi(doi: str) -> int | None:
    """Return the year that a DOI states, such as 2016 in ``10.1109/CVPR.2016.90``.

    None if the DOI states no year, or if a work may have this DOI in addition to the publisher's
    DOI.
    """
    found = None if doi_says_nothing(doi) else _DOI_YEAR.match(doi)
    if not found:
        return None
    return int(found["year"]) if found["year"] else whole_year(int(found["short"]))


def arxiv_month(arxiv_id: str) -> tuple[int, int] | None:
    """Return year and month of an arXiv id, such as (2017, 11) for ``1711.05101``. None if arXiv
    cannot have assigned this id.

    Ids look like ``hep-th/9108001`` from August 1991 to March 2007, and then like ``0704.0001``.
    Since 2015 they have five digits after the point
    (https://info.arxiv.org/help/arxiv_identifier.html).
    """
    if found := _ARXIV_NEW.match(arxiv_id):
        month = 2000 + int(found[1]), int(found[2])
        possible = month >= (2007, 4) and len(found[3]) == (5 if month >= (2015, 1) else 4)
        possible = possible and int(found[3]) <= _most_papers(month[0])
    elif found := _ARXIV_OLD.match(arxiv_id):
        month = whole_year(int(found[1])), int(found[2])
        possible = (1991, 8) <= month < (2007, 4)
    else:
        return None
    return month if possible and 1 <= month[1] <= 12 else None


def _most_papers(year: int) -> int:
    """Return an upper limit for the number of papers that arXiv receives in any month of ``year``.

    The largest months had 9,700 papers in 2015, 13,100 in 2018, 16,300 in 2020 and 24,200 in 2024
    (https://info.arxiv.org/help/stats).
    """
    return next(most for until, most in _MOST_PAPERS if year <= until)
