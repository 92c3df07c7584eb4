"""Improve VALID entries: turn those of preprints into the published version, and add missing fields.

An upgrade changes type, venue, volume, number, pages, year and DOI. Key, title, authors, notes, links and the
preprint's identifier stay. An identifier that was only part of the venue or volume gets a field. Completion never
changes an existing field.
"""

from collections.abc import Iterator, Mapping

from citeproof.fix.edits import Kind, Plan
from citeproof.fix.layout import Edit, Field, Layout, inside
from citeproof.fix.publication import KIND_OF, cited_publication, is_arxiv, published_version, value_of, written_value
from citeproof.model.codes import IssueCode
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.text.identifiers import find_arxiv_id
from citeproof.text.normalize import plain_text
from citeproof.verification.validation.case import Case

_VENUES = ("journal", "journaltitle", "booktitle")
_YEARS = ("year", "date")
_OF_THE_PREPRINT = ("month", "day", "issue", "eid")
"""Fields that describe the preprint. An upgrade removes them."""
_UNKNOWN = (
    "crossref", "xdata", "related", "ids", "series", "eventtitle", "shortjournal", "maintitle", "issuetitle", "venue",
    "conference", "subtitle", "articleno", "numpages", "pubstate",
)  # fmt: skip
"""Fields that an upgrade cannot convert. Entries with such a field stay unchanged."""
_IDENTIFIER_IN = ("eprint", "arxivid", "arxiv", "arxiv_id", "url", "ee", "link", "note", "howpublished")


def plan_upgrade(reference: Reference, verdict: Verdict, case: Case, text: str, ascii_only: bool) -> Plan | None:
    """Return the plan that changes ``reference`` to the published version; None if there is none."""
    records = published_version(case) if verdict.status is Status.VALID else ()
    layout = Layout.of(reference.place, text) if records else None
    if layout is None or not layout.is_plain() or not _is_understood(reference, layout):
        return None
    values = {name: value_of(records, name) for name in ("venue", "volume", "number", "pages", "year", "doi")}
    if records[0].pub_type != "article":
        values |= {"volume": "", "number": ""}
    if not values["venue"] or not values["year"]:
        return None
    written = {name: value and written_value(name, value, ascii_only=ascii_only) for name, value in values.items()}
    entry = _Entry(reference, layout, KIND_OF[records[0].pub_type], written)
    edits = tuple(entry.edits())
    changing = {"entry_type", "venue", "year", "doi", "pages", "volume", "number", "publisher"}
    wanted = {"year": records[0].year, "doi": values["doi"].lower() or reference.doi}
    return Plan(Kind.UPGRADED, edits, frozenset(changing), wanted, fields=tuple(entry.said))


def _is_understood(reference: Reference, layout: Layout) -> bool:
    """Whether an entry has only fields that an upgrade can convert."""
    several = any(sum(layout.field(name) is not None for name in names) > 1 for names in (_VENUES, _YEARS))
    publisher = not reference.publisher or is_arxiv(reference.publisher)
    return not several and publisher and layout.field(*_UNKNOWN) is None


class _Entry:
    """Collects the edits of one entry."""

    def __init__(self, reference: Reference, layout: Layout, kind: str, values: Mapping[str, str]) -> None:
        self._reference = reference
        self._layout = layout
        self._kind = kind
        self._values = values
        self._added: list[tuple[str, str]] = []
        self._gone: list[Field] = []
        self.said: list[tuple[str, str, str]] = []

    def edits(self) -> Iterator[Edit]:
        """Yield the edits. The changed fields are listed in :attr:`said`."""
        if KIND_OF.get(self._reference.entry_type) != self._kind:
            self.said.append(("type", self._reference.entry_type, self._kind))
            yield self._layout.with_type(self._kind)
        yield from self._venue()
        for name in ("volume", "number", "pages"):
            yield from self._set(self._layout.field(name), name, self._values[name])
        year = self._layout.field(*_YEARS)
        if year is None or self._reference.year != int(self._values["year"]):
            yield from self._set(year, "year", self._values["year"])
        if self._values["doi"]:
            yield from self._set(self._layout.field("doi"), "doi", self._values["doi"])
        for name in _OF_THE_PREPRINT:
            yield from self._set(self._layout.field(name), name, "")
        publisher = self._layout.field("publisher")
        if publisher and is_arxiv(self._reference.publisher):
            yield from self._set(publisher, "publisher", "")
        self._keep_identifier()
        if edit := self._layout.adding(self._added):
            yield edit

    def _venue(self) -> Iterator[Edit]:
        field = self._layout.field(*_VENUES)
        name = "booktitle"
        if self._kind == "article":
            name = "journaltitle" if self._layout.field("journaltitle", "date") else "journal"
        if field and field.name != name:
            yield self._layout.with_name(field, name)
        yield from self._set(field, name, self._values["venue"])

    def _set(self, field: Field | None, name: str, value: str) -> Iterator[Edit]:
        """Set a field: add it if it is missing, and remove it if ``value`` is empty."""
        before = self._layout.value(field) if field else ""
        before = before if inside(before) is None else inside(before) or ""
        if field is None:
            if value:
                self._added.append((name, value))
                self.said.append((name, "", value))
        elif not value:
            self._gone.append(field)
            self.said.append((field.name, before, ""))
            yield self._layout.without(field)
        elif before != value:
            self._gone.append(field)
            self.said.append((name, before, value))
            yield self._layout.with_value(field, value)

    def _keep_identifier(self) -> None:
        """Add a field for the preprint's identifier if only removed or changed fields contained it."""
        cited = self._reference.arxiv_id
        kept = [field for name in _IDENTIFIER_IN if (field := self._layout.field(name)) and field not in self._gone]
        if not cited or any(find_arxiv_id(plain_text(self._layout.value(field))) for field in kept):
            return
        if self._layout.field("eprint"):
            return  # of another archive
        archive = "eprinttype" if self._layout.field("date") else "archiveprefix"
        self._added.append(("eprint", cited))
        self.said.append(("eprint", "", cited))
        if not self._layout.field("eprinttype", "archiveprefix"):
            self._added.append((archive, "arXiv"))
            self.said.append((archive, "", "arXiv"))


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
"""Fields that may state an attribute, by attribute, in the order in which missing attributes are added."""
_DOUBTS = frozenset({IssueCode.PAGES_DIFFER, IssueCode.VOLUME_DIFFERS, IssueCode.NUMBER_DIFFERS})
"""Codes of notes that suggest that a value belongs to another version of the work."""
_OF_ARTICLES = frozenset({"volume", "number"})
_INHERITED = frozenset({"venue", "volume", "number", "year"})
"""Attributes that a parent entry may state. It may be in another file."""
_PARENTS = ("crossref", "xdata", "ids", "related")


def plan_completion(reference: Reference, verdict: Verdict, case: Case, text: str, ascii_only: bool) -> Plan | None:
    """Return the plan that adds the fields that only the publication of ``reference`` states; None without any."""
    certain = verdict.status is Status.VALID and _DOUBTS.isdisjoint(issue.code for issue in verdict.issues)
    records = cited_publication(case) if certain else ()
    layout = Layout.of(reference.place, text) if records else None
    missing = _missing(reference, records, layout) if layout else {}
    if not missing or layout is None:
        return None
    journal = "journaltitle" if layout.field("date") else "journal"
    venue = journal if KIND_OF[reference.entry_type] == "article" else "booktitle"
    values = [
        (venue if attribute == "venue" else attribute, written_value(attribute, value, ascii_only=ascii_only))
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
    for attribute, names in _SAID_BY.items() if kind else ():
        stated = getattr(reference, attribute) or layout.field(*names)
        inherited = attribute in _INHERITED and layout.field(*_PARENTS)
        fits = kind == "article" or attribute not in _OF_ARTICLES
        if fits and not stated and not inherited and (value := value_of(records, attribute)):
            found[attribute] = value
    if not ("volume" in found or reference.volume):
        found.pop("number", None)
    return found
