"""Absence from a complete source, which would have the cited identifier or the preprint, and does not have the title.

It needs a complete look-up that brought no such title, and people by whom the work would have been found. The title of
a preprint changes between versions, and the source has the newest: where it has a paper by all the cited people of
about that year, nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Covers, MatchKind
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.models import SourceCoverage
    from citeproof.validation.case import Case

CODES = {
    "identifier.absent": "A source that has all identifiers of this kind has neither the cited one nor the title.",
    "preprint.absent": "arXiv's papers of that time are held completely, and none has this title.",
}
_SHORTEST = 3
"""A title of fewer words may be the beginning of a longer one."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Report that a complete source does not have the cited work."""
    reference = case.reference
    if reference.from_text or case.work or not reference.authors or case.title.length < _SHORTEST or case.title.is_cut:
        return ()
    if any(item.title.same or item.people for item in case.compared) or _leads_somewhere(case):
        return ()
    if not case.looked_up_completely:
        return ()
    proved = [
        item for item in case.findings.covered if not item.doubt and item.completeness >= case.policy.without_gaps
    ]  # fmt: skip
    absent = next((item for item in proved if item.covers is Covers.IDENTIFIER), None)
    if absent:
        return (_identifier(absent),)
    preprints = next((item for item in proved if item.covers is Covers.PREPRINTS), None)
    if preprints:
        held = f"{preprints.part}, to {preprints.until}"
        explanation = f"{held}, are held completely, and none of them has this title"
        return (Difference("preprint.absent", case.cited_place, held, explanation),)
    return ()


def _identifier(absent: SourceCoverage) -> Difference:
    held = f"{absent.part}, to {absent.until}"
    explanation = f"{absent.source} holds {held} completely, and has neither {absent.identifier} nor this title"
    return Difference("identifier.absent", absent.identifier, held, explanation)


def _leads_somewhere(case: Case) -> bool:
    """Whether a cited identifier is some work's: then it is compared with that."""
    return any(item.match in {MatchKind.DOI, MatchKind.ARXIV_ID} for item in case.findings.candidates)
