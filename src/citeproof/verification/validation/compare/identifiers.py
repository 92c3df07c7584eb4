"""Find the DOI, arXiv id and RFC number that a reference cites, and check them."""

import re
from collections.abc import Iterable

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.identifiers import doi_says_nothing

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+?)(?:v\d+)?$", re.IGNORECASE)
_ARXIV_NEW = re.compile(r"(\d{2})(\d{2})\.(\d{4,5})(?:v\d+)?$")
_ARXIV_OLD = re.compile(r"[a-z-]+(?:\.[a-z]{2})?/(\d{2})(\d{2})\d{3}(?:v\d+)?$", re.IGNORECASE)
_LAST_SHORT = 60  # largest two-digit number that is read as a year after 2000
_MOST_PAPERS = ((2015, 12_000), (2018, 16_000), (2020, 20_000), (2024, 30_000), (9999, 60_000))
_DOI_YEAR = re.compile(
    r"10\.[\d.]+/(?:v1/[a-z](?P<short>\d\d)-\d{4}"
    r"|(?:.*\.|(?:.+/)?v1/)(?P<year>(?:19|20)\d\d)[./-])",
    re.IGNORECASE,
)
"""Regex for a DOI that contains a year, like those of many conferences: 2017 in
``10.4230/LIPIcs.CALCO.2017.1``, 2019 in ``10.18653/v1/N19-1357``. The number of the registrant is
not a year, so ``10.2044/bsr1`` contains no year.
"""
_RFC = re.compile(
    r"(?:IETF )?(?:RFC|Requests? for Comments)[ :#-]*(\d{1,5})(?: \([\w ]+\))?"
    r"|https?://(?:www\.rfc-editor\.org|(?:datatracker|tools)\.ietf\.org)/(?:(?:rfc|info|html|doc|"
    r"doc/html)/)?rfc(\d{1,5})"
    r"(?:\.(?:html|txt|pdf))?/?",
    re.IGNORECASE,
)
"""Regex for a field that names only an RFC: ``RFC 7231``, ``IETF RFC 7231 (Proposed Standard)``, or
a URL.
"""


def doi_agrees(reference: Reference, records: Iterable[Record]) -> bool:
    """Return whether one of ``records`` has the cited DOI."""
    return bool(reference.doi) and any(
        record.doi.lower() == reference.doi.lower() for record in records if record.doi
    )


def arxiv_id_of(reference: Reference) -> str:
    """Return the cited arXiv id, which may be in an arXiv DOI. Empty if no arXiv id is cited."""
    return reference.arxiv_id or (found[1] if (found := _ARXIV_DOI.match(reference.doi)) else "")


def year_of_doi(doi: str) -> int | None:
    """Return the year that a DOI contains, such as 2016 in ``10.1109/CVPR.2016.90``.

    None if the DOI contains no year, or if it may be an additional DOI besides that of the
    publisher.
    """
    found = None if doi_says_nothing(doi) else _DOI_YEAR.match(doi)
    if not found:
        return None
    short = int(found["short"] or 0)
    return int(found["year"] or short + (1900 if short > _LAST_SHORT else 2000))


def rfc_of(reference: Reference) -> str:
    """Return the number of the cited RFC, such as ``7231``.

    Empty if a DOI or several RFCs are cited.
    """
    if reference.doi:
        return ""
    numbered = (
        f"{reference.venue} {number}" for number in (reference.number, reference.volume) if number
    )
    fields = (reference.note, reference.url, reference.venue, *numbered)
    numbers = {
        int(found[1] or found[2]) for field in fields if (found := _RFC.fullmatch(field.strip()))
    }
    return str(numbers.pop()) if len(numbers) == 1 else ""


def arxiv_month(arxiv_id: str) -> tuple[int, int] | None:
    """Return year and month of an arXiv id, such as (2017, 11) for ``1711.05101``.

    None if the id cannot exist.

    Ids look like ``hep-th/9108001`` from August 1991 to March 2007, and then like ``0704.0001``.
    Since 2015 they have five digits after the point
    (https://info.arxiv.org/help/arxiv_identifier.html).
    """
    if found := _ARXIV_NEW.match(arxiv_id):
        month = 2000 + int(found[1]), int(found[2])
        possible = month >= (2007, 4) and len(found[3]) == (5 if month >= (2015, 1) else 4)
        possible = possible and int(found[3]) <= _most_papers(month[0])
    elif found := _ARXIV_OLD.match(arxiv_id):
        month = (1900 if int(found[1]) >= 91 else 2000) + int(found[1]), int(found[2])
        possible = (1991, 8) <= month < (2007, 4)
    else:
        return None
    return month if possible and 1 <= month[1] <= 12 else None


def _most_papers(year: int) -> int:
    """Return an upper limit of the number of papers on arXiv in any month of ``year``.

    The largest months had 9,700 papers in 2015, 13,100 in 2018, 16,300 in 2020 and 24,200 in 2024
    (https://info.arxiv.org/help/stats).
    """
    return next(most for until, most in _MOST_PAPERS if year <= until)


def is_dated(reference: Reference) -> bool:
    """Return whether the year of the cited arXiv id differs from the cited year by at most one.

    False without an arXiv id.
    """
    month = arxiv_month(arxiv_id_of(reference))
    return month is not None and reference.year is not None and abs(reference.year - month[0]) <= 1
