"""What the work contradicts, corrected in place: the value changes, and nothing around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.correction.edits import edits
from citeproof.correction.plan import Kind, Plan
from citeproof.correction.values import corrections

if TYPE_CHECKING:
    from citeproof.models import Reference, Verdict
    from citeproof.validation.case import Case


class Contradiction:
    """Corrects title, authors, year, venue, DOI and arXiv id."""

    def plan(self, reference: Reference, verdict: Verdict, case: Case, text: str, *, ascii_only: bool) -> Plan | None:
        """Return what is wrong in ``reference`` and can be written; None where nothing is wrong."""
        wrong = corrections(verdict, case)
        found = [(one, tuple(edits(one, reference, text, ascii_only=ascii_only))) for one in wrong]
        mended = {one.field: one.codes for one, written in found if written}
        every = tuple(edit for _, written in found for edit in written)
        return Plan(Kind.CORRECTED, every, frozenset(mended), mended=mended) if wrong else None
