"""The authors of the cited work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.model.record import Record
from citeproof.text.name_comparison import NameAgreement, compare_names, has_same_given, is_form, is_letter_apart
from citeproof.text.names import parse_name
from citeproof.verification.validation.claim import Form
from citeproof.verification.validation.compare.authors import ROUND, named
from citeproof.verification.validation.compare.titles import telling_words
from citeproof.verification.validation.compare.venues import VenueAgreement
from citeproof.verification.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.verification.validation.case import Case
    from citeproof.verification.validation.work import Comparison

CODES = {
    "authors.other_people": "The work has this title, and none of the cited authors.",
    "authors.another_work": (
        "As authors.other_people, but year and venue differ too: the cited work may be another one of this title."
    ),
    "authors.not_on_record": "At least one cited name is on no record of the work.",
    "authors.given_name": "A family name is cited with a given name that excludes the recorded one.",
    "authors.dropped": "Authors of the work are not cited, without 'and others' or 'et al.'.",
    "authors.more": "Authors or an organisation are cited whom the record may lack: it contradicts no other name.",
    "authors.form": "Another form of one name: Jon and Jonathon, or a family name that has changed.",
    "authors.spelling": "A name is one letter off the recorded one.",
    "authors.order": "The same authors in another order.",
    "authors.commas": "Two authors are separated by a comma, which BibTeX takes for one name.",
}

_OF_A_NAME = frozenset({"authors.not_on_record", "authors.given_name"})
"""Codes of differences that a typo in a name may cause."""
_OF_A_VERSION = frozenset({"authors.not_on_record", "authors.dropped"})
"""Codes of differences that another version may explain, because authors join and leave."""
_YEARS_APART = 2
"""Number of years by which versions of one work rarely differ."""
_OTHERS = 2
"""Minimum number of cited names of which one family name may have changed. With exactly this number, title, year and
venue, or the DOI, must agree too."""
_WHOLE = 2
"""Minimum number of words of a whole name."""
_DISTINCTIVE = 5
"""Minimum number of words (without function words) of a title that two works rarely share."""


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare the cited names with the record that agrees best; if none agrees, the work is by other authors.

    If one name agrees, the list may be longer or shorter than the record's: seven authors of the preprint, three in
    the proceedings. Placeholders are not compared.
    """
    best = case.best_authors
    if best is None or case.placeholders:
        return ()
    if misspelt := _misspelt(case, best):
        return misspelt
    if best.authors.agrees or best.authors.agreeing >= 1:
        found = tuple(_softened(case, best, item) for item in best.authors.differences)
        held = (case.cited and not case.is_preprint_elsewhere) or any(item.doi for item in case.work)
        return (
            found
            if held
            else tuple(
                item.of_another_version() if item.code in _OF_A_VERSION and not _is_cut(item) else item
                for item in found
            )
        )
    cited, recorded = "; ".join(case.reference.authors), "; ".join(best.record.authors)
    if _nothing_else_agrees(case):
        explanation = f"the known work of this title is by other authors, of another year and venue: {recorded}"
        found_work = Difference("authors.another_work", cited, recorded, explanation)
        return (
            found_work if len(telling_words(case.reference.title)) >= _DISTINCTIVE else found_work.of_another_version(),
        )
    explanation = f"the work of this title is by other authors: {recorded}"
    return (Difference("authors.other_people", cited, recorded, explanation),)


def _softened(case: Case, best: Comparison, item: Difference) -> Difference:
    """Return ``item`` as a note if it is usual: another form of a name, or authors whom the record lacks."""
    if item.code == "authors.given_name" and is_form(*map(parse_name, (item.cited, item.recorded))):
        return replace(item, code="authors.form", explanation=f"another form of the name: {item.recorded}")
    if item.code != "authors.not_on_record":
        return item
    match = best.authors
    editors = best.record.pub_type == "proceedings"
    few = 2 * len(match.absent) <= match.recorded or _is_incomplete(case, best)
    short = not match.uncited and few
    if editors or (short and not _are_torn(match.absent, best.record)):
        return replace(item, code="authors.more", explanation=f"the record does not have {'; '.join(match.absent)}")
    if _renamed(case, best):
        return replace(item, code="authors.form", explanation=f"a family name differs: {'; '.join(match.uncited)}")
    return item


def _is_incomplete(case: Case, best: Comparison) -> bool:
    """Return whether the record of a book, or of the cited volume and page, lacks one author, whom no record has."""
    volume = case.reference.volume
    at_place = bool(volume) and volume == best.record.volume and case.has_cited_page(best.record)
    place = case.form is Form.BOOK or at_place
    return place and len(best.authors.absent) == 1 and all(item.authors.absent for item in case.work)


def _is_cut(item: Difference) -> bool:
    """Return whether ten authors are cited of more, as exports cut lists."""
    return item.code == "authors.dropped" and (item.cited.count("; ") + 1) % ROUND == 0


def _are_torn(names: Sequence[str], record: Record) -> bool:
    """Return whether one of ``names`` is a part of a recorded one, split by a stray "and": ``O Fox``, ``Joseph``."""
    recorded = {word for name in record.authors for word in parse_name(name).words if len(word) > 1}
    return any(
        len(parse_name(name).words) < _WHOLE or not recorded.isdisjoint(parse_name(name).words) for name in names
    )


def _renamed(case: Case, best: Comparison) -> bool:
    """Return whether one family name differs, its full given name agrees, and all other names are in place."""
    cited, recorded = named(case.reference.authors), best.record.authors
    enough = len(cited) > _OTHERS or (len(cited) == _OTHERS and best.decides)
    if len(best.authors.absent) != 1 or len(cited) != len(recorded) or not enough:
        return False
    place = cited.index(best.authors.absent[0])
    ours, theirs = parse_name(cited[place]), parse_name(recorded[place])
    return has_same_given(ours, theirs)


def _misspelt(case: Case, best: Comparison) -> tuple[Difference, ...]:
    """Return the names that are one letter off, if all other names are in place.

    If half of the names or more are off, as with one author, title, year and venue must agree, or the DOI.
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
    """Return whether year, venue and DOI all differ from every record, so that it may be another work.

    Example: "Adaptive Data Fusion for Energy Efficient Routing in Wireless Sensor Network" is by P. Mohite, IJEOE 2015;
    four other authors have the same title, with "Networks", in IEEE Transactions on Computers 2006.
    """
    reference = case.reference
    apart = reference.year and all(
        record.year and abs(record.year - reference.year) >= _YEARS_APART for record in case.records
    )
    elsewhere = reference.venue and case.venue not in {VenueAgreement.SAME, VenueAgreement.LIKE}
    return bool(apart and elsewhere and not any(item.doi for item in case.work))
