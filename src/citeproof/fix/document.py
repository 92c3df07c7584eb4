"""Correct the entries of a bibliography.

A change is kept only if a check of the changed entry confirms it.

1. Check each reference. In the text, correct the fields that differ from the record of the cited
   work.
2. Parse the new text and check the changed references. Keep a change only if the entry now has the
   planned values and
   no other changes, the differences are gone, and no step plans a further change.
3. Undo the other changes, so that a second run finds nothing to do.
4. If requested, upgrade preprints, and then add missing fields, in the same way. Each of these
   steps changes only
   references that are VALID after the step before.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import itemgetter

from citeproof.fix.correction import plan_correction, shown, why_left
from citeproof.fix.layout import Edit, Kind, Plan
from citeproof.fix.patch import ByteEdit
from citeproof.fix.upgrade import plan_completion, plan_upgrade
from citeproof.model.reference import Bibliography, Diagnostic, Reference, Severity, Span
from citeproof.model.verdict import FLAGGED, Issue, Status
from citeproof.readers.document import Document
from citeproof.verification.pipeline import Examination
from citeproof.verification.validation.case import Case
from citeproof.verification.validator import Validator

_Planned = dict[int, tuple[int, Plan]]
"""Map from the index of a reference to (index of a step, plan of the step).

Steps are correct, upgrade, complete.
"""


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
        original = references = bibliography.references
        examined = list(map(self.examine, original))
        changes: dict[int, list[Change]] = {}
        now, first_steps = document, dict.fromkeys(range(len(original)), 0)
        while passed := self._passing(
            now, references, self._planned(now, references, examined, first_steps)
        ):
            now, after, planned, again = passed
            for number, (_, plan) in planned.items():
                said = _changes(plan, original[number], references[number], after[number])
                changes.setdefault(number, []).extend(said)
                examined[number] = again[number]
            first_steps = {number: step + 1 for number, (step, _) in planned.items()}
            references = after
        numbers = sorted(changes)
        old, new = (
            one.edits_in_bytes((own[number].place.span or Span(0, 0), "") for number in numbers)
            for one, own in ((document, original), (now, references))
        )
        edits = (
            (start, end, now.data[first:last])
            for (start, end, _), (first, last, _) in zip(old, new, strict=True)
        )
        unread = sum(
            isinstance(one, Diagnostic) and one.severity is Severity.ISSUE
            for one in bibliography.entries
        )
        left = [
            one
            for each in zip(original, references, examined, strict=True)
            for one in self._left(*each, now.text)
        ]
        in_order = tuple(change for number in numbers for change in changes[number])
        return Corrected(now.data, tuple(edits), in_order, unread, tuple(left))

    def _case(self, examination: Examination) -> Case | None:
        """Return the data from which a verdict is decided, or None if no work was found for the
        reference.
        """
        found = not examination.findings.reparsed and examination.verdict.best_match
        return self.validator.case(examination.reference, examination.findings) if found else None

    def _left(
        self, before: Reference, now: Reference, examination: Examination, text: str
    ) -> Iterator[Left]:
        verdict = examination.verdict
        if verdict.status in FLAGGED:
            case = self._case(examination)
            for issue in verdict.counted:
                yield Left(before, issue, why_left(issue.code, now, verdict, case, text))

    def _planned(
        self,
        document: Document,
        references: tuple[Reference, ...],
        examined: list[Examination],
        firsts: dict[int, int],
    ) -> _Planned:
        """Return the next plan for each reference.

        ``firsts`` maps a reference's index to the first step to try.
        """
        ascii_only = document.text.isascii() or not document.encoding.startswith("utf")
        planned = {}
        for number, first in firsts.items():
            plans = self._plans(
                references[number], examined[number], document.text, ascii_only=ascii_only
            )
            found = next((one for one in plans if one[0] >= first), None)
            if found and found[1].edits:
                planned[number] = found
        return planned

    def _plans(
        self, reference: Reference, examination: Examination, text: str, *, ascii_only: bool
    ) -> Iterator[tuple[int, Plan]]:
        steps = (
            (plan_correction, True),
            (plan_upgrade, self.upgrade),
            (plan_completion, self.complete),
        )
        if case := self._case(examination):
            for number, (step, is_wanted) in enumerate(steps):
                if is_wanted and (
                    plan := step(reference, examination.verdict, case, text, ascii_only)
                ):
                    yield number, plan

    def _passing(
        self, document: Document, references: Sequence[Reference], planned: _Planned
    ) -> tuple[Document, tuple[Reference, ...], _Planned, dict[int, Examination]] | None:
        """Apply the plans that pass the check.

        Return the new document, references, plans and verdicts, or None.
        """
        while planned:
            result = document.edited(_edits_in_order(document, planned))
            changed = self.read(result).references
            if len(changed) != len(references):
                return None
            again = {number: self.examine(changed[number]) for number in planned}
            passing = {
                number: (step, plan)
                for number, (step, plan) in planned.items()
                if _reads_as_planned(references[number], changed[number], plan)
                and self._is_settled(changed[number], again[number], result.text, step, plan)
            }
            if len(passing) == len(planned):
                return result, changed, planned, again
            planned = passing
        return None

    def _is_settled(
        self, after: Reference, examination: Examination, text: str, step: int, plan: Plan
    ) -> bool:
        """Return whether the differences that ``plan`` corrects are gone, and no step up to
        ``step`` has a new plan.
        """
        left = {issue.code for issue in examination.verdict.issues}
        is_fixed = all(map(left.isdisjoint, plan.fixed.values()))
        if not is_fixed or (not plan.fixed and examination.verdict.status is not Status.VALID):
            return False
        return all(
            further > step for further, _ in self._plans(after, examination, text, ascii_only=True)
        )


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


def _edits_in_order(document: Document, planned: _Planned) -> list[Edit]:
    """Return all edits sorted by position, with the line ends of the document.

    Overlapping edits are left out.
    """
    written = document.data.decode(document.encoding)
    end = next((end for end in ("\r\n", "\n", "\r") if end in written), "\n")
    kept: list[Edit] = []
    for span, text in sorted(
        (edit for _, plan in planned.values() for edit in plan.edits), key=itemgetter(0)
    ):
        # not a second edit of a note with both DOI and arXiv id
        if not kept or span.start >= kept[-1][0].end:
            kept.append((span, text.replace("\n", end)))
    return kept


def _changes(
    plan: Plan, original: Reference, before: Reference, after: Reference
) -> Iterator[Change]:
    for name, codes in plan.fixed.items():
        yield Change(
            original, name, shown(getattr(before, name)), shown(getattr(after, name)), codes
        )
    for name, old, new in plan.fields:
        yield Change(original, name, old, new, (), plan.kind)
