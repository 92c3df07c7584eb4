"""Improve VALID entries. An *upgrade* replaces a preprint by its published version, and a
*completion* adds missing fields.

An upgrade changes type, venue, volume, number, pages, year and DOI. Key, title, authors, notes,
links and the identifier of the preprint stay. If the identifier was only in the venue or volume, it
is moved to a field of its own.

A work may have appeared as a preprint, at a conference and in a journal. All new values come from
one publication. If several publications fit the reference, nothing is changed.
"""

import re
from collections.abc import Iterator, Sequence

from citeproof.fix.layout import FieldChange, Kind, Layout, Plan, ShownChange
from citeproof.fix.publication import (
    ATTRIBUTES,
    OF_ARTICLES,
    Publication,
    are_one,
    is_preliminary,
    published,
    same_people,
)
from citeproof.model.codes import IssueCode
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Verdict
from citeproof.readers.fields.bibtex import VENUE_FIELDS
from citeproof.text.identifiers import find_arxiv_id
from citeproof.text.normalize import normalize_title, plain_text
from citeproof.text.venue_names import is_beside
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import KINDS
from citeproof.verification.validation.comparison import NEAR, Comparison
from citeproof.verification.validation.identity import ELSEWHERE, decides

_VENUES = ("journal", "journaltitle", "booktitle")
_YEARS = ("year", "date")
_NOT_CONVERTIBLE = (
    "crossref",
    "xdata",
    "related",
    "ids",
    "series",
    "eventtitle",
    "shortjournal",
    "maintitle",
    "issuetitle",
    "venue",
    "conference",
    "subtitle",
    "articleno",
    "numpages",
    "pubstate",
)
"""Fields for which the published version gives no new value. An entry with such a field is not
upgraded.
"""
_STATED_IN = {
    "venue": (*VENUE_FIELDS, "howpublished", "school", "institution"),
    "volume": ("volume",),
    "number": ("number", "issue", "articleno", "eid"),
    "pages": (
        "pages",
        "eid",
        "articleno",
        "article-number",
        "numpages",
        "pagetotal",
        "elocation-id",
    ),
    "year": ("year", "date", "pubstate"),
    "doi": ("doi",),
}
"""Map from an attribute to the BibTeX fields that may contain it. Missing attributes are added in
the order of this map.
"""
_ARXIV = re.compile(r"\b(?:arxiv|corr)\b|computing research repository", re.IGNORECASE)
"""Regex for the names of arXiv when it is given as a venue or publisher."""
_PREPRINT_TYPES = frozenset(
    {"article", "misc", "online", "electronic", "unpublished", "inproceedings", "conference"}
)


def plan_upgrade(
    reference: Reference, verdict: Verdict, case: Case, text: str, ascii_only: bool
) -> Plan | None:
    """Return a plan that replaces the cited preprint by its published version, or None if this is
    not possible.

    The parameters are those of :func:`~.correction.plan_correction`.
    """
    published = published_version(case) if verdict.is_valid else ()
    publication = Publication.of(published) if published else None
    layout = Layout.of(reference.place, text) if publication else None
    if publication is None or layout is None or not (publication.venue and publication.year):
        return None
    if not layout.is_plain() or not _is_convertible(reference, layout):
        return None
    kind, venue = publication.kind, layout.field(*_VENUES)
    name = _venue_field(layout, kind)
    written: dict[str, str] = {
        each: publication.written(each, ascii_only=ascii_only) for each in ATTRIBUTES
    }
    changes = [
        FieldChange(venue, name, written["venue"]),
        *_upgrades(reference, layout, written),
    ]
    edits, shown = layout.changed(changes)
    if venue and venue.name != name:
        edits.append(layout.with_name(venue, name))
    if KINDS.get(reference.entry_type) != kind:
        edits.append(layout.with_type(kind))
        shown.insert(0, ShownChange("type", reference.entry_type, kind))
    changing = {"entry_type", "publisher", *ATTRIBUTES}
    wanted = {"year": int(publication.year), "doi": publication.doi.lower() or reference.doi}
    return Plan(Kind.UPGRADED, tuple(edits), frozenset(changing), wanted, fields=tuple(shown))


def _is_convertible(reference: Reference, layout: Layout) -> bool:
    several = any(
        sum(layout.field(name) is not None for name in names) > 1 for names in (_VENUES, _YEARS)
    )
    is_published = reference.publisher and not _ARXIV.search(reference.publisher)
    return not (several or is_published or layout.field(*_NOT_CONVERTIBLE))


def _venue_field(layout: Layout, kind: str) -> str:
    """Return the field for the venue of a publication of type ``kind`` in an entry with ``layout``:
    ``booktitle``, ``journal`` or ``journaltitle``.
    """
    if kind != "article":
        return "booktitle"
    return "journaltitle" if layout.field("journaltitle", "date") else "journal"


def _upgrades(
    reference: Reference, layout: Layout, values: dict[str, str]
) -> Iterator[FieldChange]:
    """Yield the changes of the fields for an upgrade, except the change of the venue. ``values``
    maps the attributes of the published version to their values.
    """
    for name in ("volume", "number", "pages"):
        yield FieldChange(layout.field(name), name, values[name])
    year = layout.field(*_YEARS)
    if year is None or reference.year != int(values["year"]):
        yield FieldChange(year, "year", values["year"])
    if values["doi"]:
        yield FieldChange(layout.field("doi"), "doi", values["doi"])
    for name in ("month", "day", "issue", "eid"):  # these fields describe the preprint
        yield FieldChange(layout.field(name), name, "")
    if _ARXIV.search(reference.publisher):
        yield FieldChange(layout.field("publisher"), "publisher", "")
    names = ("arxivid", "arxiv", "arxiv_id", "url", "ee", "link", "note", "howpublished")
    stated = [field.raw for name in names if (field := layout.field(name))]
    # A field "eprint" that is not an arXiv id belongs to another archive.
    if reference.arxiv_id and not (
        layout.field("eprint") or any(find_arxiv_id(plain_text(raw)) for raw in stated)
    ):
        yield FieldChange(None, "eprint", reference.arxiv_id)
        if not layout.field("eprinttype", "archiveprefix"):
            archive = "eprinttype" if layout.field("date") else "archiveprefix"
            yield FieldChange(None, archive, "arXiv")


def plan_completion(
    reference: Reference, verdict: Verdict, case: Case, text: str, ascii_only: bool
) -> Plan | None:
    """Return a plan that adds missing fields from the records of the cited publication, or None if
    no field can be added.

    The parameters are those of :func:`~.correction.plan_correction`.
    """
    # Notes with these codes suggest that a value belongs to another version of the work.
    doubts = {IssueCode.PAGES_DIFFER, IssueCode.VOLUME_DIFFERS, IssueCode.NUMBER_DIFFERS}
    certain = verdict.is_valid and doubts.isdisjoint(issue.code for issue in verdict.issues)
    cited = cited_publication(case) if certain else ()
    publication = Publication.of(cited) if cited else None
    layout = Layout.of(reference.place, text) if publication else None
    kind = KINDS.get(reference.entry_type)
    if publication is None or layout is None or kind is None:
        return None
    missing = list(_missing(reference, publication, layout))
    if not missing:
        return None
    changes = [
        FieldChange(
            None,
            _venue_field(layout, kind) if name == "venue" else name,
            publication.written(name, ascii_only=ascii_only),
        )
        for name in missing
    ]
    edits, shown = layout.changed(changes)
    wanted = {"year": int(publication.year)} if "year" in missing else {}
    return Plan(Kind.ADDED, tuple(edits), frozenset(missing), wanted, fields=tuple(shown))


def _missing(reference: Reference, publication: Publication, layout: Layout) -> Iterator[str]:
    """Yield the attributes of ``publication`` that ``reference`` does not state."""
    # fields that name a parent entry, from which this entry inherits fields
    has_parent = layout.field("crossref", "xdata", "ids", "related")
    has_volume = bool(reference.volume)
    for name, fields in _STATED_IN.items():
        stated = getattr(reference, name) or layout.field(*fields)
        inherited = has_parent and name in {"venue", "volume", "number", "year"}
        if stated or inherited or not publication.value(name):
            continue
        is_article = KINDS.get(reference.entry_type) == "article"
        if name in OF_ARTICLES and not (is_article and (name == "volume" or has_volume)):
            continue
        has_volume = has_volume or name == "volume"
        yield name


def _cites_arxiv(reference: Reference) -> bool:
    """Return whether ``reference`` cites a preprint on arXiv and its entry has a type that can be
    upgraded.
    """
    is_doi_of_arxiv = reference.doi.startswith("10.48550/")
    if reference.entry_type not in _PREPRINT_TYPES or (reference.doi and not is_doi_of_arxiv):
        return False
    return bool(_ARXIV.search(reference.venue) if reference.venue else reference.arxiv_id)


def cited_publication(case: Case) -> tuple[Record, ...]:
    """Return the records of the publication that the reference cites, or an empty tuple if it is
    uncertain which publication this is.

    The records must agree with the reference in title and authors, and in the year, venue and DOI
    that it states. If it states no venue, the work must have only one publication, whose type fits
    the type of the entry.
    """
    reference = case.reference
    if _cites_arxiv(reference):
        return ()
    papers = published(case.work)
    if not reference.venue:
        records = [item.record for item in papers]
        fitting = all(record.pub_type == KINDS.get(reference.entry_type) for record in records)
        is_paper = reference.entry_type != "article" or len(papers) == len(case.work)
        if not (fitting and is_paper) or not are_one(records):
            return ()
    agreeing = tuple(item.record for item in papers if _is_stated(item))
    return agreeing if are_one(agreeing) else ()


def published_version(case: Case) -> tuple[Record, ...]:
    """Return the records of the published version of the cited preprint, or an empty tuple if there
    is not exactly one such version.

    All publications of the work must have the same title, and the same authors in the same order.
    None of them may be a workshop paper, because a workshop paper is often only an abstract of the
    preprint.
    """
    reference = case.reference
    if not _cites_arxiv(reference):
        return ()
    papers = published(case.work)
    preprints = [record for record in case.records if is_preliminary(record)]
    if reference.and_others and not preprints:
        return ()  # no record names the other authors
    if not all(_may_replace(item, preprints) for item in papers):
        return ()
    records = tuple(item.record for item in papers)
    return records if are_one(records) else ()


def _is_stated(item: Comparison) -> bool:
    """Return whether the reference certainly cites the publication that the record of ``item``
    describes. Missing fields may be added only from such a record.
    """
    reference = item.reference
    if not item.title.same or item.title.part_missing or not item.authors.everyone:
        return False
    if reference.doi:
        return item.doi and item.year_gap <= NEAR and item.venue not in ELSEWHERE
    return decides(item) or not (reference.venue or item.year_gap)


def _may_replace(item: Comparison, preprints: Sequence[Record]) -> bool:
    """Return whether the record of ``item`` describes a version that may replace the cited
    preprint. ``preprints`` are the records of the preprint.

    Versions of a work may differ in title and authors, but this version must have the cited title
    and authors.
    """
    reference, record = item.reference, item.record
    title = normalize_title(record.title)
    # A title of one or two words, such as "Editorial", does not identify a work.
    if title != normalize_title(reference.title) or len(title.split()) < 3 or not record.year:
        return False
    if record.publtype or is_beside(record.venue) or record.pub_type not in KINDS.values():
        return False
    years = [year for year in (reference.year, *(preprint.year for preprint in preprints)) if year]
    # a publication may appear from one year before to six years after the preprint
    if not years or record.year - min(years) not in range(-1, 7):
        return False
    in_order = all(one.code != IssueCode.AUTHORS_ORDER for one in item.authors.differences)
    return (
        in_order
        and item.authors.everyone
        and all(same_people(preprint.authors, record.authors) for preprint in preprints)
    )
