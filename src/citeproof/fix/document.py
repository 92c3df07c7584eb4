"""Correct a document: every change is tried, read again and checked again before it is offered.

1. Examine each reference, and correct in the text what its work contradicts.
2. Read the new text and examine its changed references. Keep a change only if the entry now reads as planned, nothing
   else in it changed, the differences are gone, and no step wants a further change.
3. Undo every other change, so that a second run finds nothing to do.
4. If asked for, upgrade preprints and then add missing fields in the same way, each step on the result of the one
   before, for references that are VALID by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from citeproof.fix.contradiction import plan_correction, shown, why_left
from citeproof.fix.edits import Kind, Plan
from citeproof.fix.layout import Edit
from citeproof.fix.patch import ByteEdit, composed
from citeproof.fix.upgrade import plan_completion, plan_upgrade
from citeproof.model.reference import Bibliography, Diagnostic, Reference, Severity
from citeproof.model.verdict import FLAGGED, Issue, Status, Verdict
from citeproof.readers.document import Document
from citeproof.verification.pipeline import Examination
from citeproof.verification.validation.case import Case
from citeproof.verification.validator import Validator

Step = Callable[[Reference, Verdict, Case, str, bool], Plan | None]
"""Type of a function that plans one kind of change of a reference in a text; None if nothing is to be changed. The last
argument requests ASCII.

It plans the edits of every entry, and again those of every changed entry.
"""
_PLACES = frozenset({"raw", "place", "note", "url", "and_others"})
"""Attributes that a correction of another attribute may change."""
_READ_FROM = frozenset({"raw", "place"})


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one reference, before and after."""

    reference: Reference
    field: str
    before: str
    """Empty if the field was added."""
    after: str
    """Empty if the field was removed."""
    codes: tuple[str, ...]
    """Codes of the differences that it removes."""
    kind: Kind = Kind.CORRECTED


@dataclass(frozen=True, slots=True)
class Left:
    """A finding that is not corrected."""

    reference: Reference
    issue: Issue
    why: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected document and its changes."""

    data: bytes
    """The new content; bytes outside the changes are those of the old one."""
    edits: tuple[ByteEdit, ...]
    """Edits of the old content, in order."""
    changes: tuple[Change, ...]
    unread: int = 0
    """Number of entries that could not be read."""
    left: tuple[Left, ...] = ()
    """Findings that are not corrected."""


class Corrector:
    """Corrects documents by what a chain of sources finds."""

    def __init__(
        self,
        read: Callable[[Document], Bibliography],
        examine: Callable[[Reference], Examination],
        validator: Validator,
        *,
        upgrade: bool = False,
        complete: bool = False,
    ) -> None:
        """``read`` reads a document, ``examine`` looks a reference up, ``validator`` returns the case of a verdict.

        ``upgrade`` turns preprints into published versions, ``complete`` adds missing fields.
        """
        self._read = read
        self._examine = examine
        self._validator = validator
        self._steps: tuple[Step, ...] = (
            plan_correction,
            *([plan_upgrade] if upgrade else []),
            *([plan_completion] if complete else []),
        )

    def correct(self, document: Document) -> Corrected:
        """Return ``document`` with every change that passes its check."""
        bibliography, first = self._read(document), document
        original = bibliography.references
        changes: dict[int, list[Change]] = {}
        edits: list[tuple[ByteEdit, ...]] = []
        references = original
        examined = list(map(self._examine, original))
        waiting = [_Waiting(number, 0, one) for number, one in enumerate(examined)]
        while True:
            round_ = self._standing(document, references, self._planned(document, references, waiting))
            if not round_.plans:
                break
            for number, (_, plan) in round_.plans.items():
                said = _changes(plan, references[number], round_.references[number])
                changes.setdefault(number, []).extend(replace(one, reference=original[number]) for one in said)
            edits.append(document.edits_in_bytes(_in_order(document, round_.plans)))
            waiting = [
                _Waiting(number, place + 1, round_.examinations[number]) for number, (place, _) in round_.plans.items()
            ]
            for number, one in round_.examinations.items():
                examined[number] = one
            document, references = round_.document, round_.references
        broken = (entry for entry in bibliography.entries if isinstance(entry, Diagnostic))
        unread = sum(entry.severity is Severity.ISSUE for entry in broken)
        in_order = tuple(change for number in sorted(changes) for change in changes[number])
        left = tuple(
            Left(before, issue, why)
            for before, now, one in zip(original, references, examined, strict=True)
            for issue, why in self._left(now, one, document.text)
        )
        return Corrected(document.data, composed(len(first.data), edits), in_order, unread, left)

    def _left(self, reference: Reference, examination: Examination, text: str) -> Iterator[tuple[Issue, str]]:
        verdict = examination.verdict
        if verdict.status in FLAGGED:
            case = None
            if not examination.findings.reparsed and verdict.best_match is not None:
                case = self._validator.case(examination.reference, examination.findings)
            for issue in verdict.issues:
                if issue.severity is Severity.ISSUE:
                    yield issue, why_left(issue.code, reference, verdict, case, text)

    def _planned(
        self, document: Document, references: Sequence[Reference], waiting: Iterable[_Waiting]
    ) -> dict[int, tuple[int, Plan]]:
        """Return for each waiting reference the first step with a change, and its plan."""
        ascii_only = document.text.isascii() or not document.encoding.startswith("utf")
        planned = {}
        for number, first, examination in waiting:
            for place, plan in self._plans(references[number], examination, document.text, ascii_only=ascii_only):
                if place >= first:
                    if plan.edits:
                        planned[number] = (place, plan)
                    break
        return planned

    def _plans(
        self, reference: Reference, examination: Examination, text: str, *, ascii_only: bool
    ) -> Iterator[tuple[int, Plan]]:
        """Yield the number and the plan of each step that wants to change ``reference``."""
        verdict = examination.verdict
        if examination.findings.reparsed or verdict.best_match is None:
            return
        case = self._validator.case(examination.reference, examination.findings)
        for place, step in enumerate(self._steps):
            if plan := step(reference, verdict, case, text, ascii_only):
                yield place, plan

    def _standing(
        self, document: Document, references: Sequence[Reference], planned: dict[int, tuple[int, Plan]]
    ) -> _Round:
        """Return ``document`` with the plans that pass their check; drop the others until all remaining ones pass."""
        while planned:
            result = document.edited(_in_order(document, planned))
            changed = self._read(result).references
            if len(changed) != len(references):
                break
            examinations = {number: self._examine(changed[number]) for number in planned}
            standing = {
                number: (place, plan)
                for number, (place, plan) in planned.items()
                if _reads_as_planned(references[number], changed[number], plan)
                and self._is_settled(changed[number], examinations[number], result, place, plan)
            }
            if len(standing) == len(planned):
                return _Round(result, changed, planned, examinations)
            planned = standing
        return _Round(document, tuple(references), {}, {})

    def _is_settled(
        self, after: Reference, examination: Examination, document: Document, place: int, plan: Plan
    ) -> bool:
        """Whether the differences are gone, there are no new ones, and no step up to ``place`` wants another change."""
        left = {issue.code for issue in examination.verdict.issues}
        if any(not left.isdisjoint(codes) for codes in plan.fixed.values()):
            return False
        if not plan.fixed and examination.verdict.status is not Status.VALID:
            return False
        further = self._plans(after, examination, document.text, ascii_only=True)
        return all(step > place for step, _ in further)


class _Waiting(NamedTuple):
    """A reference to plan, beginning with ``step``."""

    number: int
    step: int
    examination: Examination


@dataclass(frozen=True, slots=True)
class _Round:
    """A document after one round, with the plans that passed."""

    document: Document
    references: tuple[Reference, ...]
    plans: dict[int, tuple[int, Plan]]
    """Number of the step and its plan, by number of the reference."""
    examinations: dict[int, Examination]


def _reads_as_planned(before: Reference, after: Reference, plan: Plan) -> bool:
    """Whether the changed reference has the planned values, and its other values are unchanged."""
    changing = plan.changing | _PLACES if plan.fixed else plan.changing | _READ_FROM
    names = (item.name for item in fields(before) if item.name not in changing)
    return all(getattr(before, name) == getattr(after, name) for name in names) and all(
        getattr(after, name) == value for name, value in plan.wanted.items()
    )


def _in_order(document: Document, planned: Mapping[int, tuple[int, Plan]]) -> list[Edit]:
    """Return all edits by place, with the document's line ends; only the first of two edits of one field.

    Two edits of one field arise if a note contains the DOI and the arXiv id.
    """
    written = document.data.decode(document.encoding)
    end = next((end for end in ("\r\n", "\n", "\r") if end in written), "\n")
    every = sorted(
        (edit for _, plan in planned.values() for edit in plan.edits), key=lambda edit: (edit[0].start, edit[0].end)
    )
    kept: list[Edit] = []
    for span, text in every:
        if not kept or span.start >= kept[-1][0].end:
            kept.append((span, text.replace("\n", end)))
    return kept


def _changes(plan: Plan, before: Reference, after: Reference) -> Iterator[Change]:
    for name, codes in plan.fixed.items():
        values = shown(getattr(before, name)), shown(getattr(after, name))
        yield Change(before, name, *values, codes)
    for name, old, new in plan.fields:
        yield Change(before, name, old, new, (), plan.kind)
