"""Correct the entries of a bibliography.

A change is kept only if a check of the changed entry confirms it.

1. Verify each reference. In the text, correct the fields that differ from the record of the cited
   work.
2. Parse the new text and verify the changed references. A change is kept only if the entry now has
   the planned values and no other changes, the corrected differences are gone, there are no new
   differences, and no step plans a further change of the entry.
3. Undo all other changes. A second run then finds nothing to do.
4. If requested, upgrade preprints, and then add missing fields, in the same way. Each of these
   steps changes only references that are VALID after the previous step has ended.
"""

from collections import defaultdict
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
from citeproof.model.verdict import Issue, Verdict
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex, detect
from citeproof.verification.pipeline import Examination
from citeproof.verification.validation.case import Case
from citeproof.verification.validator import Validator


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one field of a reference, as shown to users."""

    reference: Reference
    field: str
    before: str
    """Value before the change. Empty if the field was added."""
    after: str
    """Value after the change. Empty if the field was removed."""
    codes: tuple[str, ...]
    """Issue codes of the errors that the change corrects, such as ``year.off``. Empty if the field
    was upgraded or added.
    """
    kind: Kind = Kind.CORRECTED


@dataclass(frozen=True, slots=True)
class Left:
    """An issue of a reference that was not corrected, with the reason."""

    reference: Reference
    issue: Issue
    why: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected bibliography, with the list of changes."""

    data: bytes
    """New content of the file. Bytes outside the edits are unchanged."""
    edits: tuple[ByteEdit, ...]
    """Edits of the old content in order, one for each changed entry."""
    changes: tuple[Change, ...]
    unread: int = 0
    """Number of entries that could not be read."""
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrector:
    """Corrects bibliographies. The right values come from records of the cited works."""

    read: Callable[[Document], Bibliography]
    examine: Callable[[Reference], Examination]
    """Function that verifies a reference. It returns the verdict and the records found."""
    validator: Validator
    upgrade: bool = False
    """Whether preprints are replaced by their published versions."""
    complete: bool = False
    """Whether missing fields are added."""

    def correct(self, document: Document) -> Corrected:
        """Return the corrected content of ``document``, the changes, and the issues that remain."""
        bibliography = self.read(document)
        before = bibliography.references
        state = _State(document, before, tuple(map(self._checked, before)))
        changes = defaultdict[int, list[Change]](list)
        # indexes of the references for which no step has failed so far
        going = list(range(len(before)))
        steps = self._steps
        for number in range(len(steps)):
            plans = {each: plan for each in going if (plan := state.plan(steps[number], each))}
            earlier, state = state, self._after(state, plans, steps[: number + 1])
            for each in state.changed:
                changes[each] += _changes(
                    plans[each], before[each], earlier.references[each], state.references[each]
                )
            going = [each for each in going if each not in plans or each in state.changed]
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
            tuple(_left(before, state)),
        )

    @property
    def _steps(self) -> list["_PlanStep"]:
        upgrades, completes = [plan_upgrade] * self.upgrade, [plan_completion] * self.complete
        return [plan_correction, *upgrades, *completes]

    def _checked(self, reference: Reference) -> "_Checked":
        examination = self.examine(reference)
        verdict, findings = examination.verdict, examination.findings
        found = not findings.reparsed and verdict.best_match
        case = self.validator.case(examination.reference, findings) if found else None
        return _Checked(verdict, case)

    def _after(
        self, state: "_State", plans: Mapping[int, Plan], steps: Sequence["_PlanStep"]
    ) -> "_State":
        """Apply ``plans``, which maps the index of a reference to its plan. Undo the plans that
        fail the check, and return the new state.

        ``steps`` are the steps run so far. A plan fails if one of them plans a further change of
        the reference.
        """
        planned = {number: plan for number, plan in plans.items() if plan.edits}
        while planned:
            document = state.document.edited(_edits_in_order(state.document, planned))
            references = self.read(document).references
            if len(references) != len(state.references):
                break
            checked = [*state.checked]
            for number in planned:
                checked[number] = self._checked(references[number])
            new = _State(document, references, tuple(checked), frozenset(planned))
            passing = {
                number: plan
                for number, plan in planned.items()
                if _reads_as_planned(state.references[number], references[number], plan)
                and _is_settled(number, plan, state, new, steps)
            }
            if len(passing) == len(planned):
                return new
            planned = passing
        return state._replace(changed=frozenset())


def is_bibtex(document: Document) -> bool:
    """Return whether a document is a BibTeX file, the only format that can be corrected."""
    found = detect(document)
    is_read_so = found is not None and found.NAME == bibtex.NAME and found.accepts(document) > 0
    return document.is_text and is_read_so


_PlanStep = Callable[[Reference, Verdict, Case, str, bool], Plan | None]
"""Function that plans a change of a reference. It returns None if nothing is to be changed."""


class _Checked(NamedTuple):
    """The verdict on a reference, with the data from which it was decided."""

    verdict: Verdict
    case: Case | None
    """None if no record of the cited work was found."""


class _State(NamedTuple):
    """A document after some steps, with its references and the verdicts on them."""

    document: Document
    references: tuple[Reference, ...]
    checked: tuple[_Checked, ...]
    changed: frozenset[int] = frozenset()
    """Indexes of the references that the last step has changed."""

    def plan(self, step: _PlanStep, number: int) -> Plan | None:
        """Return what ``step`` plans for the reference with the index ``number``."""
        verdict, case = self.checked[number]
        if case is None:
            return None
        text = self.document.text
        ascii_only = text.isascii() or not self.document.encoding.startswith("utf")
        return step(self.references[number], verdict, case, text, ascii_only)


def _is_settled(
    number: int, plan: Plan, before: _State, after: _State, steps: Sequence[_PlanStep]
) -> bool:
    """Return whether the plan for the reference with the index ``number`` has succeeded: the
    differences that it corrects are gone in the state ``after``, there are none that the state
    ``before`` does not have, and none of ``steps`` plans a further change.
    """
    verdict = after.checked[number].verdict
    if not plan.fixed and not verdict.is_valid:
        return False
    left = {issue.code for issue in verdict.issues}
    if not all(map(left.isdisjoint, plan.fixed.values())):
        return False
    known = {issue.code for issue in before.checked[number].verdict.issues}
    if any(issue.code not in known for issue in verdict.counted):
        return False
    return not any(after.plan(step, number) for step in steps)


def _left(before: Sequence[Reference], state: _State) -> Iterator[Left]:
    for reference, now, (verdict, case) in zip(
        before, state.references, state.checked, strict=True
    ):
        if verdict.is_flagged:
            for issue in verdict.counted:
                why = why_left(issue.code, now, verdict, case, state.document.text)
                yield Left(reference, issue, why)


def _reads_as_planned(before: Reference, after: Reference, plan: Plan) -> bool:
    """Return whether the changed reference ``after`` has the values that ``plan`` wants, and all
    its other values are those of ``before``.
    """
    changing = plan.changing | {"raw", "place"}
    # a correction may also change an identifier within these fields, and the end of the author list
    if plan.fixed:
        changing |= {"note", "url", "and_others"}
    names = (item.name for item in fields(before) if item.name not in changing)
    is_unchanged = all(getattr(before, name) == getattr(after, name) for name in names)
    return is_unchanged and all(
        getattr(after, name) == value for name, value in plan.wanted.items()
    )


def _edits_in_order(document: Document, planned: Mapping[int, Plan]) -> list[Edit]:
    """Return the edits of all plans in ``planned``, sorted by position and with the line ends of
    the document. If two edits overlap, the second one is left out.
    """
    written = document.data.decode(document.encoding)
    end = next((end for end in ("\r\n", "\n", "\r") if end in written), "\n")
    edits = (edit for plan in planned.values() for edit in plan.edits)
    kept: list[Edit] = []
    for span, text in sorted(edits, key=itemgetter(0)):
        # a note with both a DOI and an arXiv id is edited only once
        if not kept or span.start >= kept[-1][0].end:
            kept.append((span, text.replace("\n", end)))
    return kept


def _edits_in_bytes(
    document: Document, before: Sequence[Reference], now: _State, numbers: Sequence[int]
) -> Iterator[ByteEdit]:
    """Yield one edit of the bytes of ``document`` for each changed entry, from its references
    ``before`` to the new state ``now``. ``numbers`` has the indexes of the changed references.
    """
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
