"""Check whether the cited DOI and arXiv id are well-formed, can exist, and belong to the cited
work.
"""

import re
from collections.abc import Iterator, Sequence
from math import floor

from citeproof.model.findings import Covers
from citeproof.model.record import MatchKind, Record
from citeproof.text.identifier_dates import arxiv_month, year_of_doi
from citeproof.text.identifiers import are_twins, doi_says_nothing, is_aside, is_doi, is_short_doi
from citeproof.text.venue_names import is_preprint_server
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import KINDS, Form
from citeproof.verification.validation.compare.identifiers import (
    arxiv_id_of,
    doi_agrees,
    rfc_of,
)
from citeproof.verification.validation.comparison import NEAR
from citeproof.verification.validation.policy import Difference, found

# regex for a DOI such as 10.1145/253262 (ISO 26324)
_DOI_FORM = re.compile(r"10\.[1-9]\d{2,8}(?:\.\d+)*/\S+")
_CITESEERX = re.compile(r"10\.1\.1(?:\.\d+){2,3}")
_UNASSIGNED = 88_000
"""Lowest registrant number in DOIs that is not assigned.

Numbers are assigned in increasing batches. Crossref assigned numbers from 63000 in 2024, and from
71000 in 2025 (https://community.crossref.org/t/13215). The highest number known in 2026 begins with
82. Higher numbers, such as 88888 and 99999, are used in examples and tests.
"""
# registrants below :data:`_UNASSIGNED` that are used in examples and tests; none of 20 uses of 6666
# and 7777 in public repositories is for a publication
_EXAMPLES = frozenset({6666, 7777, 8888, 9999})
# maximum share of papers with DOIs in a volume that counts as a volume without DOIs
_NO_DOIS = 0.05


# registrants of publishers that gave two DOIs to some papers: IEEE, ACM and SAGE
_SECOND_DOIS = frozenset({"10.1109", "10.1145", "10.1177"})

_ONE_YEAR_LIST = (
    "10.1006 10.1016 10.1049 10.1057 10.1089 10.1109 10.1111 10.1162 10.1287 10.1504 10.1515"
)
_OF_ONE_YEAR = frozenset(_ONE_YEAR_LIST.split())
"""Registrants whose DOIs almost never contain a later year than that of the article.

DBLP has 1,000 or more DOIs with a year for each of these registrants, 820,000 in total. Only one of
them contains a year that is more than one year too late.
"""


def rule(case: Case) -> Iterator[Difference]:
    """Yield differences about the cited DOI and arXiv id: malformed, unknown, or of another work
    than the records.
    """
    doi, arxiv_id = case.reference.doi, arxiv_id_of(case.reference)
    holders = [item.record for item in case.holders_of(MatchKind.DOI)]
    if doi:
        yield from _form_of_doi(case, doi)
        yield from _of_other_year(case, doi)
    if arxiv_id:
        yield from _form_of_arxiv_id(case, arxiv_id)
    if doi and not case.work:
        yield from _of_other_venue(case, doi)
    elif doi and not holders:
        yield from _of_other_volume(case, doi)
    yield from _of_other_works(case, doi, holders, arxiv_id)
    yield from _unknown(case, doi, arxiv_id)


def _form_of_doi(case: Case, doi: str) -> Iterator[Difference]:
    registrant = doi.partition("/")[0]
    if is_short_doi(doi):
        code = "doi.short"
    elif doi.startswith(("http:", "https:")):
        code = "doi.link"
    elif _CITESEERX.fullmatch(doi):
        code = "doi.link/citeseerx"
    elif not _DOI_FORM.fullmatch(doi):
        code = "doi.malformed"
    else:
        number = int(registrant.split(".")[1])
        if (number < _UNASSIGNED and number not in _EXAMPLES) or doi_agrees(
            case.reference, case.records
        ):
            return
        code = "doi.unassigned"
    yield found(code, doi, registrant=registrant)


def _form_of_arxiv_id(case: Case, arxiv_id: str) -> Iterator[Difference]:
    """Report the cited ``arxiv_id`` if it is malformed, or if its month is after the cited year. A
    published paper may be posted on arXiv up to a year later.
    """
    reference, month = case.reference, arxiv_month(arxiv_id)
    if month is None or month > (case.today.year, case.today.month):
        yield found("arxiv.malformed", arxiv_id)
        return
    published = reference.venue and not is_preprint_server(reference.venue)
    # reports, theses and books may be posted on arXiv at any time
    if case.form in {Form.REPORT, Form.THESIS, Form.BOOK}:
        return
    if not reference.year or (published and (reference.volume or reference.pages)):
        return
    # a preprint may be posted in the January after the cited year
    if month[0] - (month[1] == 1) > reference.year + bool(published):
        given = f"{month[0]}-{month[1]:02}"
        cited = f"{arxiv_id}, {reference.year}"
        yield found("arxiv.after_year", cited, given, year=reference.year)


def _unknown(case: Case, doi: str, arxiv_id: str) -> Iterator[Difference]:
    """Report cited identifiers that do not exist according to the registrar or a nearly complete
    database.
    """
    if unknown := case.findings.unknown_identifiers:
        if doi.lower() in unknown and not is_aside(doi):
            yield found("doi.unknown", doi)
        if arxiv_id and arxiv_id in unknown:
            yield found("arxiv.unknown", arxiv_id)
        return
    codes = {
        doi: "doi.unknown",
        arxiv_id: "arxiv.unknown",
        f"RFC {rfc_of(case.reference)}": "rfc.unknown",
    }
    for item in case.findings.covered:
        cited, code = item.identifier, codes.get(item.identifier)
        if code and item.covers is Covers.IDENTIFIER and item.completeness >= case.policy.given:
            # rounded down, because 100.0 % would contradict the missing identifier
            share = floor(1000 * item.completeness) / 10
            yield found(f"{code}/held", cited, share=share, held=item)


def _of_other_works(
    case: Case, doi: str, holders: Sequence[Record], arxiv_id: str
) -> Iterator[Difference]:
    """Report cited identifiers that only other works have.

    ``holders`` are the records with the cited DOI.
    """
    if volume := next((record for record in holders if _is_volume(case, record)), None):
        yield found("doi.link/volume", doi, volume.title)
        return
    of_arxiv = [item.record for item in case.holders_of(MatchKind.ARXIV_ID)]
    for code, cited, others in (
        ("doi.other_work", doi, holders),
        ("rfc.other_work", holders and rfc_of(case.reference), holders),
        ("arxiv.other_work", arxiv_id, of_arxiv),
    ):
        if cited and others:
            authors = others[0].authors
            shown = (
                f"{others[0].title}"
                f" ({', '.join(authors[:3])}{' et al.' if len(authors) > 3 else ''})"
            )
            yield found(code, cited, shown)


def _is_volume(case: Case, record: Record) -> bool:
    """Return whether a record describes proceedings that may contain the cited paper, judging by
    venue and year.
    """
    near, cited = abs((record.year or 0) - (case.reference.year or 0)) <= 1, case.cited_venues
    return (
        record.pub_type == "proceedings"
        and near
        and not (cited and cited.isdisjoint(case.venues.of_record(record)))
    )


def _of_other_volume(case: Case, doi: str) -> Iterator[Difference]:
    records, venues = case.records, case.venues
    if doi_agrees(case.reference, records) or doi_says_nothing(doi) or not is_doi(doi):
        return
    registrant = doi.partition("/")[0]
    stated = {
        record.doi for record in case.cited or records if record.doi and not is_aside(record.doi)
    }
    if own := sorted(stated):
        if not any(are_twins(doi, other) for other in own):
            yield _second(case, doi, own, found("doi.differs", doi, ", ".join(own)))
        return
    if not case.cited:
        return
    volumes = [volume for record in records if (volume := venues.volume_of(record))]
    other = venues.volume_of_doi(doi)
    if volumes and other and other.key not in {volume.key for volume in volumes}:
        yield found("doi.other_volume", doi, volumes[0].key, other=other.key)
        return
    if not volumes or any(venues.gives_doi(record, doi) for record in records):
        return
    registrants = {venues.registrant_of(record) for record in records} - {""}
    if registrants and registrant not in registrants:
        shown = ", ".join(sorted(registrants))
        yield found("doi.other_volume/registrant", doi, shown, volume=volumes[0].key)
    elif all(volume.doi_share < _NO_DOIS for volume in volumes):
        yield found("doi.not_confirmed", doi, volumes[0].key)


def _of_other_year(case: Case, doi: str) -> Iterator[Difference]:
    """Report a DOI that contains another year than the cited year.

    A conference and its DOIs have the same year. The DOI of an article may have the year in which
    the article was accepted, or in which the publisher digitised an old issue.
    """
    given, cited = year_of_doi(doi), case.reference.year
    if not given or not cited or doi_agrees(case.reference, case.records):
        return
    in_proceedings = KINDS.get(case.reference.entry_type) == "inproceedings"
    is_later = given - cited > NEAR and (in_proceedings or doi.partition("/")[0] in _OF_ONE_YEAR)
    if is_later or (in_proceedings and cited - given > NEAR):
        yield found("doi.other_volume/year", f"{doi}, {cited}", str(given), year=cited)


def _second(case: Case, doi: str, own: Sequence[str], differs: Difference) -> Difference:
    """Return the difference ``differs`` between the cited ``doi`` and ``own``, the recorded DOIs.
    Its weight is lower if the cited DOI may be a second DOI of the work.

    A DOI with the form of another volume is not a second DOI.
    """
    volumes = {volume.key for record in case.cited if (volume := case.venues.volume_of(record))}
    other = case.venues.volume_of_doi(doi)
    if other and volumes and other.key not in volumes:
        return differs
    registrants = {one.partition("/")[0] for one in own}
    registrant = doi.partition("/")[0]
    if registrant not in registrants or not case.cited:
        return differs.of_another_version()
    if registrant in _SECOND_DOIS:
        return found("doi.second", differs.cited, differs.recorded)
    return differs


def _of_other_venue(case: Case, doi: str) -> Iterator[Difference]:
    """Report a DOI with the prefix of another venue's DOIs."""
    owner, name = case.venues.venue_of_doi(doi), case.reference.venue
    cited = {venue.partition(":")[0] for venue in case.cited_venues}
    # conf/tsp and journals/tsp share a DOI prefix
    journal = any(venue.startswith("journals/") for venue in cited)
    if owner and cited and not journal and owner not in cited and case.venues.is_certain(name):
        yield found("doi.other_volume/venue", doi, owner, venue=name)
