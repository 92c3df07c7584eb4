"""The cited DOI against those of the work, of its volume, or, where no work is found, of the cited venue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.compare.identifiers import doi_agrees, doi_says_nothing, is_aside
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.validation.case import Case

CODES = {
    "doi.differs": "The DOI is not the one that the records of the work state.",
    "doi.other_volume": "The DOI begins as those of another volume do.",
    "doi.not_confirmed": "No source holds the DOI, and the papers of this volume have none.",
}
_NO_DOIS = 0.05
"""The papers of a volume have no DOIs when at most this share of them has."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare the cited DOI; one that a source holds for another work is compared by the rule ``other_work``."""
    if not case.reference.doi:
        return ()
    if not case.work:
        return _of_other_venue(case)
    return () if case.holders_of_doi else _of_other_volume(case)


def _of_other_volume(case: Case) -> tuple[Difference, ...]:
    """Compare with the DOIs that the records of the work state, and with those of its volume."""
    reference, records, venues = case.reference, case.records, case.venues
    if doi_says_nothing(reference.doi) or doi_agrees(reference, records):
        return ()
    own = sorted({record.doi for record in records if record.doi and not is_aside(record.doi)})
    if own:
        shown = ", ".join(own)
        explanation = f"the DOI does not agree: cited {reference.doi}, recorded {shown}"
        return (Difference("doi.differs", reference.doi, shown, explanation),)
    volumes = [volume for record in records if (volume := venues.volume_of(record))]
    other = venues.volume_of_doi(reference.doi)
    if volumes and other and other.key not in {volume.key for volume in volumes}:
        explanation = f"the DOI begins as those of {other.key} do, and the work is in {volumes[0].key}"
        return (Difference("doi.other_volume", reference.doi, volumes[0].key, explanation),)
    if any(venues.gives_doi(record, reference.doi) for record in records):
        return ()
    registrants = {venues.registrant_of(record) for record in records} - {""}
    if registrants and reference.doi.partition("/")[0] not in registrants:
        shown = ", ".join(sorted(registrants))
        explanation = f"the DOI is another registrant's: papers of {volumes[0].key} and around have {shown}"
        return (Difference("doi.other_volume", reference.doi, shown, explanation),)
    if volumes and all(volume.doi_share < _NO_DOIS for volume in volumes):
        explanation = f"no source holds this DOI, and papers of {volumes[0].key} have none"
        return (Difference("doi.not_confirmed", reference.doi, volumes[0].key, explanation),)
    return ()


def _of_other_venue(case: Case) -> tuple[Difference, ...]:
    """Report a DOI that begins as those of another venue than the cited one."""
    reference, venues = case.reference, case.venues
    owner = venues.venue_of_doi(reference.doi)
    cited = {venue.partition(":")[0] for venue in venues.resolve(reference.venue)} if owner else set()
    journal = any(
        venue.startswith("journals/") for venue in cited
    )  # conf/tsp and journals/tsp have DOIs of one beginning
    if not cited or journal or owner in cited or not venues.is_certain(reference.venue):
        return ()
    explanation = f"the DOI begins as those of {owner} do, and {reference.venue} is cited"
    return (Difference("doi.other_volume", reference.doi, owner, explanation),)
