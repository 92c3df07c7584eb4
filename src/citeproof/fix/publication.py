"""A publication of a work: venue, year, volume, number, pages and DOI, all from records of the same
publication.

These values are written together or not at all. An entry with the venue of one publication and the
year of another would describe a publication that does not exist.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from citeproof.model.findings import Agreement, FieldName
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.readers.fields.bibtex import written_pages
from citeproof.text.identifiers import is_aside
from citeproof.text.latex import latex_of
from citeproof.text.name_comparison import NameAgreement, compare_names
from citeproof.text.names import parse_name
from citeproof.verification.validation.claim import KINDS
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint
from citeproof.verification.validation.comparison import Comparison

OF_ARTICLES = frozenset({"volume", "number"})
ATTRIBUTES: tuple[FieldName, ...] = ("venue", "volume", "number", "pages", "year", "doi")
"""Attributes of a publication, in the order in which they are written into an entry."""
_USUAL_VALUES = {
    "pages": re.compile(r"[\w:.]*\d[\w:.]*(?:\s*[-\u2013]+\s*[\w:.]*\d[\w:.]*)?"),
    **dict.fromkeys(OF_ARTICLES, re.compile(r"\d+[A-Za-z]?(?:\s*[-/\u2013]\s*\d+)?")),
}
"""Map from an attribute to a regex that its value must match, such as ``12--34`` for pages."""
_REPORTS = re.compile(
    r"\b(?:ECCC|tech(?:nical|\.)? reports?|research reports?|reports? series|forschungsberichte?)\b"
    r"|\bcolloquium (?:on )?comput",
    re.IGNORECASE,
)
"""Regex for names of report series. DBLP treats them as journals."""
_PART = re.compile(r"\s\(\d+\)$")  # the number that DBLP adds to a part of proceedings: ``ACL (1)``


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication of one version of a work. Values that are unknown are empty."""

    kind: str
    """``article`` or ``inproceedings``."""
    venue: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    year: str = ""
    doi: str = ""

    @classmethod
    def of(cls, records: Sequence[Record]) -> Self | None:
        """Return the publication that ``records`` describe, or None if they describe several
        publications. Also None for preprints, reports, books and chapters.

        A value is empty if the records differ in it, if it has an unusual form, or if it is the
        volume or number of proceedings.
        """
        if not are_one(records) or any(map(is_preliminary, records)):
            return None
        kind = records[0].pub_type
        if kind not in KINDS:
            return None
        values: dict[str, str] = {name: _common_value(records, name) for name in ATTRIBUTES}
        if kind != "article":
            values |= dict.fromkeys(OF_ARTICLES, "")
        return cls(kind, **values)

    def value(self, name: str) -> str:
        """Return the value of the attribute ``name``, one of :data:`ATTRIBUTES`."""
        return str(getattr(self, name))

    def written(self, name: str, *, ascii_only: bool) -> str:
        """Return the value of the attribute ``name`` in LaTeX. If ``ascii_only`` is true, other
        characters are written as LaTeX commands.
        """
        value = self.value(name)
        if name in {"doi", "year"}:
            return value
        if name == "pages":
            return written_pages(value)
        return latex_of(_PART.sub("", value) if name == "venue" else value, ascii_only=ascii_only)

    def __str__(self) -> str:
        """Return the publication as text for users:
        ``CVPR 2016, pages 770-778, DOI 10.1109/90``.
        """
        labels = ("volume", "number", "pages", "doi")
        parts = [f"{self.venue} {self.year}".strip()]
        parts += [
            f"{'DOI' if name == 'doi' else name} {self.value(name)}"
            for name in labels
            if self.value(name)
        ]
        return ", ".join(parts)


def is_preliminary(record: Record) -> bool:
    """Return whether ``record`` describes a preprint or a report."""
    return is_preprint(record) or _REPORTS.search(record.venue) is not None


def published(work: Iterable[Comparison]) -> list[Comparison]:
    """Return those comparisons of ``work`` whose records are neither preprints nor reports."""
    return [item for item in work if not is_preliminary(item.record)]


def same_people(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether two lists of authors have the same people in the same order."""
    return len(ours) == len(theirs) and all(
        compare_names(parse_name(one), parse_name(other)) is NameAgreement.SAME
        for one, other in zip(ours, theirs, strict=True)
    )


def are_one(records: Sequence[Record]) -> bool:
    """Return whether all records describe the same publication: they have the same type, year,
    first page and DOI. If no record has a DOI, they must also have the same venue. Missing values
    are ignored.
    """
    kinds = {record.pub_type for record in records}
    years = {record.year for record in records if record.year}
    dois = {record.doi.lower() for record in records if record.doi}
    pages = {record.pages.partition("-")[0] for record in records if record.pages}
    venues = {record.venue for record in records if not dois}
    return len(kinds) == 1 and all(len(stated) <= 1 for stated in (years, dois, pages, venues))


def _common_value(records: Sequence[Record], name: str) -> str:
    values = {value for record in records if (value := str(getattr(record, name) or ""))}
    value = values.pop() if len(values) == 1 else ""
    if name == "doi":
        return "" if is_aside(value) else value
    return value if name not in _USUAL_VALUES or _USUAL_VALUES[name].fullmatch(value) else ""


def agreements(item: Comparison) -> dict[str, bool]:
    """Compare the attributes of a publication that both the reference and the record state. Return
    a map from the name of the attribute to True if the two values agree, else to False.

    Values that cannot be compared are left out: venues with similar names, a workshop and its
    conference, and volumes of proceedings.
    """
    found: dict[str, bool] = {}
    for name in ATTRIBUTES:
        agreement = item.field(name).agreement
        unclear = name == "venue" and item.venue is VenueAgreement.BESIDE
        of_proceedings = name in OF_ARTICLES and item.record.pub_type != "article"
        if agreement in {Agreement.SAME, Agreement.DIFFERENT} and not (unclear or of_proceedings):
            found[name] = agreement is Agreement.SAME
    return found


def stated(reference: Reference) -> set[str]:
    """Return the :data:`ATTRIBUTES` of a publication that ``reference`` states."""
    return {name for name in ATTRIBUTES if getattr(reference, name)}
