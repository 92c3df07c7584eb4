"""Select the publication that a reference cites, as records that agree with all its fields.

A work may have appeared as a preprint, at a conference and in a journal. New values come from one publication, and from
none if the reference may mean two.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from citeproof.model.codes import IssueCode
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.readers.fields.bibtex_entry import written_pages
from citeproof.text.identifiers import is_aside
from citeproof.text.latex import latex_of
from citeproof.text.normalize import normalize_title
from citeproof.text.venue_names import is_beside
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.authors import compare_authors
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint
from citeproof.verification.validation.work import Comparison

_PART = re.compile(r"\s\(\d+\)$")
"""Regex of the number that DBLP adds for a part of proceedings: ``ACL (1)``."""


def written_value(attribute: str, value: str, *, ascii_only: bool) -> str:
    """Return ``value`` of a reference's ``attribute`` in LaTeX; identifiers are written as they are."""
    if attribute in {"doi", "year"}:
        return value
    if attribute == "pages":
        return written_pages(value)
    return latex_of(_PART.sub("", value) if attribute == "venue" else value, ascii_only=ascii_only)


KIND_OF = {"article": "article", "inproceedings": "inproceedings", "conference": "inproceedings"}
"""Type of publication by entry type. Other entry types do not say where a work appeared."""
_ARXIV = re.compile(r"\b(?:arxiv|corr)\b|computing research repository", re.IGNORECASE)
_ARXIV_DOI = "10.48550/"
"""Prefix of the DOIs that arXiv assigns."""
_PREPRINT_TYPES = frozenset({"article", "misc", "online", "electronic", "unpublished", "inproceedings", "conference"})
_NO_OTHER_PEOPLE = frozenset({IssueCode.AUTHORS_SPELLING, IssueCode.AUTHORS_ORDER, IssueCode.AUTHORS_COMMAS})
_SAME_ORDER = _NO_OTHER_PEOPLE - {IssueCode.AUTHORS_ORDER}
_NO_OTHER_VENUE = frozenset({VenueAgreement.SAME, VenueAgreement.LIKE, VenueAgreement.NOT_COMPARABLE})
_LONG_TITLE = 3
"""Minimum words of a title that identifies a work. Several works may share a shorter one, such as "Editorial"."""
_YEARS = range(-1, 7)
"""Maximum years from a preprint to its publication."""
_PAGES = re.compile(r"[\w:.]*\d[\w:.]*(?:\s*[-\u2013]+\s*[\w:.]*\d[\w:.]*)?")
_NUMBER = re.compile(r"\d+[A-Za-z]?(?:\s*[-/\u2013]\s*\d+)?")


def is_arxiv(text: str) -> bool:
    """Whether a venue or publisher is arXiv, under any of its names."""
    return bool(_ARXIV.search(text))


def cites_preprint(reference: Reference) -> bool:
    """Whether a reference cites a paper on arXiv and no other venue."""
    if reference.entry_type not in _PREPRINT_TYPES or (reference.doi and not reference.doi.startswith(_ARXIV_DOI)):
        return False
    return is_arxiv(reference.venue) if reference.venue else bool(reference.arxiv_id)


def cited_publication(case: Case) -> tuple[Record, ...]:
    """Return the records of the publication that the reference of ``case`` cites; empty if that is not certain.

    It agrees with each of title, authors, year, venue and DOI that the reference states. Without a venue, the work must
    have exactly one publication, of the type of the entry.
    """
    reference = case.reference
    if cites_preprint(reference):
        return ()
    published = [item for item in case.work if not is_preprint(item.record)]
    if not reference.venue:
        records = [item.record for item in published]
        fitting = all(record.pub_type == KIND_OF.get(reference.entry_type) for record in records)
        is_paper = reference.entry_type != "article" or len(published) == len(case.work)
        if not (fitting and is_paper) or not _is_one(records):
            return ()
    agreeing = tuple(item.record for item in published if _agrees(item))
    return agreeing if _is_one(agreeing) else ()


def published_version(case: Case) -> tuple[Record, ...]:
    """Return the records of the publication of the cited preprint; empty if there is none or more than one.

    The publication has the same title and the same authors in the same order. A workshop paper does not count, because
    it is often an abstract of the preprint.
    """
    reference = case.reference
    if not cites_preprint(reference):
        return ()
    published = tuple(record for record in case.records if not is_preprint(record))
    preprints = [record for record in case.records if is_preprint(record)]
    if not _is_one(published) or (reference.and_others and not preprints):
        return ()
    return published if all(_is_version(reference, preprints, record) for record in published) else ()


def value_of(records: Sequence[Record], field: str) -> str:
    """Return the value of ``field`` in the records of one publication; empty if there is none or more than one."""
    values = {value for record in records if (value := str(getattr(record, field) or ""))}
    value = values.pop() if len(values) == 1 else ""
    if field == "doi" and is_aside(value):
        return ""
    form = {"pages": _PAGES, "volume": _NUMBER, "number": _NUMBER}.get(field)
    return value if form is None or form.fullmatch(value) else ""


def _agrees(item: Comparison) -> bool:
    reference, record = item.reference, item.record
    if not item.title.same or item.title.part_missing or not item.authors.comparable or item.authors.share < 1:
        return False
    if not _NO_OTHER_PEOPLE.issuperset(difference.code for difference in item.authors.differences):
        return False
    if reference.doi:
        return item.doi and item.year_gap <= 1 and item.venue in _NO_OTHER_VENUE
    return (not reference.venue or item.venue is VenueAgreement.SAME) and reference.year in {None, record.year}


def _is_version(reference: Reference, preprints: Sequence[Record], record: Record) -> bool:
    title = normalize_title(record.title)
    if title != normalize_title(reference.title) or len(title.split()) < _LONG_TITLE or not record.year:
        return False
    if record.publtype or is_beside(record.venue) or record.pub_type not in KIND_OF.values():
        return False
    years = [year for year in (reference.year, *(preprint.year for preprint in preprints)) if year]
    listed = [reference, *(replace(reference, authors=one.authors, and_others=False) for one in preprints)]
    return bool(years) and record.year - min(years) in _YEARS and all(_same_people(one, record) for one in listed)


def _same_people(reference: Reference, record: Record) -> bool:
    found = compare_authors(reference, record)
    in_order = all(difference.code in _SAME_ORDER for difference in found.differences)
    return found.comparable and found.share == 1 and not found.uncited and in_order


def _is_one(records: Sequence[Record]) -> bool:
    """Whether records describe one publication: no two of them state different values."""
    kinds = {record.pub_type for record in records}
    years = {record.year for record in records if record.year}
    dois = {record.doi.lower() for record in records if record.doi}
    pages = {record.pages.partition("-")[0] for record in records if record.pages}
    venues = {record.venue for record in records} if not dois else set()
    return len(kinds) == 1 and all(len(stated) <= 1 for stated in (years, dois, pages, venues))
