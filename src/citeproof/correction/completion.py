"""What an entry does not state, filled in from the one publication that it cites; what it states is never touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.correction.layout import Layout
from citeproof.correction.plan import Kind, Plan
from citeproof.correction.publication import KIND_OF, cited_publication, value_of
from citeproof.correction.written import written_value
from citeproof.models import Status

if TYPE_CHECKING:
    from citeproof.models import Record, Reference, Verdict
    from citeproof.validation.case import Case

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
"""The attributes that are filled in, in the order in which they are written, and the fields that may say the same."""
_DOUBTS = frozenset({"pages.differ", "volume.differs", "number.differs"})
"""Differences that count against no reference, and that may be those of another version."""
_OF_ARTICLES = frozenset({"volume", "number"})
_INHERITED = frozenset({"venue", "volume", "number", "year"})
"""What may stand in another entry, which need not be in this file."""
_PARENTS = ("crossref", "xdata", "ids", "related")


class Completion:
    """Fills in venue, volume, number, pages, year and DOI."""

    def plan(self, reference: Reference, verdict: Verdict, case: Case, text: str, *, ascii_only: bool) -> Plan | None:
        """Return the fields that ``reference`` lacks and its publication states; None where that is nothing."""
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
    """Return what the entry does not say in any field, with the publication's value."""
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
    """Return the name of a field, as biblatex has it where the entry has others of biblatex."""
    if attribute != "venue":
        return attribute
    if KIND_OF[reference.entry_type] != "article":
        return "booktitle"
    return "journaltitle" if layout.field("date") else "journal"
