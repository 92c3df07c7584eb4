"""Correct fields that the record of the identified work contradicts.

A field is corrected if it counts against the reference or is surely misspelt, the work is identified without it, and
all records that agree best with the rest of the reference state one value.

Example: title, authors and venue lead to one record of 2017, and 2020 is cited: the year becomes 2017. If a preprint of
2016 and a paper of 2017 agree equally well with the rest, the year stays 2020.
"""

from collections.abc import Mapping, Sequence

from citeproof.fix.edits import Correction, Kind, Plan, edits
from citeproof.model.codes import IssueCode
from citeproof.model.record import Record
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Status, Verdict
from citeproof.text.identifiers import is_aside
from citeproof.text.normalize import normalize_title
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint

_CORRECTABLE = {
    "title": (IssueCode.TITLE_WORD_CHANGED, IssueCode.TITLE_MISSPELT),
    "authors": (
        IssueCode.AUTHORS_PLACEHOLDER, IssueCode.AUTHORS_OTHER_PEOPLE, IssueCode.AUTHORS_NOT_ON_RECORD,
        IssueCode.AUTHORS_GIVEN_NAME, IssueCode.AUTHORS_DROPPED,
    ),
    "year": (IssueCode.YEAR_FUTURE, IssueCode.YEAR_OFF, IssueCode.YEAR_OTHER_EDITION),
    "venue": (
        IssueCode.VENUE_DIFFERENT, IssueCode.VENUE_NO_SUCH_EDITION, IssueCode.VENUE_TWICE, IssueCode.VENUE_UNKNOWN,
    ),
    "doi": (
        IssueCode.DOI_DIFFERS, IssueCode.DOI_OTHER_VOLUME, IssueCode.DOI_OTHER_WORK, IssueCode.DOI_MALFORMED,
        IssueCode.DOI_UNASSIGNED, IssueCode.DOI_UNKNOWN,
    ),
    "arxiv_id": (IssueCode.ARXIV_MALFORMED, IssueCode.ARXIV_OTHER_WORK, IssueCode.ARXIV_UNKNOWN),
}  # fmt: skip
FIELD_OF: Mapping[str, str] = {code: field for field, codes in _CORRECTABLE.items() for code in codes}
"""Field that is corrected, by the code of the difference. ``title.different`` is not among the codes: if title and
identifier belong to two works, it is unknown which of the two was meant.
"""
_FIXABLE = frozenset({Status.VALID, Status.SUSPICIOUS, Status.INVALID})
_FIXED_NOTES = frozenset({IssueCode.TITLE_MISSPELT})
"""Codes of notes that are corrected as well, although they do not count."""
_IN_PROCEEDINGS = frozenset({"inproceedings", "conference"})


def corrections(verdict: Verdict, case: Case) -> tuple[Correction, ...]:
    """Return the corrections of the reference of ``verdict``, which was decided from ``case``."""
    wrong = [item.code for item in verdict.issues if item.severity is Severity.ISSUE or item.code in _FIXED_NOTES]
    codes = {code: FIELD_OF[code] for code in dict.fromkeys(wrong) if code in FIELD_OF}
    contradicted = frozenset(codes.values())
    if verdict.status not in _FIXABLE or not _identified(case, contradicted):
        return ()
    records = _agreeing(verdict.reference, case, contradicted)
    found = []
    for field in dict.fromkeys(codes.values()):
        values = {_stated(record, field) for record in records} - {None}
        if len(values) == 1:
            record = next(record for record in records if _stated(record, field) is not None)
            found.append(Correction(field, tuple(code for code, of in codes.items() if of == field), record))
    return tuple(found)


def why_left(code: str, reference: Reference, verdict: Verdict, case: Case | None, text: str) -> str:
    """Return why the difference ``code`` of ``verdict`` is not corrected. ``case`` is None if no work was found."""
    field = FIELD_OF.get(code)
    if case is None:
        return "the work is not identified"
    if field is None:
        return "the records do not say which value is right"
    wrong = corrections(verdict, case)
    if field in {each.field for each in wrong}:
        plan = plan_correction(reference, verdict, case, text, ascii_only=True)
        if plan and field in plan.fixed:
            return "the corrected entry would not agree with the record either"
        return "the entry does not state the field in a form that can be changed"
    contradicted = frozenset(FIELD_OF[each.code] for each in verdict.issues if each.code in FIELD_OF)
    if not _identified(case, contradicted):
        return "the rest of the entry does not identify the work with certainty"
    return "the records of the work state different values, or none"


def _identified(case: Case, contradicted: frozenset[str]) -> bool:
    """Whether the fields other than ``contradicted`` identify the work.

    An identifier counts only if it is that of the work, and authors only if each is on the record. Title and authors
    together suffice. With wrong authors, the title needs an identifier, the right venue and year, or the right year.
    With a wrong title, the authors need an identifier, or the right venue and year.
    """
    best = case.best
    if best is None:
        return False
    identifier = "doi" not in contradicted and any(item.doi for item in case.work)
    place = case.venue is VenueAgreement.SAME and best.year_gap <= 1 and not {"venue", "year"} & contradicted
    people = best.authors_agree and best.authors.share == 1
    if "title" in contradicted:
        return people and "authors" not in contradicted and (identifier or place)
    if "authors" in contradicted:
        others_agree = identifier or place or best.year_gap == 0
        if best.authors.comparable and not best.authors.agreeing and not case.placeholders:
            return identifier  # a title by nobody of the cited people is often another work's title
        return best.title.same and others_agree
    return best.title.same and people


def _agreeing(reference: Reference, case: Case, contradicted: frozenset[str]) -> tuple[Record, ...]:
    """Return the records that agree best with the fields other than ``contradicted``.

    If a preprint and a paper agree equally well, a reference to proceedings means the paper.
    """
    ranked = []
    for item in case.work:
        record = item.record
        same = {
            "doi": item.doi,
            "arxiv_id": bool(record.arxiv_id) and arxiv_id_of(reference).lower() == record.arxiv_id.lower(),
            "year": reference.year == record.year,
            "venue": item.venue is VenueAgreement.SAME,
        }
        ranked.append((sum(agrees for field, agrees in same.items() if field not in contradicted), record))
    best = max((rank for rank, _ in ranked), default=0)
    records = tuple(record for rank, record in ranked if rank == best)
    published = tuple(record for record in records if not is_preprint(record))
    return published if published and reference.entry_type in _IN_PROCEEDINGS else records


def _stated(record: Record, field: str) -> object | None:
    """Return the value of ``field`` in a record, in a form that can be compared; None if it states none."""
    if field == "authors":
        return tuple(map(normalize_title, record.authors)) or None
    if field == "title":
        return normalize_title(record.title) or None
    value = getattr(record, field)
    return None if not value or (field == "doi" and is_aside(value)) else value


def shown(values: Sequence[str] | str | int | None) -> str:
    """Return a value of a field as one line of text for users."""
    return "; ".join(values) if isinstance(values, tuple | list) else str(values or "")


def plan_correction(reference: Reference, verdict: Verdict, case: Case, text: str, ascii_only: bool) -> Plan | None:
    """Return the plan of all corrections of ``reference`` that can be written; None if there are none."""
    wrong = corrections(verdict, case)
    found = [(one, tuple(edits(one, reference, text, ascii_only=ascii_only))) for one in wrong]
    fixed = {one.field: one.codes for one, written in found if written}
    every = tuple(edit for _, written in found for edit in written)
    return Plan(Kind.CORRECTED, every, frozenset(fixed), fixed=fixed) if wrong else None
