"""A proved absence: the cited volume is held completely, and the whole database has no such title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.text.normalize import normalize_title
from citeproof.text.venue_names import is_beside
from citeproof.validation.claims import cited_place
from citeproof.validation.codes import issue
from citeproof.validation.thresholds import COMPLETE

if TYPE_CHECKING:
    from citeproof.models import Findings, Issue, Reference
    from citeproof.validation.venues import Venues

_SHORTEST = 3
"""A title of fewer words may be the beginning of a longer one."""


def absence_issues(reference: Reference, findings: Findings, venues: Venues) -> tuple[Issue, ...]:
    """Report that the cited volume has no such title, where that is proved.

    The caller has made sure that no record has the title. The proof needs a complete look-up, and
    every venue that the name may mean held completely for the cited year; a workshop, a companion
    or another event beside the venue is not the volume.
    """
    if len(normalize_title(reference.title).split()) < _SHORTEST or is_beside(f"{reference.venue} {reference.note}"):
        return ()
    if not any(inquiry.complete for inquiry in findings.inquiries):
        return ()
    meant = venues.resolve(reference.venue)
    volumes = [volume for volume in findings.volumes if volume.venue in meant and volume.year == reference.year]
    complete = {volume.venue for volume in volumes if volume.completeness >= COMPLETE and ":" not in volume.venue}
    if not meant or complete != meant:
        return ()
    volume = max(volumes, key=lambda volume: volume.records)
    cited = cited_place(reference)
    held = f"{volume.records:,} papers of {volume.key}, {volume.completeness:.1%} by {volume.basis}"
    return (issue("volume.absent", cited, held, f"{cited} is held completely ({held}) and has no paper of this title"),)
