"""Identifiers: their form, their date, and whether they name the cited work."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.text.identifiers import is_short_doi
from citeproof.text.venue_names import is_preprint_server
from citeproof.validation.claims import doi_agrees
from citeproof.validation.codes import issue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from citeproof.models import Issue, Record, Reference
    from citeproof.validation.venues import Venues

_DOI = re.compile(r"10\.[1-9]\d{2,8}(?:\.\d+)*/\S+")
"""Form of a DOI: ISO 26324, a registrant of digits after ``10.`` and any suffix."""
_REGISTRANT = re.compile(r"[./]")
_UNASSIGNED = 88_000
"""Registrants' numbers are given in batches in rising order; Crossref gave those from 63000 and 71000 in 2024 and 2025
(https://community.crossref.org/t/13215), the highest in use by 2026 that we know of begins with 82. Behind that are
the numbers of examples and tests (88888, 99999)."""
_EXAMPLES = frozenset({8888, 9999})
"""Smaller numbers of that kind."""
_ASIDE = re.compile(r"10\.(?:48550/arxiv\.|5555/|5281/zenodo\.|13140/)", re.IGNORECASE)
"""DOIs that a work may have beside its publisher's: arXiv, ACM's placeholder, Zenodo, ResearchGate."""
_NO_DOIS = 0.05
"""The papers of a volume have no DOIs when at most this share of them has."""
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+?)(?:v\d+)?$", re.IGNORECASE)
_ARXIV_NEW = re.compile(r"(\d{2})(\d{2})\.(\d{4,5})(?:v\d+)?$")
_ARXIV_OLD = re.compile(r"[a-z-]+(?:\.[a-z]{2})?/(\d{2})(\d{2})\d{3}(?:v\d+)?$", re.IGNORECASE)
_FIVE_DIGITS_SINCE = (2015, 1)
_FIRST_MONTH = (1991, 8)
"""arXiv began in August 1991; its ids were ``hep-th/9108001`` until March 2007, and have five digits since 2015
(https://info.arxiv.org/help/arxiv_identifier.html)."""


def arxiv_id_of(reference: Reference) -> str:
    """Return the arXiv id that a reference states, as such or inside a DOI; empty when it states none."""
    if reference.arxiv_id:
        return reference.arxiv_id
    found = _ARXIV_DOI.match(reference.doi)
    return found.group(1) if found else ""


def is_aside(doi: str) -> bool:
    """Whether a DOI is one that a work may have beside its publisher's."""
    return bool(_ASIDE.match(doi))


def doi_says_nothing(doi: str) -> bool:
    """Whether a DOI cannot be held against the one of a record."""
    return is_aside(doi) or is_short_doi(doi)


def arxiv_month(arxiv_id: str) -> tuple[int, int] | None:
    """Return year and month in which an id was given; None when no such id can exist."""
    if found := _ARXIV_NEW.match(arxiv_id):
        month = 2000 + int(found[1]), int(found[2])
        if month < (2007, 4) or len(found[3]) != (5 if month >= _FIVE_DIGITS_SINCE else 4):
            return None
    elif found := _ARXIV_OLD.match(arxiv_id):
        century = 1900 if int(found[1]) >= 91 else 2000
        month = century + int(found[1]), int(found[2])
        if not _FIRST_MONTH <= month < (2007, 4):
            return None
    else:
        return None
    return month if 1 <= month[1] <= 12 else None


def form_issues(reference: Reference, today: date) -> tuple[Issue, ...]:
    """Report identifiers that are impossible as written, whatever work they are to name."""
    found = []
    if is_short_doi(reference.doi):
        explanation = f"the short form of a DOI; only doi.org can say which DOI it is: {reference.doi}"
        found.append(issue("doi.short", reference.doi, "", explanation))
    elif reference.doi.startswith(("http:", "https:")):
        found.append(issue("doi.link", reference.doi, "", f"a link, not a DOI: {reference.doi}"))
    elif reference.doi and not _DOI.fullmatch(reference.doi):
        found.append(issue("doi.malformed", reference.doi, "", f"not the form of a DOI: {reference.doi}"))
    elif reference.doi and _is_unassigned(int(_REGISTRANT.split(reference.doi)[1])):
        registrant = reference.doi.partition("/")[0]
        explanation = f"no registrant of DOIs has the number {registrant}; such numbers stand in examples and tests"
        found.append(issue("doi.unassigned", reference.doi, "", explanation))
    arxiv_id = arxiv_id_of(reference)
    if arxiv_id:
        month = arxiv_month(arxiv_id)
        if month is None or month > (today.year, today.month):
            found.append(issue("arxiv.malformed", arxiv_id, "", f"no arXiv id can read {arxiv_id}"))
        elif reference.year and month[0] > reference.year + _posted_later(reference):
            given = f"{month[0]}-{month[1]:02}"
            explanation = f"arXiv gave this id in {given}, after the cited year {reference.year}"
            found.append(issue("arxiv.after_year", f"{arxiv_id}, {reference.year}", given, explanation))
    return tuple(found)


def _is_unassigned(registrant: int) -> bool:
    return registrant >= _UNASSIGNED or registrant in _EXAMPLES


def _posted_later(reference: Reference) -> int:
    """Return how many years after the cited one an id may be given: papers are posted after they have appeared."""
    return 0 if not reference.venue or is_preprint_server(reference.venue) else 1


def own_doi_issues(reference: Reference, records: Sequence[Record], venues: Venues) -> tuple[Issue, ...]:
    """Compare the cited DOI with those that the records of the work state, and with those of its volume."""
    if not reference.doi or doi_says_nothing(reference.doi) or doi_agrees(reference, records):
        return ()
    own = sorted({record.doi for record in records if record.doi and not is_aside(record.doi)})
    if own:
        shown = ", ".join(own)
        explanation = f"the DOI does not agree: cited {reference.doi}, recorded {shown}"
        return (issue("doi.differs", reference.doi, shown, explanation),)
    volumes = [volume for record in records if (volume := venues.volume_of(record))]
    other = venues.volume_of_doi(reference.doi)
    if volumes and other and other.key not in {volume.key for volume in volumes}:
        explanation = f"the DOI begins as those of {other.key} do, and the work is in {volumes[0].key}"
        return (issue("doi.other_volume", reference.doi, volumes[0].key, explanation),)
    if any(venues.gives_doi(record, reference.doi) for record in records):
        return ()
    registrants = {venues.registrant_of(record) for record in records} - {""}
    if registrants and reference.doi.partition("/")[0] not in registrants:
        shown = ", ".join(sorted(registrants))
        explanation = f"the DOI is another registrant's: papers of {volumes[0].key} and around have {shown}"
        return (issue("doi.other_volume", reference.doi, shown, explanation),)
    if volumes and all(volume.doi_share < _NO_DOIS for volume in volumes):
        explanation = f"no source holds this DOI, and papers of {volumes[0].key} have none"
        return (issue("doi.not_confirmed", reference.doi, volumes[0].key, explanation),)
    return ()


def doi_of_other_venue(reference: Reference, venues: Venues) -> tuple[Issue, ...]:
    """Report a DOI that begins as those of another venue than the cited one, for a work that is not found."""
    owner = venues.venue_of_doi(reference.doi) if reference.doi else ""
    cited = {venue.partition(":")[0] for venue in venues.resolve(reference.venue)} if owner else set()
    if not cited or owner in cited or not venues.is_certain(reference.venue):
        return ()
    explanation = f"the DOI begins as those of {owner} do, and {reference.venue} is cited"
    return (issue("doi.other_volume", reference.doi, owner, explanation),)


def other_work_issues(reference: Reference, holders: Sequence[Record], *, kind: str) -> tuple[Issue, ...]:
    """Report an identifier (``doi`` or ``arxiv``) that a source holds for works other than the cited one."""
    if not holders:
        return ()
    cited = reference.doi if kind == "doi" else arxiv_id_of(reference)
    record = holders[0]
    shown = f"{record.title} ({', '.join(record.authors[:3])}{' et al.' if len(record.authors) > 3 else ''})"
    name = "DOI" if kind == "doi" else "arXiv id"
    return (issue(f"{kind}.other_work", cited, shown, f"the {name} {cited} belongs to another work: {shown}"),)


def unknown_issues(reference: Reference, unknown: Sequence[str]) -> tuple[Issue, ...]:
    """Report cited identifiers that those who give them out say they never gave (``unknown``)."""
    found = []
    if reference.doi.lower() in unknown and not is_aside(reference.doi):
        found.append(issue("doi.unknown", reference.doi, "", f"doi.org knows no DOI {reference.doi}"))
    if (arxiv_id := arxiv_id_of(reference)) and arxiv_id in unknown:
        found.append(issue("arxiv.unknown", arxiv_id, "", f"arXiv has no paper {arxiv_id}"))
    return tuple(found)
