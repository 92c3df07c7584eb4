"""A proved absence: the cited volume is held completely, and the whole database has no such title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.text.venue_names import is_beside
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.validation.case import Case

CODES = {"volume.absent": "The cited volume is held completely, and nothing in it has this title."}
_SHORTEST = 3
"""A title of fewer words may be the beginning of a longer one."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Report that the cited volume has no such title, where that is proved.

    The proof needs a complete look-up that brought no record of the title, and every venue that the name may mean
    held completely for the cited year; a workshop, a companion or another event beside the venue is not the volume.
    """
    reference = case.reference
    if case.work or any(item.title.same for item in case.compared) or case.title.length < _SHORTEST:
        return ()
    if is_beside(f"{reference.venue} {reference.note}"):
        return ()
    if not any(inquiry.complete for inquiry in case.findings.inquiries):
        return ()
    meant = case.cited_venues
    volumes = [volume for volume in case.volumes if volume.venue in meant and volume.year == reference.year]
    complete = {volume.venue for volume in volumes if case.is_complete(volume) and ":" not in volume.venue}
    if not meant or complete != meant:
        return ()
    volume = max(volumes, key=lambda volume: volume.records)
    cited = case.cited_place
    held = f"{volume.records:,} papers of {volume.key}, {volume.completeness:.1%} by {volume.basis}"
    explanation = f"{cited} is held completely ({held}) and has no paper of this title"
    return (Difference("volume.absent", cited, held, explanation),)
