"""The people of the work that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from citeproof.validation.case import Case

CODES = {
    "authors.other_people": "The work has this title, and none of the cited people.",
    "authors.not_on_record": "At least one cited name is on no record of the work.",
    "authors.given_name": "A family name is cited with a given name that excludes the recorded one.",
    "authors.dropped": "Authors of the work are not cited, without 'and others' or 'et al.'.",
    "authors.spelling": "A name is one typo away from the recorded one.",
    "authors.order": "The same people in another order.",
}


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare the names; under an exact title, where nobody is the same, they are other people.

    Who shares a name with the record may cite a longer or shorter list of the same work: seven authors of the
    preprint where the proceedings name three. Placeholders are no names.
    """
    best = case.best
    if best is None or case.placeholders:
        return ()
    if best.authors.agrees or best.authors.agreeing >= 1:
        return best.authors.differences
    cited, recorded = "; ".join(case.reference.authors), "; ".join(best.record.authors)
    explanation = f"the work of this title is by other people: {recorded}"
    return (Difference("authors.other_people", cited, recorded, explanation),)
