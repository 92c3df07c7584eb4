"""A whole document corrected: every correction is tried, read again and checked again before it is offered.

1. Each reference is examined, and what its work contradicts is corrected in the text.
2. The new text is read and its changed references are examined. A correction stands only if the entry now reads as it
   should, nothing else of it changed, what was to be mended is gone, and nothing more is to be corrected.
3. What does not stand is left as the author wrote it. So a second run finds nothing to do.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from citeproof.correction.edits import Edit, edits
from citeproof.correction.values import Correction, corrections, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from citeproof.inputs.document import Document
    from citeproof.models import Bibliography, Reference
    from citeproof.pipeline import Examination
    from citeproof.validation.case import Case

_PLACES = frozenset({"raw", "place", "note", "url", "and_others"})
"""Attributes that a correction of another one may change."""


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one reference, before and after."""

    reference: Reference
    field: str
    before: str
    after: str
    codes: tuple[str, ...]
    """The differences that it mends."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A document and what was corrected in it."""

    data: bytes
    """The new content; equal to the old one byte for byte, but for the changed values."""
    edits: tuple[tuple[int, int, bytes], ...]
    """The edits of the old content in order: first byte, end, the bytes that come instead."""
    changes: tuple[Change, ...]


class Corrector:
    """Corrects documents with what a chain of sources finds."""

    def __init__(
        self,
        read: Callable[[Document], Bibliography],
        examine: Callable[[Reference], Examination],
        case_of: Callable[[Examination], Case],
    ) -> None:
        """``read`` reads a document, ``examine`` looks a reference up, ``case_of`` says what a verdict rests on."""
        self._read = read
        self._examine = examine
        self._case_of = case_of

    def correct(self, document: Document) -> Corrected:
        """Return ``document`` with every correction that stands."""
        references = self._read(document).references
        ascii_only = document.text.isascii() or not document.encoding.startswith("utf")
        planned: dict[int, list[tuple[Correction, list[Edit]]]] = {}
        for number, reference in enumerate(references):
            for correction in self._corrections(reference):
                found = list(edits(correction, reference, document.text, ascii_only=ascii_only))
                if found:
                    planned.setdefault(number, []).append((correction, found))
        while planned:
            result = document.edited(_in_order(planned))
            changed = self._read(result).references
            if len(changed) != len(references):
                planned = {}
                break
            unsound = [n for n, plan in planned.items() if not self._stands(references[n], changed[n], plan)]
            if not unsound:
                changes = tuple(_changes(references, changed, planned))
                return Corrected(result.data, document.edits_in_bytes(_in_order(planned)), changes)
            planned = {number: plan for number, plan in planned.items() if number not in unsound}
        return Corrected(document.data, (), ())

    def _corrections(self, reference: Reference) -> tuple[Correction, ...]:
        examination = self._examine(reference)
        if examination.findings.reparsed or examination.verdict.best_match is None:
            return ()
        return corrections(examination.verdict, self._case_of(examination))

    def _stands(self, before: Reference, after: Reference, plan: Iterable[tuple[Correction, object]]) -> bool:
        """Whether a corrected reference reads as it should, and what was mended is gone."""
        mended = {code for correction, _ in plan for code in correction.codes}
        wanted = {correction.field for correction, _ in plan} | _PLACES
        names = (item.name for item in fields(before))
        if any(getattr(before, name) != getattr(after, name) for name in names if name not in wanted):
            return False
        examination = self._examine(after)
        left = {issue.code for issue in examination.verdict.issues}
        return not (mended & left) and not corrections(examination.verdict, self._case_of(examination))


def _in_order(planned: Mapping[int, list[tuple[Correction, list[Edit]]]]) -> list[Edit]:
    """Return all edits by place; of two of one field, as of a DOI that stands in a note, the first."""
    every = sorted(
        (edit for plan in planned.values() for _, found in plan for edit in found), key=lambda edit: edit[0].start
    )
    kept: list[Edit] = []
    for edit in every:
        if not kept or edit[0].start >= kept[-1][0].end:
            kept.append(edit)
    return kept


def _changes(
    references: tuple[Reference, ...],
    changed: tuple[Reference, ...],
    planned: Mapping[int, list[tuple[Correction, list[Edit]]]],
) -> Iterable[Change]:
    for number in sorted(planned):
        before, after = references[number], changed[number]
        for correction, _ in planned[number]:
            values = shown(getattr(before, correction.field)), shown(getattr(after, correction.field))
            yield Change(before, correction.field, *values, correction.codes)
