"""Improve VALID entries: an *upgrade* replaces a preprint by its published version, a *completion*
adds missing fields.

An upgrade changes type, venue, volume, number, pages, year and DOI. Key, title, authors, notes,
links and the identifier of the preprint stay. An identifier that was only in the venue or volume is
moved to a new field.

A work may have appeared as a preprint, at a conference and in a journal. All new values come from
one publication. If several publications fit the reference, nothing is changed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from citeproof.fix.layout import Edit, Field, Kind, Layout, Plan, inside, wrapped
from citeproof.model.codes import IssueCode
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.readers.fields.bibtex import written_pages
from citeproof.text.identifiers import find_arxiv_id, is_aside
from citeproof.text.latex import latex_of
from citeproof.text.normalize import normalize_title, plain_text
from citeproof.text.venue_names import is_beside
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.authors import compare_authors
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint
from citeproof.verification.validation.comparison import Comparison

_PUBLICATION_TYPES = {
    "article": "article",
    "inproceedings": "inproceedings",
    "conference": "inproceedings",
}
"""Map from a BibTeX entry type to a publication type.

Other entry types do not tell the publication type.
"""
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
"""Fields for which an upgrade has no new value. An entry with such a field is not upgraded."""
_STATED_IN = {
    "venue": (
        "journal",
        "journaltitle",
        "booktitle",
        "eventtitle",
        "shortjournal",
        "conference",
        "maintitle",
        "issuetitle",
        "series",
        "venue",
        "howpublished",
        "school",
        "institution",
    ),
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
"""Map from an attribute to BibTeX fields that may contain it.

Missing attributes are added in the order of the map.
"""
_OF_ARTICLES = frozenset({"volume", "number"})
_ARXIV = re.compile(r"\b(?:arxiv|corr)\b|computing research repository", re.IGNORECASE)
"""Regex of the names of arXiv as a venue or publisher."""
_PREPRINT_TYPES = frozenset(
    {"article", "misc", "online", "electronic", "unpublished", "inproceedings", "conference"}
)
_NO_OTHER_PEOPLE = frozenset(
    {IssueCode.AUTHORS_SPELLING, IssueCode.AUTHORS_ORDER, IssueCode.AUTHORS_COMMAS}
)
"""Codes of differences between author lists that may nevertheless name the same people."""
_USUAL_VALUES = {
    "pages": re.compile(r"[\w:.]*\d[\w:.]*(?:\s*[-\u2013]+\s*[\w:.]*\d[\w:.]*)?"),
    **dict.fromkeys(_OF_ARTICLES, re.compile(r"\d+[A-Za-z]?(?:\s*[-/\u2013]\s*\d+)?")),
}
"""Map from an attribute to a regex that added values must match, such as ``12--34`` for pages."""
_FieldChange = tuple[Field | None, str, str]
"""A change of a field: old field or None, name, new value. An empty value removes the field."""


def plan_upgrade(
    reference: Reference, verdict: Verdict, case: Case, text: str, ascii_only: bool
) -> Plan | None:
    """Return a plan that replaces a cited preprint by its published version, or None if that is not
    possible.
    """
    records = published_version(case) if verdict.status is Status.VALID else ()
    layout = Layout.of(reference.place, text) if records else None
    if layout is None or not layout.is_plain() or not _is_convertible(reference, layout):
        return None
    kind = _PUBLICATION_TYPES[records[0].pub_type]
    values = {
        name: value_of(records, name)
        for name in ("venue", "volume", "number", "pages", "year", "doi")
    }
    if kind != "article":
        values |= {"volume": "", "number": ""}
    if not values["venue"] or not values["year"]:
        return None
    written = {
        name: value and _written(name, value, ascii_only=ascii_only)
        for name, value in values.items()
    }
    venue = layout.field(*_VENUES)
    name = _venue_field(layout, kind)
    edits, shown = _edits(
        layout, [(venue, name, written["venue"]), *_upgrades(reference, layout, written)]
    )
    if venue and venue.name != name:
        edits.append(layout.with_name(venue, name))
    if _PUBLICATION_TYPES.get(reference.entry_type) != kind:
        edits.append(layout.with_type(kind))
        shown.insert(0, ("type", reference.entry_type, kind))
    changing = {"entry_type", "venue", "year", "doi", "pages", "volume", "number", "publisher"}
    wanted = {"year": records[0].year, "doi": values["doi"].lower() or reference.doi}
    return Plan(Kind.UPGRADED, tuple(edits), frozenset(changing), wanted, fields=tuple(shown))


def _is_convertible(reference: Reference, layout: Layout) -> bool:
    several = any(
        sum(layout.field(name) is not None for name in names) > 1 for names in (_VENUES, _YEARS)
    )
    is_published = reference.publisher and not _ARXIV.search(reference.publisher)
    return not (several or is_published or layout.field(*_NOT_CONVERTIBLE))


def _venue_field(layout: Layout, kind: str) -> str:
    """Return the BibTeX field for the venue of a publication of type ``kind``: ``booktitle`` or a
    journal field.
    """
    if kind != "article":
        return "booktitle"
    return "journaltitle" if layout.field("journaltitle", "date") else "journal"


def _upgrades(
    reference: Reference, layout: Layout, values: dict[str, str]
) -> Iterator[_FieldChange]:
    """Yield the changes of an upgrade, except the change of the venue."""
    for name in ("volume", "number", "pages"):
        yield layout.field(name), name, values[name]
    year = layout.field(*_YEARS)
    if year is None or reference.year != int(values["year"]):
        yield year, "year", values["year"]
    if values["doi"]:
        yield layout.field("doi"), "doi", values["doi"]
    for name in ("month", "day", "issue", "eid"):  # which describe the preprint
        yield layout.field(name), name, ""
    if _ARXIV.search(reference.publisher):
        yield layout.field("publisher"), "publisher", ""
    names = ("arxivid", "arxiv", "arxiv_id", "url", "ee", "link", "note", "howpublished")
    stated = [field.raw for name in names if (field := layout.field(name))]
    # A field "eprint" without an arXiv id is of another archive.
    if reference.arxiv_id and not (
        layout.field("eprint") or any(find_arxiv_id(plain_text(raw)) for raw in stated)
    ):
        yield None, "eprint", reference.arxiv_id
        if not layout.field("eprinttype", "archiveprefix"):
            yield None, "eprinttype" if layout.field("date") else "archiveprefix", "arXiv"


def _edits(
    layout: Layout, changes: Iterable[_FieldChange]
) -> tuple[list[Edit], list[tuple[str, str, str]]]:
    """Return two lists for ``changes``: the edits, and tuples to show to users: field, old value,
    new value.
    """
    edits: list[Edit] = []
    shown: list[tuple[str, str, str]] = []
    added = []
    for field, name, value in changes:
        before = (
            ""
            if field is None
            else field.raw
            if (content := inside(field.raw)) is None
            else content
        )
        if field is None and value:
            added.append((name, value))
        elif field and not value:
            edits.append(layout.without(field))
        elif field and before != value:
            edits.append((field.value, wrapped(value, field.raw)))
        else:
            continue
        shown.append((name if value or field is None else field.name, before, value))
    if edit := layout.adding(added):
        edits.append(edit)
    return edits, shown


def plan_completion(
    reference: Reference, verdict: Verdict, case: Case, text: str, ascii_only: bool
) -> Plan | None:
    """Return a plan that adds missing fields from records of the cited publication, or None if none
    can be added.
    """
    # Notes with these codes suggest that a value belongs to another version of the work.
    doubts = {IssueCode.PAGES_DIFFER, IssueCode.VOLUME_DIFFERS, IssueCode.NUMBER_DIFFERS}
    certain = verdict.status is Status.VALID and doubts.isdisjoint(
        issue.code for issue in verdict.issues
    )
    records = cited_publication(case) if certain else ()
    layout = Layout.of(reference.place, text) if records else None
    kind = _PUBLICATION_TYPES.get(reference.entry_type)
    missing = _missing(reference, records, layout, kind) if layout and kind else {}
    if not missing or not layout or not kind:
        return None
    changes: list[_FieldChange] = [
        (
            None,
            _venue_field(layout, kind) if name == "venue" else name,
            _written(name, value, ascii_only=ascii_only),
        )
        for name, value in missing.items()
    ]
    edits, shown = _edits(layout, changes)
    wanted = {"year": int(missing["year"])} if "year" in missing else {}
    return Plan(Kind.ADDED, tuple(edits), frozenset(missing), wanted, fields=tuple(shown))


def _missing(
    reference: Reference, records: Sequence[Record], layout: Layout, kind: str
) -> dict[str, str]:
    """Return a map from each attribute that ``reference`` lacks to the value in ``records``."""
    found = {}
    # from which the entry inherits fields
    has_parent = layout.field("crossref", "xdata", "ids", "related")
    for attribute, names in _STATED_IN.items():
        stated = getattr(reference, attribute) or layout.field(*names)
        inherited = has_parent and attribute in {"venue", "volume", "number", "year"}
        fits = kind == "article" or attribute not in _OF_ARTICLES
        if fits and not stated and not inherited and (value := value_of(records, attribute)):
            found[attribute] = value
    if not ("volume" in found or reference.volume):
        found.pop("number", None)
    return found


def _written(attribute: str, value: str, *, ascii_only: bool) -> str:
    if attribute in {"doi", "year"}:
        return value
    if attribute == "pages":
        return written_pages(value)
    if attribute == "venue":
        # the number that DBLP adds to a part of proceedings: ``ACL (1)``
        value = re.sub(r"\s\(\d+\)$", "", value)
    return latex_of(value, ascii_only=ascii_only)


def _cites_preprint(reference: Reference) -> bool:
    is_doi_of_arxiv = reference.doi.startswith("10.48550/")
    if reference.entry_type not in _PREPRINT_TYPES or (reference.doi and not is_doi_of_arxiv):
        return False
    return bool(_ARXIV.search(reference.venue) if reference.venue else reference.arxiv_id)


def cited_publication(case: Case) -> tuple[Record, ...]:
    """Return the records of the publication that the reference cites, or an empty tuple if that is
    uncertain.

    The records must agree with the reference in title and authors, and in cited year, venue and
    DOI. If no venue is cited, the work must have only one publication, and the type of the
    publication must fit the type of the entry.
    """
    reference = case.reference
    if _cites_preprint(reference):
        return ()
    published = [item for item in case.work if not is_preprint(item.record)]
    if not reference.venue:
        records = [item.record for item in published]
        fitting = all(
            record.pub_type == _PUBLICATION_TYPES.get(reference.entry_type) for record in records
        )
        is_paper = reference.entry_type != "article" or len(published) == len(case.work)
        if not (fitting and is_paper) or not _is_one(records):
            return ()
    agreeing = tuple(item.record for item in published if _agrees(item))
    return agreeing if _is_one(agreeing) else ()


def published_version(case: Case) -> tuple[Record, ...]:
    """Return the records of the cited preprint's published version, or an empty tuple if there is
    not exactly one.

    All publications of the work must have the same title, and the same authors in the same order.
    None may be a workshop paper, because such a paper is often an abstract of the preprint.
    """
    reference = case.reference
    if not _cites_preprint(reference):
        return ()
    published = tuple(record for record in case.records if not is_preprint(record))
    preprints = [record for record in case.records if is_preprint(record)]
    known_people = bool(preprints) or not reference.and_others
    is_version = known_people and all(
        _is_version(reference, preprints, record) for record in published
    )
    return published if is_version and _is_one(published) else ()


def value_of(records: Sequence[Record], field: str) -> str:
    """Return the value of ``field`` in ``records`` as text.

    Empty if the records differ or the value looks unusual.
    """
    values = {value for record in records if (value := str(getattr(record, field) or ""))}
    value = values.pop() if len(values) == 1 else ""
    if field == "doi":
        return "" if is_aside(value) else value
    return value if field not in _USUAL_VALUES or _USUAL_VALUES[field].fullmatch(value) else ""


def _agrees(item: Comparison) -> bool:
    reference, record = item.reference, item.record
    if (
        not item.title.same
        or item.title.part_missing
        or not item.authors.comparable
        or item.authors.share < 1
    ):
        return False
    if not _NO_OTHER_PEOPLE.issuperset(difference.code for difference in item.authors.differences):
        return False
    if reference.doi:
        similar = {VenueAgreement.SAME, VenueAgreement.LIKE, VenueAgreement.NOT_COMPARABLE}
        return item.doi and item.year_gap <= 1 and item.venue in similar
    return (not reference.venue or item.venue is VenueAgreement.SAME) and reference.year in {
        None,
        record.year,
    }


def _is_version(reference: Reference, preprints: Sequence[Record], record: Record) -> bool:
    title = normalize_title(record.title)
    # A title of one or two words, such as "Editorial", does not identify a work.
    if title != normalize_title(reference.title) or len(title.split()) < 3 or not record.year:
        return False
    if (
        record.publtype
        or is_beside(record.venue)
        or record.pub_type not in _PUBLICATION_TYPES.values()
    ):
        return False
    years = [year for year in (reference.year, *(preprint.year for preprint in preprints)) if year]
    # plausible years from preprint to publication
    if not years or record.year - min(years) not in range(-1, 7):
        return False
    listed = [
        reference,
        *(replace(reference, authors=one.authors, and_others=False) for one in preprints),
    ]
    compared = [compare_authors(one, record) for one in listed]
    same_people = all(
        found.comparable and found.share == 1 and not found.uncited for found in compared
    )
    codes = {one.code for found in compared for one in found.differences}
    return same_people and codes <= _NO_OTHER_PEOPLE - {IssueCode.AUTHORS_ORDER}


def _is_one(records: Sequence[Record]) -> bool:
    """Return whether all records are of one publication: same type, year, first page and DOI or,
    without DOI, venue.
    """
    kinds = {record.pub_type for record in records}
    years = {record.year for record in records if record.year}
    dois = {record.doi.lower() for record in records if record.doi}
    pages = {record.pages.partition("-")[0] for record in records if record.pages}
    venues = {record.venue for record in records if not dois}
    return len(kinds) == 1 and all(len(stated) <= 1 for stated in (years, dois, pages, venues))
