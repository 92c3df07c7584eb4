"""Add missing fields from the publication that an entry cites; existing fields never change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.fix.layout import Layout
from citeproof.fix.plan import Kind, Plan
from citeproof.fix.publication import KIND_OF, cited_publication, value_of, written_value
from citeproof.model.codes import IssueCode
from citeproof.model.verdict import Status

if TYPE_CHECKING:
    from citeproof.model.record import Record
    from citeproof.model.reference import Reference
    from citeproof.model.verdict import Verdict
    from citeproof.verification.validation.case import Case

_SAID_BY = {
    "venue": (
        "journal", "journaltitle", "booktitle", "eventtitle", "shortjournal", "conference", "maintitle", "issuetitle",
        "series", "venue", "howpublished", "school", "institution",
    ),
    "volume": ("volume",),
    "number": ("number", "issue", "articleno", "eid"),
    "pages": ("pages", "eid", "articleno", "article-number", "numpages", "pagetotal", "elocation-id"),
    "year": ("year", "date", "pubstate"),
    "doi": ("doi",),
}  # fmt: skip
"""Attributes that are added, in this order, each with the fields that may state the same."""
_DOUBTS = frozenset({IssueCode.PAGES_DIFFER, IssueCode.VOLUME_DIFFERS, IssueCode.NUMBER_DIFFERS})
"""Notes that may come from another version of the work."""
_OF_ARTICLES = frozenset({"volume", "number"})
_INHERITED = frozenset({"venue", "volume", "number", "year"})
"""Attributes that a parent entry may state; it need not be in this file."""
_PARENTS = ("crossref", "xdata", "ids", "related")


class Completion:
    """Fills in venue, volume, number, pages, year and DOI."""

    def plan(self, reference: Reference, verdict: Verdict, case: Case, text: str, *, ascii_only: bool) -> Plan | None:
        """Return the fields that ``reference`` lacks and its publication states; None if there are none."""
        certain = verdict.status is Status.VALID and _DOUBTS.isdisjoint(issue.code for issue in verdict.issues)
        records = cited_publication(case) if certain else ()
        layout = Layout.of(reference.place, text) if records else None
        missing = _missing(reference, records, layout) if layout else {}
        if not missing or layout is None:
            return None
        values = [
            (_name(attribute, reference, layout), written_value(attribute, value, ascii_only=ascii_only))
            for attribute, value in missing.items()
        ]
        edit = layout.adding(values)
        return Plan(
            Kind.ADDED,
            (edit,) if edit else (),
            frozenset(missing),
            {"year": int(missing["year"])} if "year" in missing else {},
            fields=tuple((name, "", value) for name, value in values),
        )


def _missing(reference: Reference, records: tuple[Record, ...], layout: Layout) -> dict[str, str]:
    """Return the attributes that no field of the entry states, with the publication's values."""
    found = {}
    kind = KIND_OF.get(reference.entry_type)
    for attribute, names in _SAID_BY.items():
        if getattr(reference, attribute) or layout.field(*names):
            continue
        if attribute in _INHERITED and layout.field(*_PARENTS):
            continue
        if kind is None or (attribute in _OF_ARTICLES and kind != "article"):
            continue
        if value := value_of(records, attribute):
            found[attribute] = value
    if "number" in found and not ({"volume"} & found.keys() or reference.volume):
        del found["number"]
    return found


def _name(attribute: str, reference: Reference, layout: Layout) -> str:
    """Return the name of the field for ``attribute``; that of biblatex if the entry uses biblatex."""
    if attribute != "venue":
        return attribute
    if KIND_OF[reference.entry_type] != "article":
        return "booktitle"
    return "journaltitle" if layout.field("date") else "journal"
