"""Compare the cited venue with the venues of all records of the work.

A different venue counts only if the database has the cited volume, because a work may have appeared twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citeproof.model.record import Record
from citeproof.text.venue_names import is_beside, venue_pieces, venue_words
from citeproof.verification.validation.claim import Form
from citeproof.verification.validation.compare.identifiers import doi_agrees
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint
from citeproof.verification.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.verification.validation.case import Case
    from citeproof.verification.validation.venues import Venues

CODES = {
    "venue.different": "The work appeared elsewhere, and the database has the cited volume without it.",
    "venue.no_such_edition": "The venue meets every other year, and not in the cited one.",
    "venue.twice": (
        "The work appeared at another conference, or in another journal, of that time; hardly any does twice."
    ),
    "venue.unknown": "No source knows the cited venue, where another version may have appeared.",
    "venue.not_confirmed": (
        "The work appeared elsewhere; the cited volume is not in the database, or is a workshop or companion."
    ),
    "venue.like": "The cited venue may be the recorded one by a name that the data do not know, or misspelt.",
    "preprint.as_published": "The database has only a preprint, and the cited volume without the work.",
    "preprint.not_confirmed": "The database has only a preprint, and not the cited volume.",
}
_KINDS = {"inproceedings": "conf/", "conference": "conf/", "article": "journals/"}
"""Kind of publication, as records, BibTeX and CSL converters name it, mapped to the prefix of its venues' keys."""
_EDITIONS = 4
"""Minimum number of editions, all in even or all in odd years, of a venue that meets every other year."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Report a cited venue that is not the work's."""
    if not case.work:
        return ()
    reference, records, agreement, volume = case.reference, case.records, case.venue, case.complete_volume
    if case.form not in {Form.PAPER, Form.PREPRINT} or (doi_agrees(reference, records) and _in_series(case)):
        return ()
    if agreement in {VenueAgreement.DIFFERENT, VenueAgreement.BESIDE} and not volume and doi_agrees(reference, records):
        shown = _shown(records)
        explanation = f"the cited DOI is that of {shown}, not of {reference.venue}"
        return (Difference("venue.different", reference.venue, shown, explanation),)
    code, explanation = _judge(case)
    if not code or (agreement is VenueAgreement.LIKE and _has_own_doi(case)):
        return ()
    if code == "venue.not_confirmed" and agreement is VenueAgreement.DIFFERENT:
        code, explanation = _impossible(case) or (code, explanation)
    cited, shown = case.cited_place, _shown(records)
    explanation = explanation.format(cited=cited, recorded=shown, papers=volume and volume.records)
    return (Difference(code, cited, shown, explanation),)


def _shown(records: Sequence[Record]) -> str:
    """Return venues and years of ``records`` for messages."""
    return "; ".join(dict.fromkeys(f"{record.venue} {record.year or ''}".strip() for record in records))


def _has_own_doi(case: Case) -> bool:
    """Return whether the cited DOI is the work's, or has the prefix of its venue's DOIs."""
    doi, records = case.reference.doi, case.records
    return bool(doi) and (
        doi_agrees(case.reference, records) or any(case.venues.gives_doi(record, doi) for record in records)
    )


def _in_series(case: Case) -> bool:
    """Return whether a conference paper is cited and an article recorded, or vice versa, as for papers in a series.

    Example: the papers of MFPS 2005 are in Electr. Notes Theor. Comput. Sci. 155, with DOIs of that journal.
    """
    claimed = "journals/" if case.reference.entry_type == "article" else "conf/"
    cited = {venue.partition("/")[0] + "/" for venue in case.cited_venues} or {claimed}
    recorded = {_KINDS.get(record.pub_type, "") for record in case.records if not is_preprint(record)}
    return claimed in cited and cited.isdisjoint(recorded)


def _elsewhen(case: Case) -> bool:
    """Return whether all records are more than one year from the cited year, so that they may be other versions."""
    year = case.reference.year
    return year is not None and all(abs(year - (record.year or 0)) > 1 for record in case.records)


def _impossible(case: Case) -> tuple[str, str] | None:
    """Return code and explanation if the work can hardly have appeared at the cited venue, too."""
    if _no_such_edition(case):
        explanation = "appeared in {recorded}; no edition of {cited} can be: that venue meets every other year"
        return "venue.no_such_edition", explanation
    if _appears_once(case):
        kind = "conferences" if any(record.pub_type == "inproceedings" for record in case.records) else "journals"
        explanation = (
            f"appeared in {{recorded}}, so hardly in {{cited}} too: next to no work is in two {kind} within a year"
        )
        return "venue.twice", explanation
    return None


def _appears_once(case: Case) -> bool:
    """Return whether the work is cited from a second venue of the recorded kind and time.

    Conference papers become articles, and workshop papers conference papers. But of 324,000 conference papers in DBLP,
    0.05 % appeared at a second conference in the same year or the next, and of 134,000 articles 0.03 % in a second
    journal. Both venues must be known: a recorded one without a known name may be the cited one. If an article is cited
    from a conference, every part of the cited name must be known: ``IEE Proceedings -- Information Security`` is
    resolved to the conference Information Security if the data lack that journal. A title with another subtitle may be
    of another paper.
    """
    published = [record for record in case.records if not is_preprint(record)]
    kinds = {_KINDS.get(record.pub_type, "") for record in published}
    name, year, known = case.reference.venue, case.reference.year or 0, case.venues.is_certain
    if len(kinds) != 1 or not all(venue.startswith(kind) for venue in case.cited_venues for kind in kinds):
        return False
    whole = _KINDS.get(case.reference.entry_type) in {None, *kinds} or all(map(known, venue_pieces(name)))
    near = any(abs(year - (record.year or 0)) <= 1 for record in published)
    if not (near and whole) or any(item.title.part_missing for item in case.work):
        return False
    return all(known(own.venue) and not _at_workshop(own, case.venues) for own in published)


def _at_workshop(record: Record, venues: Venues) -> bool:
    """Return whether a record's venue, or each of its full names, is a workshop; a conference may have some."""
    full = [name for name in venues.names(record) if len(venue_words(name)) > 1]
    return is_beside(record.venue) or (bool(full) and all(map(is_beside, full)))


def _no_such_edition(case: Case) -> bool:
    """Return whether the cited venue meets every other year, but not in the cited one."""
    year, cited = case.reference.year, case.cited_venues
    return year is not None and bool(cited) and all(_skips(case.venues.years_of(venue), year) for venue in cited)


def _skips(years: frozenset[int], cited: int) -> bool:
    return len(years) >= _EDITIONS and len({year % 2 for year in years}) == 1 and cited % 2 != next(iter(years)) % 2


def _judge(case: Case) -> tuple[str, str]:
    """Return code and explanation for a comparison; the code is empty if nothing counts against the reference."""
    agreement, volume = case.venue, case.complete_volume
    if agreement is VenueAgreement.DIFFERENT and volume:
        return (
            "venue.different",
            "appeared in {recorded}; none of the {papers} papers of {cited} in the database has this title",
        )
    if agreement is VenueAgreement.DIFFERENT:
        return (
            "venue.not_confirmed",
            "appeared in {recorded}; {cited} is not in the database, so it may have appeared there too",
        )
    if agreement is VenueAgreement.BESIDE:
        return (
            "venue.not_confirmed",
            "appeared in {recorded}; it may have appeared at {cited} too, which is not in the database",
        )
    if agreement is VenueAgreement.LIKE:
        return "venue.like", "appeared in {recorded}; {cited} may be another name for that"
    if agreement is VenueAgreement.UNKNOWN and _elsewhen(case):
        return "venue.not_confirmed", "appeared in {recorded}; another version may have appeared in {cited}"
    if agreement is VenueAgreement.UNKNOWN:
        return "venue.unknown", "appeared in {recorded}; could not find a venue called {cited}"
    if agreement is VenueAgreement.PREPRINT_ONLY and volume:
        return (
            "preprint.as_published",
            "the database has only a preprint, and none of the {papers} papers of {cited} has this title",
        )
    if agreement is VenueAgreement.PREPRINT_ONLY:
        return (
            "preprint.not_confirmed",
            "the database has only a preprint and not {cited}, so it may have appeared there",
        )
    return "", ""
