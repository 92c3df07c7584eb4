"""Compare the cited venue with the venues of all records of the work.

A work may have been published at two venues.
"""

import re
from collections.abc import Iterator

from citeproof.model.findings import Agreement
from citeproof.text.spelling import is_typo
from citeproof.text.title_words import title_form
from citeproof.text.venue_likeness import is_workshop, shares_words
from citeproof.text.venue_names import is_beside, is_full_name, venue_pieces
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import KINDS, Form, cited_place
from citeproof.verification.validation.compare.identifiers import doi_agrees
from citeproof.verification.validation.compare.venues import (
    VenueAgreement,
)
from citeproof.verification.validation.comparison import NEAR, Comparison
from citeproof.verification.validation.policy import Difference, found

_KIND = re.compile(r"\b(?:conference|symposium|congress|journal|transactions)\b", re.IGNORECASE)
_KINDS = {"inproceedings": "conf/", "conference": "conf/", "article": "journals/"}
"""Map from an entry type or publication type to the prefix of the identifiers of venues, such as
``conf/``.
"""
# minimum number of editions that show a biennial conference: all are in odd years, or all in even
# years
_EDITIONS = 4


def rule(case: Case) -> Iterator[Difference]:
    """Report a cited venue that did not publish the work."""
    reference, records, agreement = case.reference, case.records, case.venue
    agrees = agreement in (VenueAgreement.SAME, VenueAgreement.NOT_COMPARABLE)
    if not case.work or agrees or case.form not in (Form.PAPER, Form.PREPRINT):
        return
    own_doi = doi_agrees(reference, records)
    if own_doi and _in_series(case):
        return
    recorded = "; ".join(
        dict.fromkeys(f"{record.venue} {record.year or ''}".strip() for record in records)
    )
    if agreement is VenueAgreement.UNKNOWN and not _is_known(case) and _is_invented(case):
        yield found("venue.no_such", reference.venue, recorded)
        return
    elsewhere = agreement in {VenueAgreement.DIFFERENT, VenueAgreement.BESIDE}
    if elsewhere and _has_doi_of_work(case) and not case.complete_volume:
        yield found("venue.different/doi", reference.venue, recorded)
    elif agreement is VenueAgreement.LIKE and (
        own_doi or any(case.venues.gives_doi(one, reference.doi) for one in records)
    ):
        yield found("venue.other_name", reference.venue, recorded)
    else:
        volume = case.complete_volume
        count = volume.records if volume else 0
        yield found(_judge(case), cited_place(reference), recorded, count=count)


def _has_doi_of_work(case: Case) -> bool:
    """Return whether a record has the cited DOI, or the DOI has a prefix that only DOIs of a
    record's venue have.

    False if the DOI is only in a link of a PDF and not in the text. Such a DOI may come from the
    bibliography style or the publisher instead of the author.
    """
    doi = case.reference.doi
    if case.reference.linked:
        return False
    owner = case.venues.venue_of_doi(doi) if doi else ""
    own = (owner in case.venues.of_record(record) for record in case.records)
    return doi_agrees(case.reference, case.records) or any(own)


def _is_invented(case: Case) -> bool:
    """Return whether the cited venue is unknown and probably invented, because another version of
    the work is unlikely.

    The cited name must share no words with the recorded names. In addition, the record must have
    the cited DOI, or both reference and record must be of a paper in proceedings with the same
    authors and year. Of 2,530 entries in bibliographies by other authors, none was flagged.
    """
    item, reference = case.best, case.reference
    if item is None or not item.record.venue:
        return False
    if shares_words(reference.venue, case.venues.names(item.record)):
        return False
    if item.doi:
        return True
    same_kind = KINDS.get(reference.entry_type) == item.record.pub_type == "inproceedings"
    same_year = item.field("year").agreement is Agreement.SAME
    is_named = is_full_name(reference.venue) and _KIND.search(reference.venue) is not None
    is_alone = item.authors.everyone and len(case.published) == 1
    return same_kind and same_year and is_named and is_alone


def _judge(case: Case) -> str:
    """Return the key of the sentence to report about a cited venue that differs from the recorded
    venue.
    """
    agreement, has_volume = case.venue, case.complete_volume is not None
    if agreement is VenueAgreement.DIFFERENT:
        if has_volume:
            return "venue.different"
        if _no_such_edition(case):
            return "venue.no_such_edition"
        if not _appears_once(case):
            return "venue.not_confirmed"
        in_proceedings = any(record.pub_type == "inproceedings" for record in case.records)
        return "venue.twice" if in_proceedings else "venue.twice/journals"
    if agreement is VenueAgreement.BESIDE:
        return "venue.not_confirmed/beside"
    if _is_known(case) and agreement in {VenueAgreement.LIKE, VenueAgreement.UNKNOWN}:
        return "venue.not_confirmed"
    if agreement is VenueAgreement.LIKE:
        return "venue.like"
    if agreement is VenueAgreement.UNKNOWN:
        is_apart = all(item.year_gap > NEAR for item in case.work)
        return "venue.not_confirmed/version" if is_apart else "venue.unknown"
    return "preprint.as_published" if has_volume else "preprint.not_confirmed"


def _is_known(case: Case) -> bool:
    """Return whether the reference cites a venue that the database knows, by its full name and not
    by an acronym.
    """
    return bool(case.cited_venues) and is_full_name(case.reference.venue)


def _in_series(case: Case) -> bool:
    """Return whether a conference is cited and a journal recorded, or the reverse.

    The reason may be that the journal prints the proceedings.

    Example: the papers of MFPS 2005 are in Electr. Notes Theor. Comput. Sci. 155, with DOIs of that
    journal.
    """
    claimed = _KINDS.get(case.reference.entry_type, "conf/")
    cited = {venue.partition("/")[0] + "/" for venue in case.cited_venues} or {claimed}
    recorded = {_KINDS.get(item.record.pub_type, "") for item in case.published}
    return claimed in cited and cited.isdisjoint(recorded)


def _appears_once(case: Case) -> bool:
    """Return whether it is unlikely that a work was published at both the cited and the recorded
    venue, because both are conferences, or both are journals, and the years differ by at most one.

    Of 324,000 conference papers in DBLP, 0.05 % appeared at a second conference in the same year or
    the next year. Of 134,000 articles, 0.03 % appeared in a second journal. Both venues must be
    known, because an unknown recorded venue may be the cited venue. If the entry type is that of an
    article but the venue is a conference, every part of the cited name must be known. Example:
    ``IEE Proceedings -- Information Security`` is a journal. If the database lacks this journal,
    the name looks like the conference Information Security. The names must differ by more than a
    typo, because a name with a typo may be the name of another venue: ``ICS`` for ``ICIS``.
    """
    records = [item.record for item in case.published]
    kinds = {_KINDS.get(record.pub_type, "") for record in records}
    name, known = case.reference.venue, case.venues.is_certain
    cited = {venue.partition(":")[0] for venue in case.cited_venues}
    # a full name that several conferences have, such as IS&T/SPIE Electronic Imaging, may be the
    # name of an event that includes the recorded conference
    if len(cited) > 1 and is_full_name(name):
        return False
    if not all(venue.startswith(kind) for venue in cited for kind in kinds):
        return False
    whole = _KINDS.get(case.reference.entry_type) in {None, *kinds} or all(
        map(known, venue_pieces(name))
    )
    near = any(item.year_gap <= NEAR for item in case.published)
    if not (near and whole) or any(map(_may_be_printed_twice, case.work)):
        return False
    # a paper at a workshop often appears at another venue as well
    recorded = (venue for own in records for venue in case.venues.of_record(own))
    if any(is_workshop(case.venues.known_as(venue)) for venue in (*cited, *recorded)):
        return False
    return all(
        known(own.venue) and not is_beside(own.venue) and not is_typo(name, own.venue, shortest=1)
        for own in records
    )


def _may_be_printed_twice(item: Comparison) -> bool:
    """Return whether the work may have been printed a second time, at the cited venue.

    Signs of a second printing are other pages, recorded authors who are not cited, and a missing
    subtitle. Others are a record of CACM, which reprints articles of Queue, and a remark in the
    recorded title, such as "(Extended Abstract)". Example: IJCAI prints abstracts of papers from
    other conferences.
    """
    form = title_form(item.record.title)
    return bool(
        item.field("pages").agreement is Agreement.DIFFERENT
        or item.authors.uncited
        or item.title.part_missing
        or item.record.venue == "Commun. ACM"
        or form.length > len(form.words)
    )


def _no_such_edition(case: Case) -> bool:
    """Return whether the cited conference takes place every other year, but not in the cited
    year.
    """
    year = case.reference.year
    editions = [case.venues.years_of(venue) for venue in case.cited_venues]
    if year is None or not editions:
        return False
    return all(
        len(years) >= _EDITIONS and {one % 2 for one in years} == {1 - year % 2}
        for years in editions
    )
