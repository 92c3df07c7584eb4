"""DOI and arXiv id: their form, the work they belong to, those of the records, and those that cannot exist."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from citeproof.model.findings import Covers
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.identifiers import doi_says_nothing, is_aside, is_doi, is_short_doi
from citeproof.text.venue_names import is_preprint_server
from citeproof.verification.validation.compare.identifiers import arxiv_id_of, arxiv_month, doi_agrees, rfc_of
from citeproof.verification.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.verification.validation.case import Case

CODES = {
    "doi.malformed": "The DOI does not have the form of one.",
    "doi.link": "The field for the DOI has another link, a number of CiteSeerX, or the DOI of the whole volume.",
    "doi.short": "The short form of a DOI, which only doi.org can resolve; it is compared with nothing.",
    "doi.unassigned": "The registrant's number in the DOI has never been given to anyone.",
    "arxiv.malformed": "The arXiv id does not have the form of one, or names an impossible month.",
    "arxiv.after_year": "The arXiv id was given after the cited year, and no volume or pages say where it appeared.",
    "doi.differs": "The DOI is not the one that the records of the work state.",
    "doi.other_volume": "The DOI has the prefix of another volume's DOIs.",
    "doi.not_confirmed": "No source has the DOI, and the papers of this volume have none.",
    "doi.other_work": "The DOI belongs to another work.",
    "rfc.other_work": "The RFC of the cited number is another work, by other authors.",
    "arxiv.other_work": "The arXiv id belongs to another work.",
    "doi.unknown": "doi.org says that the DOI was never given out, or a complete source does not have it.",
    "arxiv.unknown": "arXiv says that it has no paper of this id, or a complete source does not have it.",
}
_DOI_FORM = re.compile(r"10\.[1-9]\d{2,8}(?:\.\d+)*/\S+")
"""Regex of a DOI (ISO 26324): a registrant of digits after ``10.`` and any suffix."""
_CITESEERX = re.compile(r"10\.1\.1(?:\.\d+){2,3}")
_REGISTRANT = re.compile(r"[./]")
_UNASSIGNED = 88_000
"""Minimum number of unassigned registrants. Numbers are assigned in rising batches; Crossref assigned 63000 and 71000
ff. in 2024 and 2025 (https://community.crossref.org/t/13215), and the highest known in 2026 begins with 82. Above are
the numbers of examples and tests (88888, 99999)."""
_EXAMPLES = frozenset({8888, 9999})
"""Smaller numbers of examples and tests."""
_PAPER_DIGITS = 5
"""Minimum digits of a number that identifies a paper at its publisher."""
_NO_DOIS = 0.05
"""Maximum share of papers with DOIs in a volume that counts as one without DOIs."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Check the cited DOI and arXiv id, and compare them with the records."""
    return (*_form(case), *_recorded(case), *_others(case), *_unknown(case))


def _form(case: Case) -> tuple[Difference, ...]:
    """Check the form of the cited DOI and arXiv id."""
    return (*_form_of_doi(case), *_form_of_arxiv_id(case))


def _form_of_doi(case: Case) -> tuple[Difference, ...]:
    cited = case.reference.doi
    if not cited:
        return ()
    if is_short_doi(cited):
        explanation = f"the short form of a DOI; only doi.org can say which DOI it is: {cited}"
        return (Difference("doi.short", cited, "", explanation),)
    if cited.startswith(("http:", "https:")):
        return (Difference("doi.link", cited, "", f"a link, not a DOI: {cited}"),)
    if _CITESEERX.fullmatch(cited):
        return (Difference("doi.link", cited, "", f"a number of CiteSeerX, not a DOI: {cited}"),)
    if not _DOI_FORM.fullmatch(cited):
        return (Difference("doi.malformed", cited, "", f"not the form of a DOI: {cited}"),)
    if _is_unassigned(int(_REGISTRANT.split(cited)[1])) and not doi_agrees(case.reference, case.records):
        registrant = cited.partition("/")[0]
        explanation = f"no registrant of DOIs has the number {registrant}; such numbers are used in examples and tests"
        return (Difference("doi.unassigned", cited, "", explanation),)
    return ()


def _form_of_arxiv_id(case: Case) -> tuple[Difference, ...]:
    reference, today = case.reference, case.today
    arxiv_id = arxiv_id_of(reference)
    if not arxiv_id:
        return ()
    month = arxiv_month(arxiv_id)
    if month is None or month > (today.year, today.month):
        return (Difference("arxiv.malformed", arxiv_id, "", f"no arXiv id can read {arxiv_id}"),)
    if reference.year and _begun(month) > reference.year + _posted_later(reference):
        given = f"{month[0]}-{month[1]:02}"
        explanation = f"arXiv gave this id in {given}, after the cited year {reference.year}"
        return (Difference("arxiv.after_year", f"{arxiv_id}, {reference.year}", given, explanation),)
    return ()


def _begun(month: tuple[int, int]) -> int:
    """Return the year in which a paper with an id of ``month`` was written: for January, the previous year."""
    return month[0] - (month[1] == 1)


def _is_unassigned(registrant: int) -> bool:
    return registrant >= _UNASSIGNED or registrant in _EXAMPLES


def _posted_later(reference: Reference) -> float:
    """Return the maximum number of years from the cited year to the id: papers are also posted after publication.

    A paper with a volume or pages, which no preprint has, may be posted at any later time.
    """
    if not reference.venue or is_preprint_server(reference.venue):
        return 0
    return inf if reference.volume or reference.pages else 1


def _unknown(case: Case) -> tuple[Difference, ...]:
    """Report the cited identifiers that are unknown but would be known if they existed."""
    unknown = case.findings.unknown_identifiers
    if not unknown:
        return _not_held(case)
    found = []
    doi, arxiv_id = case.reference.doi, arxiv_id_of(case.reference)
    if doi.lower() in unknown and not is_aside(doi):
        found.append(Difference("doi.unknown", doi, "", f"doi.org knows no DOI {doi}"))
    if arxiv_id and arxiv_id in unknown:
        found.append(Difference("arxiv.unknown", arxiv_id, "", f"arXiv has no paper {arxiv_id}"))
    return tuple(found)


def _not_held(case: Case) -> tuple[Difference, ...]:
    """Report the cited DOI and arXiv id if they are missing from a database with nearly all of their kind."""
    codes = {case.reference.doi: "doi.unknown", arxiv_id_of(case.reference): "arxiv.unknown"}
    found = []
    for item in case.findings.covered:
        code = codes.get(item.identifier)
        if item.covers is not Covers.IDENTIFIER or item.completeness < case.policy.given or not code:
            continue
        explanation = (
            f"{item.source} has {item.part} to {item.until}, {item.completeness:.1%}, and not {item.identifier}"
        )
        found.append(Difference(code, item.identifier, "", explanation))
    return tuple(found)


def _others(case: Case) -> tuple[Difference, ...]:
    """Report identifiers that lead to records of other works only."""
    volume = next(filter(partial(_is_volume, case), case.holders_of_doi), None)
    if volume:
        explanation = f"the DOI {case.reference.doi} is that of the whole volume: {volume.title}"
        return (Difference("doi.link", case.reference.doi, volume.title, explanation),)
    return (
        *_belongs_to("doi.other_work", "DOI", case.reference.doi, case.holders_of_doi),
        *_belongs_to("rfc.other_work", "RFC", rfc_of(case.reference), case.holders_of_doi),
        *_belongs_to("arxiv.other_work", "arXiv id", arxiv_id_of(case.reference), case.holders_of_arxiv_id),
    )


def _is_volume(case: Case, record: Record) -> bool:
    """Return whether a record is of proceedings that may be those with the cited paper, by their year and venue."""
    near = abs((record.year or 0) - (case.reference.year or 0)) <= 1
    cited = case.cited_venues
    return record.pub_type == "proceedings" and near and not (cited and cited.isdisjoint(case.venues.of_record(record)))


def _belongs_to(code: str, kind: str, cited: str, holders: Sequence[Record]) -> tuple[Difference, ...]:
    if not cited or not holders:
        return ()
    record = holders[0]
    shown = f"{record.title} ({', '.join(record.authors[:3])}{' et al.' if len(record.authors) > 3 else ''})"
    return (Difference(code, cited, shown, f"the {kind} {cited} belongs to another work: {shown}"),)


def _recorded(case: Case) -> tuple[Difference, ...]:
    """Compare the cited DOI, unless it leads to another work (see :func:`_others`)."""
    if not case.reference.doi:
        return ()
    if not case.work:
        return _of_other_venue(case)
    return () if case.holders_of_doi else _of_other_volume(case)


def _of_other_volume(case: Case) -> tuple[Difference, ...]:
    """Compare the cited DOI with those of the work's records and of its volume."""
    reference, records, venues = case.reference, case.records, case.venues
    if doi_says_nothing(reference.doi) or doi_agrees(reference, records) or not is_doi(reference.doi):
        return ()
    own = sorted({record.doi for record in records if record.doi and not is_aside(record.doi)})
    if own:
        if any(_are_twins(reference.doi, doi) for doi in own):
            return ()
        shown = ", ".join(own)
        explanation = f"the DOI does not agree: recorded {shown}, cited {reference.doi}"
        differs = Difference("doi.differs", reference.doi, shown, explanation)
        return (differs if _of_one_registrant(case) else differs.of_another_version(),)
    if not case.cited:
        return ()
    volumes = [volume for record in records if (volume := venues.volume_of(record))]
    other = venues.volume_of_doi(reference.doi)
    if volumes and other and other.key not in {volume.key for volume in volumes}:
        explanation = f"the DOI begins as those of {other.key} do, and the work is in {volumes[0].key}"
        return (Difference("doi.other_volume", reference.doi, volumes[0].key, explanation),)
    if any(venues.gives_doi(record, reference.doi) for record in records):
        return ()
    registrants = {venues.registrant_of(record) for record in records} - {""}
    if registrants and reference.doi.partition("/")[0] not in registrants:
        shown = ", ".join(sorted(registrants))
        explanation = f"the DOI is another registrant's: papers of {volumes[0].key} and around have {shown}"
        return (Difference("doi.other_volume", reference.doi, shown, explanation),)
    if volumes and all(volume.doi_share < _NO_DOIS for volume in volumes):
        explanation = f"no source has this DOI, and papers of {volumes[0].key} have none"
        return (Difference("doi.not_confirmed", reference.doi, volumes[0].key, explanation),)
    return ()


def _are_twins(doi: str, other: str) -> bool:
    """Return whether two DOIs name one paper in two volumes: ``10.1145/253262.253332``, ``10.1145/253260.253332``."""
    (registrant, _, ours), (others, _, theirs) = doi.lower().partition("/"), other.lower().partition("/")
    paper, same = ours.rpartition(".")[2], theirs.rpartition(".")[2]
    return registrant == others and "." in ours and "." in theirs and paper == same and len(paper) >= _PAPER_DIGITS


def _of_one_registrant(case: Case) -> bool:
    """Return whether a record of the cited version has a DOI of the cited DOI's registrant."""
    registrant = case.reference.doi.partition("/")[0]
    return any(record.doi.startswith(f"{registrant}/") for record in case.cited)


def _of_other_venue(case: Case) -> tuple[Difference, ...]:
    """Report a DOI with the prefix of another venue's DOIs."""
    reference, venues = case.reference, case.venues
    owner = venues.venue_of_doi(reference.doi)
    cited = {venue.partition(":")[0] for venue in venues.resolve(reference.venue)} if owner else set()
    journal = any(venue.startswith("journals/") for venue in cited)  # conf/tsp and journals/tsp share a DOI prefix
    if not cited or journal or owner in cited or not venues.is_certain(reference.venue):
        return ()
    explanation = f"the DOI begins as those of {owner} do, and {reference.venue} is cited"
    return (Difference("doi.other_volume", reference.doi, owner, explanation),)
