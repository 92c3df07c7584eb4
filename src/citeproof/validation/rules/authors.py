"""The people of the work that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.text.names import NameAgreement, compare_names, is_letter_apart, parse_name
from citeproof.validation.compare.authors import named
from citeproof.validation.compare.venues import VenueAgreement
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.validation.case import Case
    from citeproof.validation.work import Comparison

CODES = {
    "authors.other_people": "The work has this title, and none of the cited people.",
    "authors.another_work": (
        "As authors.other_people, but year and venue are others too: the cited work may be another one of this title."
    ),
    "authors.not_on_record": "At least one cited name is on no record of the work.",
    "authors.given_name": "A family name is cited with a given name that excludes the recorded one.",
    "authors.dropped": "Authors of the work are not cited, without 'and others' or 'et al.'.",
    "authors.spelling": "A name is one letter off the recorded one.",
    "authors.order": "The same people in another order.",
    "authors.commas": "Two people are parted by a comma, which BibTeX takes for one name.",
}

_OF_A_NAME = frozenset({"authors.not_on_record", "authors.given_name"})
"""What a letter that is wrong may make of a name."""
_YEARS_APART = 2
"""Preprint, conference and journal version of one work are mostly nearer than that."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare the names; under an exact title, where nobody is the same, they are other people.

    Who shares a name with the record may cite a longer or shorter list of the same work: seven authors of the
    preprint where the proceedings name three. Placeholders are no names.
    """
    best = case.best
    if best is None or case.placeholders:
        return ()
    if misspelt := _misspelt(case, best):
        return misspelt
    if best.authors.agrees or best.authors.agreeing >= 1:
        return best.authors.differences
    cited, recorded = "; ".join(case.reference.authors), "; ".join(best.record.authors)
    if _nothing_else_agrees(case):
        explanation = f"the work of this title that is known is by other people, of another year and venue: {recorded}"
        return (Difference("authors.another_work", cited, recorded, explanation),)
    explanation = f"the work of this title is by other people: {recorded}"
    return (Difference("authors.other_people", cited, recorded, explanation),)


def _misspelt(case: Case, best: Comparison) -> tuple[Difference, ...]:
    """Return the names that are a letter off where all others stand at their places: nobody else is meant.

    Where that is half of the names or more, as with one author, title, year and venue must be the record's, or the DOI.
    """
    if not any(item.code in _OF_A_NAME for item in best.authors.differences):
        return ()
    cited = named(case.reference.authors)
    open_end = case.reference.and_others or len(cited) < len(case.reference.authors)
    recorded = best.record.authors[: len(cited)] if open_end else best.record.authors
    if len(cited) != len(recorded):
        return ()
    pairs = [(name, other, parse_name(name), parse_name(other)) for name, other in zip(cited, recorded, strict=True)]
    differing = [pair for pair in pairs if compare_names(*pair[2:]) is not NameAgreement.SAME]
    wrong = [pair for pair in differing if compare_names(*pair[2:]) is not NameAgreement.MISSPELT]
    if not all(is_letter_apart(*pair[2:]) for pair in wrong):
        return ()
    same_place = best.year_gap == 0 and case.venue is VenueAgreement.SAME
    if 2 * len(wrong) >= len(cited) and not (best.doi or (best.title.same and same_place)):
        return ()
    return tuple(Difference("authors.spelling", pair[0], pair[1], "the name is one letter off") for pair in differing)


def _nothing_else_agrees(case: Case) -> bool:
    """Whether year, venue and DOI are stated and no record of the work has one of them, so that it may be another work.

    Example: "Adaptive Data Fusion for Energy Efficient Routing in Wireless Sensor Network" is by P. Mohite, IJEOE 2015;
    four others wrote a paper of that title, with "Networks", in IEEE Transactions on Computers 2006.
    """
    reference = case.reference
    apart = reference.year and all(
        record.year and abs(record.year - reference.year) >= _YEARS_APART for record in case.records
    )
    elsewhere = reference.venue and case.venue not in {VenueAgreement.SAME, VenueAgreement.LIKE}
    return bool(apart and elsewhere and not any(item.doi for item in case.work))
