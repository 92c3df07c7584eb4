"""Absence: the database has the cited volume, and no work of the cited title.

How much this proves depends on the share of the volume that may be missing. Pages and article numbers show every
gap. DBLP's keys do not: volumes known by their keys may lack up to :data:`UNSEEN` more than they seem to.

Example: a volume of 1,234 papers, complete to 0.999 by pages, proves an absence. A volume of 1,573 papers, complete to
0.994 by keys, does not: 0.6 % are missing and 2.5 % more may be, so up to one true paper in 32 would be accused.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from citeproof.model.findings import Covers, SourceCoverage
from citeproof.model.record import MatchKind, Volume
from citeproof.text.identifiers import is_doi
from citeproof.text.venue_names import is_beside
from citeproof.verification.validation.claim import NO_PAPER, Form
from citeproof.verification.validation.compare.identifiers import arxiv_id_of, arxiv_month
from citeproof.verification.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.verification.validation.case import Case

CODES = {
    "identifier.absent": "A source that has all identifiers of this kind has neither the cited one nor the title.",
    "preprint.absent": "The database has all of arXiv's papers of that time, and none has this title.",
    "volume.absent": "The database has the complete cited volume, and nothing in it has this title.",
    "volume.not_found": (
        "The database has nearly all papers of the cited volume, and none has this title; the issue says how many may"
        " be missing."
    ),
    "volume.without_it": (
        "As volume.absent, but no source could look up a cited identifier: the work may exist elsewhere."
    ),
    "volume.renamed": (
        "The cited volume has no such title, and another paper by the same authors: the work may have been renamed."
    ),
    "volume.companion_not_held": (
        "The cited volume has no such title; its workshops or companion of that year are not in the database."
    ),
}
UNSEEN = 0.025
"""Maximum share of a volume that may be missing unnoticed if its completeness is known by DBLP's keys, measured by
``python -m tests.accuracy.absence`` (see ``docs/accuracy.md``); 0 if it is known by pages."""
_SHORTEST = 3
"""Minimum number of words of a title that is hardly the beginning of a longer one."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Report that a volume, or a complete source, does not have the cited work."""
    return (*_from_volume(case), *_from_source(case))


def _from_volume(case: Case) -> tuple[Difference, ...]:
    """Report that the cited volume has no such title; the code depends on the volume's completeness.

    Required are a complete look-up without a record of the title, cited authors, and complete volumes of the cited year
    for every venue that the name may mean. Workshops, companions, front matter, sessions and talks are not part of the
    volume, nor is the volume itself, cited as ``@proceedings``. A doubtful reading is ignored, and a title from running
    text is never proved absent: it may be misread.
    """
    reference = case.reference
    if (
        reference.doubts
        or case.form is not Form.PAPER
        or case.work
        or any(item.title.same for item in case.compared)
        or case.title.length < _SHORTEST
        or case.title.is_cut
    ):
        return ()
    if not reference.authors or is_beside(f"{reference.venue} {reference.note}") or NO_PAPER.match(reference.title):
        return ()
    if not case.looked_up_completely:
        return ()
    meant = case.cited_venues
    volumes = [volume for volume in case.volumes if volume.venue in meant and volume.year == reference.year]
    complete = {volume.venue for volume in volumes if case.is_complete(volume) and ":" not in volume.venue}
    if not meant or complete != meant:
        return ()
    if other := case.by_same_authors(meant):
        cited = case.cited_place
        explanation = f"{cited} has no paper of this title, and one by the same authors, perhaps renamed: {other.title}"
        return (Difference("volume.renamed", cited, other.title, explanation),)
    return (_difference(case, volumes),)


def _difference(case: Case, volumes: Collection[Volume]) -> Difference:
    largest = max(volumes, key=lambda volume: volume.records)
    cited = case.cited_place
    held = f"{largest.records:,} papers of {largest.key}, {largest.completeness:.1%} by {largest.basis}"
    missing = max(map(_may_be_missing, volumes))
    if any(case.venues.companion_not_held(volume.venue, volume.year, case.policy.complete) for volume in volumes):
        explanation = f"{cited} ({held}) has no paper of this title; the database lacks its workshops of that year"
        return Difference("volume.companion_not_held", cited, held, explanation)
    if 1 - missing >= case.policy.proved and not case.reference.from_text:
        if unknown := _nowhere_looked_up(case):
            explanation = f"{cited} ({held}) has no paper of this title; no source could look up {unknown}"
            return Difference("volume.without_it", cited, held, explanation)
        explanation = f"the database has {cited} completely ({held}), and no paper in it has this title"
        return Difference("volume.absent", cited, held, explanation)
    few = f"up to one in {1 / missing:.0f} of its papers may be missing" if missing else "its title may be misread"
    explanation = f"none of the papers of {cited} in the database has this title ({held}); {few}"
    return Difference("volume.not_found", cited, held, explanation)


def _nowhere_looked_up(case: Case) -> str:
    """Return a well-formed cited identifier without a record that may exist nevertheless."""
    found = {candidate.match for candidate in case.findings.candidates}
    doi, arxiv_id = case.reference.doi, arxiv_id_of(case.reference)
    unknown = case.findings.unknown_identifiers
    if arxiv_id and arxiv_month(arxiv_id) and MatchKind.ARXIV_ID not in found and arxiv_id not in unknown:
        return f"the arXiv id {arxiv_id}"
    if is_doi(doi) and MatchKind.DOI not in found and doi.lower() not in unknown:
        return f"the DOI {doi}"
    return ""


def _may_be_missing(volume: Volume) -> float:
    """Return the share of a volume that may be missing: its known gaps and those that keys do not show."""
    return 1 - volume.completeness + (UNSEEN if "keys" in volume.basis else 0)


def _from_source(case: Case) -> tuple[Difference, ...]:
    """Report that a complete source does not have the cited work."""
    reference = case.reference
    if reference.from_text or case.work or not reference.authors or case.title.length < _SHORTEST or case.title.is_cut:
        return ()
    if any(item.title.same or item.authors_agree for item in case.compared) or _leads_somewhere(case):
        return ()
    if not case.looked_up_completely:
        return ()
    proved = [
        item for item in case.findings.covered if not item.doubt and item.completeness >= case.policy.without_gaps
    ]  # fmt: skip
    absent = next((item for item in proved if item.covers is Covers.IDENTIFIER), None)
    if absent:
        return (_no_identifier(absent),)
    preprints = next((item for item in proved if item.covers is Covers.PREPRINTS), None)
    if preprints:
        held = f"{preprints.part}, to {preprints.until}"
        explanation = f"the database has {held}, completely, and none of them has this title"
        return (Difference("preprint.absent", case.cited_place, held, explanation),)
    return ()


def _no_identifier(absent: SourceCoverage) -> Difference:
    held = f"{absent.part}, to {absent.until}"
    explanation = f"{absent.source} has {held} completely, and neither {absent.identifier} nor this title"
    return Difference("identifier.absent", absent.identifier, held, explanation)


def _leads_somewhere(case: Case) -> bool:
    """Return whether a cited identifier leads to a work, which is then compared."""
    return any(item.match in {MatchKind.DOI, MatchKind.ARXIV_ID} for item in case.findings.candidates)
