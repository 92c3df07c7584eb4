"""One reference as the HTML report shows it: plain values that its template sets out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.fields.bibtex_entry import bibtex_entry
from citeproof.models import Agreement, Outcome, Severity
from citeproof.presentation.acceptances import sentence_on
from citeproof.presentation.differences import FIELD_NAMES, differences, marked_words
from citeproof.presentation.looks import MARKS
from citeproof.presentation.overview import NOTICES, is_problem
from citeproof.presentation.plain import told
from citeproof.presentation.works import facts, works
from citeproof.validation.advice import sentence
from citeproof.validation.calibration import says_something
from citeproof.wording import found_otherwise, notice_link, record_link, records_line, relation, remembered, shown_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.models import Inquiry, NearestWork, Record, Verdict
    from citeproof.presentation.differences import FieldDifference, Marked

_AGREEMENT = {
    Agreement.SAME: "agrees",
    Agreement.PARTLY: "agrees in part",
    Agreement.DIFFERENT: "differs",
    Agreement.UNCLEAR: "not comparable",
}
"""What became of a field, for people; what one of the two does not state is left out."""


@dataclass(frozen=True, slots=True)
class Work:
    """A work, and what it is to the reference."""

    relation: str
    title: str
    facts: str
    link: str
    """An address that a browser may follow; else empty."""
    whence: str
    """Source and key of the record."""
    bibtex: str
    """The record as a BibTeX entry."""
    fields: tuple[tuple[str, str, Marked, Marked], ...] = ()
    """Each field that can be compared: its name, what became of it, as cited, as recorded."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A reference with its verdict."""

    id: str
    verdict: Verdict
    mark: str
    place: str
    key: str
    open: bool
    """It is a problem, shown at length; others are one line that can be opened."""
    sure: str
    sentence: str
    differences: tuple[FieldDifference, ...]
    works: tuple[Work, ...]
    """Those that explain a problem."""
    nearest: tuple[Work, ...]
    """All that the verdict names, with their fields."""
    notices: tuple[tuple[str, str], ...]
    """What to say of the work's flags, each with the address of the notice."""
    issues: tuple[tuple[str, str, bool], ...]
    """Code, explanation, and whether it counts."""
    inquiries: tuple[tuple[str, str], ...]
    """Who was asked, and what came of it."""
    acceptance: str
    """That a person has accepted it, or no longer; empty where nobody has."""


def entry_of(verdict: Verdict, place: str, number: str) -> Entry:
    """Return ``verdict`` for the template; ``place`` is where it stands, ``number`` its name in the page."""
    best = verdict.best_match.record if verdict.best_match else None
    shown = tuple(_work(label, work.record) for label, work in works(verdict))
    if not shown and best and not verdict.meant:
        shown = (_work("the work", best),)
    return Entry(
        number,
        verdict,
        MARKS[verdict.status],
        place,
        shown_key(verdict.reference),
        is_problem(verdict) and not verdict.is_accepted,
        f"{verdict.confidence:.0%} sure" if says_something(verdict) else "",
        _advice(verdict),
        differences(verdict),
        shown,
        tuple(_nearest(work) for work in verdict.meant),
        tuple((NOTICES[flag], _safe(notice_link(verdict, flag))) for flag in verdict.flags if flag in NOTICES),
        tuple((issue.code, issue.explanation, issue.severity is Severity.ISSUE) for issue in verdict.issues),
        tuple(_inquiries(verdict)),
        sentence_on(verdict),
    )


def _advice(verdict: Verdict) -> str:
    """Return what to do, and where the reason leaves that to the issues, what they say."""
    named = "" if verdict.reference.title == told(verdict) or is_problem(verdict) else told(verdict)
    said = sentence(verdict)
    return said if not named or named.lower() in said.lower() else f"{said.removesuffix('.')}: {named}"


def _nearest(work: NearestWork) -> Work:
    fields = tuple(
        (
            FIELD_NAMES.get(field.field, field.field),
            _AGREEMENT[field.agreement],
            *marked_words(field.cited, field.recorded),
        )
        for field in work.fields
        if field.agreement in _AGREEMENT
    )
    return _work(relation(work), work.record, fields)


def _work(label: str, record: Record, fields: tuple[tuple[str, str, Marked, Marked], ...] = ()) -> Work:
    whence = f"{record.source} {record.key}".strip()
    return Work(label, record.title, facts(record), _safe(record_link(record)), whence, bibtex_entry(record), fields)


def _inquiries(verdict: Verdict) -> Iterator[tuple[str, str]]:
    for inquiry in verdict.evidence:
        yield inquiry.source, _outcome(inquiry)
    if said := found_otherwise(verdict):
        yield "works found otherwise", said
    if said := remembered(verdict):
        yield "memory", said


def _outcome(inquiry: Inquiry) -> str:
    """Say what came of one question: ``2 records``, ``no record; nothing better is in it``, ``failed: timed out``."""
    if inquiry.outcome is not Outcome.ANSWERED:
        return f"{inquiry.outcome.value}: {inquiry.detail}" if inquiry.detail else inquiry.outcome.value
    proof = "nothing better is in it" if inquiry.complete else ""
    return "; ".join(filter(None, (records_line(inquiry), proof, inquiry.detail)))


def _safe(link: str) -> str:
    """Return ``link`` where a browser may follow it: a record may hold any text as its address."""
    return link if link.startswith(("https://", "http://")) else ""
