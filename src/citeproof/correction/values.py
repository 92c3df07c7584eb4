"""Which fields of a reference the work that it means contradicts, and what is right instead.

A field is corrected where it counts against the reference or is surely misspelt, the work is identified without it, and
all records that agree best with the rest of the reference state one and the same value. Everything else is left alone.

Example: title, people and venue lead to one record of 2017, and 2020 is cited: the year becomes 2017. Where a preprint
of 2016 and a paper of 2017 agree equally well with the rest, no year is right, and 2020 stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.models import Severity, Status
from citeproof.text.normalize import normalize_title
from citeproof.validation.compare.identifiers import arxiv_id_of, doi_agrees, is_aside
from citeproof.validation.compare.venues import VenueAgreement, compare_venue, is_preprint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Record, Reference, Verdict
    from citeproof.validation.case import Case
    from citeproof.validation.venues import Venues

FIELD_OF = {
    "title.word_changed": "title",
    "title.misspelt": "title",
    "authors.placeholder": "authors",
    "authors.other_people": "authors",
    "authors.not_on_record": "authors",
    "authors.given_name": "authors",
    "authors.dropped": "authors",
    "year.future": "year",
    "year.off": "year",
    "year.other_edition": "year",
    "venue.different": "venue",
    "venue.no_such_edition": "venue",
    "venue.twice": "venue",
    "venue.unknown": "venue",
    "doi.differs": "doi",
    "doi.other_volume": "doi",
    "doi.other_work": "doi",
    "doi.malformed": "doi",
    "doi.unassigned": "doi",
    "doi.unknown": "doi",
    "arxiv.malformed": "arxiv_id",
    "arxiv.other_work": "arxiv_id",
    "arxiv.unknown": "arxiv_id",
}
"""The field that a difference is about, for those that a record can correct. ``title.different`` is not among them:
one work's title and another's identifier do not say which of the two was meant."""
_MENDED = frozenset({Status.VALID, Status.SUSPICIOUS, Status.INVALID})
_MENDED_NOTES = frozenset({"title.misspelt"})
"""Differences that are mended though they count against nobody."""
_IN_PROCEEDINGS = frozenset({"inproceedings", "conference"})
_IN_RECORD = {"title": "title", "year": "year", "venue": "venue", "doi": "doi", "arxiv_id": "arxiv_id"}


@dataclass(frozen=True, slots=True)
class Correction:
    """One field of a reference, and the record that states what is right."""

    field: str
    """``title``, ``authors``, ``year``, ``venue``, ``doi`` or ``arxiv_id``."""
    codes: tuple[str, ...]
    """The differences that it mends."""
    record: Record


def corrections(verdict: Verdict, case: Case) -> tuple[Correction, ...]:
    """Return what is to be corrected in the reference of ``verdict``; ``case`` is what it was decided on."""
    wrong = [item.code for item in verdict.issues if item.severity is Severity.ISSUE or item.code in _MENDED_NOTES]
    codes = {code: FIELD_OF[code] for code in dict.fromkeys(wrong) if code in FIELD_OF}
    contradicted = frozenset(codes.values())
    if verdict.status not in _MENDED or not _identified(case, contradicted):
        return ()
    records = _agreeing(verdict.reference, case, contradicted)
    found = []
    for field in dict.fromkeys(codes.values()):
        values = {_stated(record, field) for record in records} - {None}
        if len(values) == 1:
            record = next(record for record in records if _stated(record, field) is not None)
            found.append(Correction(field, tuple(code for code, of in codes.items() if of == field), record))
    return tuple(found)


def _identified(case: Case, contradicted: frozenset[str]) -> bool:
    """Whether two of title, people and identifier lead to the work without what is contradicted.

    An identifier counts only where it is the work's own, and people only where each is on the record. Title and
    people that agree with each other identify the work without an identifier. A title whose people are wrong needs
    the identifier, or the right venue and year, or nearly all of the people; so does a list of people whose title is
    wrong.
    """
    best = case.best
    if best is None:
        return False
    identifier = "doi" not in contradicted and doi_agrees(case.reference, case.records)
    place = case.venue is VenueAgreement.SAME and best.year_gap <= 1 and not {"venue", "year"} & contradicted
    people = best.people and best.authors.share == 1
    if "title" in contradicted:
        return people and "authors" not in contradicted and (identifier or place)
    if "authors" in contradicted:
        others_agree = identifier or place or best.year_gap == 0
        if best.authors.comparable and not best.authors.agreeing and not case.placeholders:
            return identifier  # a title by nobody of the cited people is often another work's title
        return best.title.same and others_agree
    return best.title.same and people


def _agreeing(reference: Reference, case: Case, contradicted: frozenset[str]) -> tuple[Record, ...]:
    """Return the records of the work that agree best with what is not contradicted.

    Of a preprint and a paper that agree equally well, a reference to proceedings means the paper.
    """
    ranked = [(_agreement(reference, record, contradicted, case.venues), record) for record in case.records]
    best = max((rank for rank, _ in ranked), default=0)
    records = tuple(record for rank, record in ranked if rank == best)
    published = tuple(record for record in records if not is_preprint(record))
    return published if published and reference.entry_type in _IN_PROCEEDINGS else records


def _agreement(reference: Reference, record: Record, contradicted: frozenset[str], venues: Venues) -> int:
    """Return how many fields of a record are those that are cited."""
    same = {
        "doi": doi_agrees(reference, (record,)),
        "arxiv_id": bool(record.arxiv_id) and arxiv_id_of(reference).lower() == record.arxiv_id.lower(),
        "year": reference.year == record.year,
        "venue": compare_venue(reference.venue, (record,), venues) is VenueAgreement.SAME,
    }
    return sum(agrees for field, agrees in same.items() if field not in contradicted)


def _stated(record: Record, field: str) -> object | None:
    """Return what a record states in a field, in a form that can be compared; None where it states nothing."""
    if field == "authors":
        return tuple(map(normalize_title, record.authors)) or None
    if field == "title":
        return normalize_title(record.title) or None
    value = getattr(record, _IN_RECORD[field])
    return None if not value or (field == "doi" and is_aside(value)) else value


def shown(values: Sequence[str] | str | int | None) -> str:
    """Return a field's value in one line for a person."""
    return "; ".join(values) if isinstance(values, tuple | list) else str(values or "")
