"""Correct the entries of a bibliography.

A change is kept only if a check of the changed entry confirms it.

1. Check each reference. In the text, correct the fields that differ from the record of the cited
   work.
2. Parse the new text and check the changed references. Keep a change only if the entry now has the
   planned values and no other changes, the differences are gone, no others have come, and no step
   plans a further change.
3. Undo the other changes, so that a second run finds nothing to do.
4. If requested, upgrade preprints, and then add missing fields, in the same way. Each of these
   steps changes only references that are VALID after the step before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import itemgetter
from typing import NamedTuple

from citeproof.fix.correction import plan_correction, why_left
from citeproof.fix.layout import Edit, Kind, Plan
from citeproof.fix.patch import ByteEdit
from citeproof.fix.proposal import shown
from citeproof.fix.upgrade import plan_completion, plan_upgrade
from citeproof.model.reference import Bibliography, Diagnostic, Reference, Severity, Span
from citeproof.model.verdict import FLAGGED, Issue, Status
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex, detect
from citeproof.verification.pipeline import Examination
from citeproof.verification.validation.case import Case
from citeproof.verification.validator import Validator


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one field of a reference."""

    reference: Reference
    field: str
    before: str
    """Value before the change; empty if the field was added."""
    after: str
    """Value after the change; empty if the field was removed."""
    codes: tuple[str, ...]
    """Codes, such as ``year.off``, of the errors that the change corrects.

    Empty for upgraded or added fields.
    """
    kind: Kind = Kind.CORRECTED


@dataclass(frozen=True, slots=True)
class Left:
    """An issue of a reference that is not corrected, and the reason."""

    reference: Reference
    issue: Issue
    why: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected bibliography with the list of changes."""

    data: bytes
    """New content of the file. Bytes outside the changes are as before."""
    edits: tuple[ByteEdit, ...]
    """Edits of the old content, in order: one edit per changed entry."""
    changes: tuple[Change, ...]
    unread: int = 0
    """Number of entries that could not be read."""
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrector:
    """Corrects bibliographies.

    The correct values are taken from database records of the cited works.
    """

    read: Callable[[Document], Bibliography]
    examine: Callable[[Reference], Examination]
    """Function that verifies a reference, and returns the verdict with the records found."""
    validator: Validator
    upgrade: bool = False
    """Whether preprints are replaced by their published versions."""
    complete: bool = False
    """Whether missing fields are added."""

    def correct(self, document: Document) -> Corrected:
        """Return the corrected content of ``document``, the changes, and the issues that remain."""
        bibliography = self.read(document)
        before = bibliography.references
        state = _State(document, before, {}, dict(enumerate(map(self.examine, before))))
        changes: dict[int, list[Change]] = {}
        first_steps = dict.fromkeys(range(len(before)), 0)
        while passed := self._passing(state, self._planned(state, first_steps)):
            for number, step in passed.steps.items():
                made = _changes(
                    step.plan, before[number], state.references[number], passed.references[number]
                )
                changes.setdefault(number, []).extend(made)
            first_steps = {number: step.number + 1 for number, step in passed.steps.items()}
            state = passed
        left = [
            one
            for number, reference in enumerate(before)
            for one in self._left(reference, state, number)
        ]
        unread = sum(
            isinstance(one, Diagnostic) and one.severity is Severity.ISSUE
            for one in bibliography.entries
        )
        numbers = sorted(changes)
        return Corrected(
            state.document.data,
            tuple(_edits_in_bytes(document, before, state, numbers)),
            tuple(change for number in numbers for change in changes[number]),
            unread,
            tuple(left),
        )

    def _case(self, examination: Examination) -> Case | None:
        """Return the data from which a verdict is decided, or None if no work was found for the
        reference.
        """
        found = not examination.findings.reparsed and examination.verdict.best_match
        return self.validator.case(examination.reference, examination.findings) if found else None

    def _left(self, before: Reference, state: "_State", number: int) -> Iterator[Left]:
        examination = state.examined[number]
        verdict = examination.verdict
        if verdict.status in FLAGGED:
            case, now = self._case(examination), state.references[number]
            for issue in verdict.counted:
                why = why_left(issue.code, now, verdict, case, state.document.text)
                yield Left(before, issue, why)

    def _planned(self, state: "_State", first_steps: Mapping[int, int]) -> dict[int, "_Step"]:
        """Return the next step for each reference that has one.

        ``first_steps`` maps a reference's index to the first step to try.
        """
        document, planned = state.document, dict[int, _Step]()
        ascii_only = document.text.isascii() or not document.encoding.startswith("utf")
        for number, first in first_steps.items():
            steps = self._steps(
                state.references[number],
                state.examined[number],
                document.text,
                ascii_only=ascii_only,
            )
            found = next((step for step in steps if step.number >= first), None)
            if found and found.plan.edits:
                planned[number] = found
        return planned

    def _steps(
        self, reference: Reference, examination: Examination, text: str, *, ascii_only: bool
    ) -> Iterator["_Step"]:
        steps = (
            (plan_correction, True),
            (plan_upgrade, self.upgrade),
            (plan_completion, self.complete),
        )
        case = self._case(examination)
        if case is None:
            return
        for number, (plan_step, is_wanted) in enumerate(steps):
            if not is_wanted:
                continue
            if plan := plan_step(reference, examination.verdict, case, text, ascii_only):
                yield _Step(number, plan)

    def _passing(self, state: "_State", planned: dict[int, "_Step"]) -> "_State | None":
        """Return the state after the steps that pass the check, or None if none passes."""
        while planned:
            document = state.document.edited(_edits_in_order(state.document, planned))
            references = self.read(document).references
            if len(references) != len(state.references):
                return None
            again = {number: self.examine(references[number]) for number in planned}
            passing = {
                number: step
                for number, step in planned.items()
                if _reads_as_planned(state.references[number], references[number], step.plan)
                and self._is_settled(
                    references[number], state.examined[number], again[number], document, step
                )
            }
            if len(passing) == len(planned):
                return _State(document, references, passing, {**state.examined, **again})
            planned = passing
        return None

    def _is_settled(
        self,
        after: Reference,
        before: Examination,
        examination: Examination,
        document: Document,
        step: "_Step",
    ) -> bool:
        """Return whether the differences that a step corrects are gone, no others have come, and no
        step up to this one has a new plan.
        """
        fixed = step.plan.fixed
        if not fixed and examination.verdict.status is not Status.VALID:
            return False
        left = {issue.code for issue in examination.verdict.issues}
        if not all(map(left.isdisjoint, fixed.values())):
            return False
        known = {issue.code for issue in before.verdict.issues}
        if any(issue.code not in known for issue in examination.verdict.counted):
            return False
        further = self._steps(after, examination, document.text, ascii_only=True)
        return all(other.number > step.number for other in further)


def is_bibtex(document: Document) -> bool:
    """Return whether a document is a BibTeX file, the only format that can be corrected."""
    found = detect(document)
    is_read_so = found is not None and found.NAME == bibtex.NAME and found.accepts(document) > 0
    return document.is_text and is_read_so


class _Step(NamedTuple):
    """A step that changes a reference: 0 corrects it, 1 upgrades it, 2 completes it."""

    number: int
    plan: Plan


class _State(NamedTuple):
    """A document after some steps."""

    document: Document
    references: tuple[Reference, ...]
    steps: Mapping[int, _Step]
    """Map from the index of a reference to the last step that changed it."""
    examined: Mapping[int, Examination]
    """Map from the index of a reference to its verdict."""


def _reads_as_planned(before: Reference, after: Reference, plan: Plan) -> bool:
    """Return whether the changed reference has the planned values, and all other values are
    unchanged.
    """
    changing = plan.changing | {"raw", "place"}
    # a correction may also change the identifier in these fields, and the end of the author list
    if plan.fixed:
        changing |= {"note", "url", "and_others"}
    names = (item.name for item in fields(before) if item.name not in changing)
    is_unchanged = all(getattr(before, name) == getattr(after, name) for name in names)
    return is_unchanged and all(
        getattr(after, name) == value for name, value in plan.wanted.items()
    )


def _edits_in_order(document: Document, planned: Mapping[int, _Step]) -> list[Edit]:
    """Return all edits sorted by position, with the line ends of the document.

    Overlapping edits are left out.
    """
    written = document.data.decode(document.encoding)
    end = next((end for end in ("\r\n", "\n", "\r") if end in written), "\n")
    edits = (edit for step in planned.values() for edit in step.plan.edits)
    kept: list[Edit] = []
    for span, text in sorted(edits, key=itemgetter(0)):
        # not a second edit of a note with both DOI and arXiv id
        if not kept or span.start >= kept[-1][0].end:
            kept.append((span, text.replace("\n", end)))
    return kept


def _edits_in_bytes(
    document: Document, before: Sequence[Reference], now: _State, numbers: Sequence[int]
) -> Iterator[ByteEdit]:
    """Yield one edit of the bytes of ``document`` for each changed entry."""
    old = document.edits_in_bytes(_spans(before, numbers))
    new = now.document.edits_in_bytes(_spans(now.references, numbers))
    for (start, end, _), (first, last, _) in zip(old, new, strict=True):
        yield start, end, now.document.data[first:last]


def _spans(references: Sequence[Reference], numbers: Sequence[int]) -> Iterator[Edit]:
    for number in numbers:
        yield references[number].place.span or Span(0, 0), ""


def _changes(
    plan: Plan, original: Reference, before: Reference, after: Reference
) -> Iterator[Change]:
    for name, codes in plan.fixed.items():
        yield Change(
            original, name, shown(getattr(before, name)), shown(getattr(after, name)), codes
        )
    for name, old, new in plan.fields:
        yield Change(original, name, old, new, (), plan.kind)
