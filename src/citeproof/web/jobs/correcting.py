"""The corrected bibliography of a job: what ``citeproof fix`` makes of the same document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.correction.document import Corrector
from citeproof.formats import bibtex
from citeproof.models import Findings, Status, Verdict
from citeproof.pipeline import Examination

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from citeproof.inputs.document import Document
    from citeproof.models import Reference
    from citeproof.session import Session

_WRONG = frozenset({Status.SUSPICIOUS, Status.INVALID})
MOST_EXAMINED = 1_000
"""Examinations that are held in memory; each names up to some hundred records."""


class Examined:
    """What the verdicts on wrong references were decided from, so that they need not be examined twice."""

    def __init__(self) -> None:
        self._by_raw: dict[str, Examination] = {}

    def take(self, examination: Examination) -> None:
        """Keep ``examination`` where its reference is at fault."""
        if examination.verdict.status in _WRONG and len(self._by_raw) < MOST_EXAMINED:
            self._by_raw[examination.reference.raw] = examination

    def of(self, reference: Reference) -> Examination | None:
        """Return what was kept of the entry that reads as ``reference`` does."""
        return self._by_raw.get(reference.raw)


def _nothing_found(reference: Reference) -> Examination:
    """Return what leaves ``reference`` as it is."""
    return Examination(reference, Findings(), Verdict(reference, Status.VALID, "", 1.0))


def corrected(
    document: Document, verdicts: Iterable[Verdict], session: Session, examined: Examined, look: Callable[[], None]
) -> str:
    """Return ``document`` with what identified works contradict corrected; empty where that is nothing.

    Only references that ``verdicts`` find at fault are examined, those that were not ``examined`` already, and those
    that a correction has changed.
    ``look`` is called before each and ends the work by what it raises.
    """
    found = [(verdict.reference.raw, verdict.status in _WRONG) for verdict in verdicts]
    wrong = {raw for raw, is_wrong in found if is_wrong}
    if not wrong:
        return ""
    right = {raw for raw, _ in found} - wrong

    def examine(reference: Reference) -> Examination:
        look()
        if reference.raw in right:
            return _nothing_found(reference)
        return examined.of(reference) or session.pipeline.examine(reference)

    corrector = Corrector(bibtex.read, examine, lambda one: session.validator.case(one.reference, one.findings))
    result = corrector.correct(document)
    return result.data.decode(document.encoding) if result.changes else ""
