"""A whole document corrected: every change is tried, read again and checked again before it is offered.

1. Each reference is examined, and what its work contradicts is corrected in the text.
2. The new text is read and its changed references are examined. A change stands only if the entry now reads as it
   should, nothing else of it changed, what was to be mended is gone, and nothing more is to be changed.
3. What does not stand is left as the author wrote it. So a second run finds nothing to do.
4. Where it was asked for, preprints become their published versions in the same way, and then what is missing is added:
   each on what the step before made, for references that are VALID by now.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, NamedTuple

from citeproof.correction.completion import Completion
from citeproof.correction.composition import composed
from citeproof.correction.contradiction import Contradiction
from citeproof.correction.plan import Kind
from citeproof.correction.upgrade import Upgrade
from citeproof.correction.values import shown
from citeproof.models import Diagnostic, Severity, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from citeproof.correction.composition import ByteEdit
    from citeproof.correction.layout import Edit
    from citeproof.correction.plan import Plan, Step
    from citeproof.inputs.document import Document
    from citeproof.models import Bibliography, Reference
    from citeproof.pipeline import Examination
    from citeproof.validation.case import Case

_PLACES = frozenset({"raw", "place", "note", "url", "and_others"})
"""Attributes that a correction of another one may change."""
_READ_FROM = frozenset({"raw", "place"})


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one reference, before and after."""

    reference: Reference
    field: str
    before: str
    """Empty where the field was added."""
    after: str
    """Empty where the field was taken out."""
    codes: tuple[str, ...]
    """The differences that it mends."""
    kind: Kind = Kind.CORRECTED


@dataclass(frozen=True, slots=True)
class Corrected:
    """A document and what was corrected in it."""

    data: bytes
    """The new content; equal to the old one byte for byte, but for the changes."""
    edits: tuple[ByteEdit, ...]
    """The edits of the old content in order."""
    changes: tuple[Change, ...]
    unread: int = 0
    """Entries that could not be read, and are as they were."""


class Corrector:
    """Corrects documents with what a chain of sources finds."""

    def __init__(
        self,
        read: Callable[[Document], Bibliography],
        examine: Callable[[Reference], Examination],
        case_of: Callable[[Examination], Case],
        *,
        upgrade: bool = False,
        complete: bool = False,
    ) -> None:
        """``read`` reads a document, ``examine`` looks a reference up, ``case_of`` says what a verdict rests on.

        ``upgrade`` turns preprints into published versions, ``complete`` adds what is missing.
        """
        self._read = read
        self._examine = examine
        self._case_of = case_of
        self._steps: tuple[Step, ...] = (
            Contradiction(),
            *([Upgrade()] if upgrade else []),
            *([Completion()] if complete else []),
        )

    def correct(self, document: Document) -> Corrected:
        """Return ``document`` with every change that stands."""
        bibliography, first = self._read(document), document
        original = bibliography.references
        changes: dict[int, list[Change]] = {}
        edits: list[tuple[ByteEdit, ...]] = []
        references = original
        waiting: Iterable[_Waiting] = (_Waiting(number, 0, self._examine(one)) for number, one in enumerate(original))
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
            document, references = round_.document, round_.references
        in_order = tuple(change for number in sorted(changes) for change in changes[number])
        return Corrected(document.data, composed(len(first.data), edits), in_order, _unread(bibliography))

    def _planned(
        self, document: Document, references: Sequence[Reference], waiting: Iterable[_Waiting]
    ) -> dict[int, tuple[int, Plan]]:
        """Return for each reference that waits the first step that has something to change, and its plan."""
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
        """Yield the steps, by their place, that want to change ``reference``, with what they want."""
        verdict = examination.verdict
        if examination.findings.reparsed or verdict.best_match is None:
            return
        case = self._case_of(examination)
        for place, step in enumerate(self._steps):
            if plan := step.plan(reference, verdict, case, text, ascii_only=ascii_only):
                yield place, plan

    def _standing(
        self, document: Document, references: Sequence[Reference], planned: dict[int, tuple[int, Plan]]
    ) -> _Round:
        """Return what the plans that stand make of ``document``; those that do not are left out one after the other."""
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
        """Whether what was wrong is gone, nothing else came up, and no step so far wants to change more."""
        left = {issue.code for issue in examination.verdict.issues}
        if any(not left.isdisjoint(codes) for codes in plan.mended.values()):
            return False
        if not plan.mended and examination.verdict.status is not Status.VALID:
            return False
        further = self._plans(after, examination, document.text, ascii_only=True)
        return all(step > place for step, _ in further)


def _unread(bibliography: Bibliography) -> int:
    broken = [entry for entry in bibliography.entries if isinstance(entry, Diagnostic)]
    return sum(entry.severity is Severity.ISSUE for entry in broken)


class _Waiting(NamedTuple):
    """A reference whose turn it is, from a step on."""

    number: int
    step: int
    examination: Examination


@dataclass(frozen=True, slots=True)
class _Round:
    """A document after one round, with the plans that stood."""

    document: Document
    references: tuple[Reference, ...]
    plans: dict[int, tuple[int, Plan]]
    """By the number of the reference: the place of the step, and its plan."""
    examinations: dict[int, Examination]


def _reads_as_planned(before: Reference, after: Reference, plan: Plan) -> bool:
    """Whether a changed reference has the values that it should, and all others as they were."""
    changing = plan.changing | _PLACES if plan.mended else plan.changing | _READ_FROM
    names = (item.name for item in fields(before) if item.name not in changing)
    return all(getattr(before, name) == getattr(after, name) for name in names) and all(
        getattr(after, name) == value for name, value in plan.wanted.items()
    )


def _in_order(document: Document, planned: Mapping[int, tuple[int, Plan]]) -> list[Edit]:
    """Return all edits by place; of two of one field, as of a DOI that stands in a note, the first.

    New lines end as those of the document do.
    """
    end = _line_end(document)
    every = sorted(
        (edit for _, plan in planned.values() for edit in plan.edits), key=lambda edit: (edit[0].start, edit[0].end)
    )
    kept: list[Edit] = []
    for span, text in every:
        if not kept or span.start >= kept[-1][0].end:
            kept.append((span, text.replace("\n", end)))
    return kept


def _line_end(document: Document) -> str:
    """Return what ends the lines of a document."""
    written = document.data.decode(document.encoding)
    return next((end for end in ("\r\n", "\n", "\r") if end in written), "\n")


def _changes(plan: Plan, before: Reference, after: Reference) -> Iterator[Change]:
    for name, codes in plan.mended.items():
        values = shown(getattr(before, name)), shown(getattr(after, name))
        yield Change(before, name, *values, codes)
    for name, old, new in plan.fields:
        yield Change(before, name, old, new, (), plan.kind)
