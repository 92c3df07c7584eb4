"""Absence: the cited volume is held, and the whole database has no such title.

How much that proves is a matter of how much of the volume may be missing. Pages and article numbers show every
gap. DBLP's keys do not: of volumes known by their keys, up to :data:`UNSEEN` more may be missing than it seems.

Example: 1,234 papers held to 0.999 by pages prove an absence. 1,573 papers held to 0.994 by keys do not: 0.6 % are
known to be missing and 2.5 % may be, so that up to one true paper in 32 would be accused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.models import MatchKind
from citeproof.text.identifiers import is_doi
from citeproof.text.venue_names import is_beside
from citeproof.validation.compare.identifiers import arxiv_id_of, arxiv_month
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from collections.abc import Collection

    from citeproof.models import Volume
    from citeproof.validation.case import Case

CODES = {
    "volume.absent": "The cited volume is held completely, and nothing in it has this title.",
    "volume.not_found": (
        "All but few papers of the cited volume are held, and none has this title; it says how many may be missing."
    ),
    "volume.without_it": (
        "As volume.absent, but a cited identifier could be looked up nowhere: the work may exist, and not be there."
    ),
    "volume.companion_not_held": (
        "The cited volume has no such title; its workshops or companion of that year are not held."
    ),
}
UNSEEN = 0.025
"""Share of a volume that may be missing unnoticed where DBLP's keys tell how complete it is; 0 where pages do.
Measured by ``python -m tests.accuracy.absence``: see ``docs/accuracy.md``."""
_SHORTEST = 3
"""A title of fewer words may be the beginning of a longer one."""
_NO_PAPER = re.compile(
    r"(?:front ?matter|title page|copyright|preface|foreword|(?:table of )?contents|proceedings of|(?:author )?index"
    r"|message from|(?:program|organi[sz]ing) committee|committees|welcome|(?:guest )?editorial|introduction to the"
    r"|session \w+|invited (?:talk|paper|lecture|speaker)|keynote|tutorial|panel|workshop|poster session)\b",
    re.IGNORECASE,
)
"""How titles begin that sources of papers leave out of a volume: its front matter, its sessions, its talks."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Report that the cited volume has no such title, as heavily as what is held of it allows.

    It needs a complete look-up that brought no record of the title, people by whom the work would have been found,
    and every venue that the name may mean held for the cited year; a workshop, a companion or another event beside
    the venue is not the volume, and its front matter, its sessions and its talks are no papers of it.
    A title that was read from running text may be cut, and is not proved absent.
    """
    reference = case.reference
    if (
        reference.from_text
        or case.work
        or any(item.title.same for item in case.compared)
        or case.title.length < _SHORTEST
        or case.title.is_cut
    ):
        return ()
    if not reference.authors or is_beside(f"{reference.venue} {reference.note}") or _NO_PAPER.match(reference.title):
        return ()
    if not case.looked_up_completely:
        return ()
    meant = case.cited_venues
    volumes = [volume for volume in case.volumes if volume.venue in meant and volume.year == reference.year]
    complete = {volume.venue for volume in volumes if case.is_complete(volume) and ":" not in volume.venue}
    if not meant or complete != meant:
        return ()
    return (_difference(case, volumes),)


def _difference(case: Case, volumes: Collection[Volume]) -> Difference:
    largest = max(volumes, key=lambda volume: volume.records)
    cited = case.cited_place
    held = f"{largest.records:,} papers of {largest.key}, {largest.completeness:.1%} by {largest.basis}"
    missing = max(map(_may_be_missing, volumes))
    if any(case.venues.companion_not_held(volume.venue, volume.year, case.policy.complete) for volume in volumes):
        explanation = f"{cited} ({held}) has no paper of this title; what appeared beside it that year is not held"
        return Difference("volume.companion_not_held", cited, held, explanation)
    if 1 - missing >= case.policy.proved:
        if unknown := _nowhere_looked_up(case):
            explanation = f"{cited} ({held}) has no paper of this title; {unknown} could be looked up nowhere"
            return Difference("volume.without_it", cited, held, explanation)
        explanation = f"{cited} is held completely ({held}) and has no paper of this title"
        return Difference("volume.absent", cited, held, explanation)
    few = f"up to one in {1 / missing:.0f} of its papers may be missing"
    explanation = f"none of the papers held of {cited} has this title ({held}); {few}"
    return Difference("volume.not_found", cited, held, explanation)


def _nowhere_looked_up(case: Case) -> str:
    """Return a cited identifier of sound form that led to no record, and may have been given out nevertheless."""
    found = {candidate.match for candidate in case.findings.candidates}
    doi, arxiv_id = case.reference.doi, arxiv_id_of(case.reference)
    unknown = case.findings.unknown_identifiers
    if arxiv_id and arxiv_month(arxiv_id) and MatchKind.ARXIV_ID not in found and arxiv_id not in unknown:
        return f"the arXiv id {arxiv_id}"
    if is_doi(doi) and MatchKind.DOI not in found and doi.lower() not in unknown:
        return f"the DOI {doi}"
    return ""


def _may_be_missing(volume: Volume) -> float:
    """Return the share of a volume that may be missing, known gaps and what the basis does not show."""
    return 1 - volume.completeness + (UNSEEN if "keys" in volume.basis else 0)
