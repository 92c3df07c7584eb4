"""Find the DOI, arXiv id and RFC number that a reference cites, and check them."""

import re
from collections.abc import Iterable

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.identifier_dates import arxiv_month

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+?)(?:v\d+)?$", re.IGNORECASE)
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


def is_dated(reference: Reference) -> bool:
    """Return whether the year of the cited arXiv id differs from the cited year by at most one.

    False without an arXiv id.
    """
    month = arxiv_month(arxiv_id_of(reference))
    return month is not None and reference.year is not None and abs(reference.year - month[0]) <= 1
