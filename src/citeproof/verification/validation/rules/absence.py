"""Absence: the database has the cited volume, but no work in it has the cited title.

How much this proves depends on the share of the volume that may be missing. Pages and article numbers show every gap.
DBLP's keys do not: volumes known by their keys may lack up to :data:`UNSEEN` more than they seem to.

Example: a volume of 1,234 papers, complete to 0.999 by pages, proves an absence. A volume of 1,573 papers, complete to
0.994 by keys, does not: 0.6 % are missing and 2.5 % more may be, so up to one true paper in 32 would be accused.
"""

from collections.abc import Iterator

from citeproof.model.findings import Covers, SourceCoverage
from citeproof.model.record import MatchKind
from citeproof.text.identifiers import is_doi
from citeproof.text.venue_names import is_beside
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import NO_PAPER, Form
from citeproof.verification.validation.compare.identifiers import arxiv_id_of, arxiv_month
from citeproof.verification.validation.compare.titles import title_form
from citeproof.verification.validation.policy import Difference

UNSEEN = 0.025
"""Maximum share of a volume that may be missing unnoticed if DBLP's keys show its completeness, measured by ``python -m
tests.accuracy.absence`` (see ``docs/accuracy.md``)."""
_SHORTEST = 3  # minimum words of a title that is rarely the beginning of a longer one


def rule(case: Case) -> Iterator[Difference]:
    """Report that a volume, or a complete source, lacks the cited work, if a complete look-up found no such title."""
    title = title_form(case.reference.title)
    whole_title = title.length >= _SHORTEST and not title.is_cut
    if case.work or not case.reference.authors or not whole_title or any(item.title.same for item in case.compared):
        return
    complete = [inquiry.complete for inquiry in case.findings.inquiries if inquiry.method or inquiry.complete]
    if complete and all(complete):
        yield from _from_volume(case)
        yield from _from_source(case)


def _from_volume(case: Case) -> Iterator[Difference]:
    """Report that the cited volume lacks the title. The code depends on the completeness of the volume.

    Every venue that the name may mean must have a complete volume of the cited year. Workshops, companions, front
    matter, sessions and talks are no part of it, nor is the volume itself. A title from running text may be misread.
    """
    reference = case.reference
    if reference.doubts or case.form is not Form.PAPER:
        return
    if is_beside(f"{reference.venue} {reference.note}") or NO_PAPER.match(reference.title):
        return
    meant = case.cited_venues
    volumes = [volume for volume in case.volumes if volume.venue in meant and volume.year == reference.year]
    complete = (one.venue for one in volumes if one.completeness >= case.policy.complete and ":" not in one.venue)
    if not meant or set(complete) != meant:
        return
    largest = max(volumes, key=lambda volume: volume.records)
    cited = case.cited_place
    recorded = f"{largest.records:,} papers of {largest.key}, {largest.completeness:.1%} by {largest.basis}"
    missing = max(1 - volume.completeness + (UNSEEN if "keys" in volume.basis else 0) for volume in volumes)
    none = f"{cited} ({recorded}) has no paper of this title"
    if other := case.by_same_authors(meant):
        code, recorded = "volume.renamed", other.title
        explanation = f"{cited} has no paper of this title, and one by the same authors, perhaps renamed: {other.title}"
    elif any(case.venues.companion_not_held(volume.venue, volume.year, case.policy.complete) for volume in volumes):
        code, explanation = "volume.companion_not_held", f"{none}; the database lacks its workshops of that year"
    elif 1 - missing < case.policy.proved or reference.from_text:
        few = f"up to one in {1 / missing:.0f} of its papers may be missing" if missing else "its title may be misread"
        code = "volume.not_found"
        explanation = f"none of the papers of {cited} in the database has this title ({recorded}); {few}"
    elif unknown := _nowhere_looked_up(case):
        code, explanation = "volume.without_it", f"{none}; no source could look up {unknown}"
    else:
        code = "volume.absent"
        explanation = f"the database has {cited} completely ({recorded}), and no paper in it has this title"
    yield Difference(code, cited, recorded, explanation)


def _nowhere_looked_up(case: Case) -> str:
    """Return a well-formed cited identifier that led to no record and may still exist."""
    found = {candidate.match for candidate in case.findings.candidates}
    doi, arxiv_id = case.reference.doi, arxiv_id_of(case.reference)
    unknown = case.findings.unknown_identifiers
    if arxiv_id and arxiv_month(arxiv_id) and MatchKind.ARXIV_ID not in found and arxiv_id not in unknown:
        return f"the arXiv id {arxiv_id}"
    if is_doi(doi) and MatchKind.DOI not in found and doi.lower() not in unknown:
        return f"the DOI {doi}"
    return ""


def _from_source(case: Case) -> Iterator[Difference]:
    """Report that a complete source lacks the cited work, and that no cited identifier leads to it."""
    by_identifier = any(item.match in {MatchKind.DOI, MatchKind.ARXIV_ID} for item in case.findings.candidates)
    if case.reference.from_text or by_identifier or any(item.authors_agree for item in case.compared):
        return
    proved = dict[Covers, SourceCoverage]()
    for item in case.findings.covered:
        if not item.doubt and item.completeness >= case.policy.without_gaps:
            proved.setdefault(item.covers, item)
    if absent := proved.get(Covers.IDENTIFIER):
        held = f"{absent.part}, to {absent.until}"
        complete = f"the database ({absent.source} to {absent.until}) has {absent.part} completely"
        explanation = f"{complete}, but neither {absent.identifier} nor this title"
        yield Difference("identifier.absent", absent.identifier, held, explanation)
    elif preprints := proved.get(Covers.PREPRINTS):
        held = f"{preprints.part}, to {preprints.until}"
        complete = f"the database ({preprints.source} to {preprints.until}) has {preprints.part} completely"
        explanation = f"{complete}, and none of them has this title"
        yield Difference("preprint.absent", case.cited_place, held, explanation)
