"""Every code that a verdict can carry, with what it weighs and what it means.

This table is what ``docs/verdicts.md`` documents; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from citeproof.models import Issue, Severity, Status


class Weight(IntEnum):
    """What a difference does to the verdict; the heaviest one decides."""

    NOTE = 0
    """Usual variation between honest descriptions of one work."""
    OPEN = 1
    """A claim that the records at hand can neither confirm nor contradict: UNVERIFIED."""
    ISSUE = 2
    """A description that is wrong: SUSPICIOUS."""
    CONFLICT = 3
    """Two facts that cannot both hold: INVALID."""


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of difference."""

    weight: Weight
    meaning: str


CODES: dict[str, Code] = {
    "title.word_changed": Code(Weight.ISSUE, "A content word of the title is changed, added or missing."),
    "title.different": Code(Weight.ISSUE, "Authors and identifier lead to a work of another title."),
    "title.spelling": Code(Weight.NOTE, "Plural, British or American spelling, a function word, one typo."),
    "title.subtitle": Code(Weight.NOTE, "One of the two titles lacks the subtitle or the series prefix of the other."),
    "authors.other_people": Code(Weight.CONFLICT, "The work has this title, and fewer than half of the cited names."),
    "authors.not_on_record": Code(Weight.ISSUE, "At least one cited name is on no record of the work."),
    "authors.dropped": Code(Weight.ISSUE, "Authors of the work are not cited, without 'and others' or 'et al.'."),
    "authors.given_name": Code(
        Weight.ISSUE, "A family name is cited with a given name that excludes the recorded one."
    ),
    "authors.placeholder": Code(Weight.ISSUE, "A name is a placeholder, such as 'Anonymous' or 'Firstname Lastname'."),
    "authors.order": Code(Weight.NOTE, "The same people in another order."),
    "authors.spelling": Code(Weight.NOTE, "A name is one typo away from the recorded one."),
    "year.future": Code(
        Weight.CONFLICT,
        "The cited year has not begun, and no record of the work states it, or it is two or more ahead.",
    ),
    "year.off": Code(Weight.ISSUE, "The cited year is more than one year from every record of the work."),
    "year.other_edition": Code(
        Weight.ISSUE,
        "The cited year's edition of the conference is held completely; the work is in the one before.",
    ),
    "year.near": Code(Weight.NOTE, "The cited year is one off: preprint, conference and volume often differ so."),
    "venue.different": Code(Weight.ISSUE, "The work appeared elsewhere, and the cited volume is held without it."),
    "venue.no_such_edition": Code(Weight.ISSUE, "The venue meets every other year, and not in the cited one."),
    "venue.twice": Code(
        Weight.ISSUE,
        "The work appeared at another conference, or in another journal, of that time; hardly any does twice.",
    ),
    "venue.unknown": Code(
        Weight.ISSUE, "No source at hand knows the cited venue, and the work appeared in a known one."
    ),
    "venue.not_confirmed": Code(
        Weight.OPEN, "The work appeared elsewhere; the cited volume is not held, or lies beside."
    ),
    "venue.like": Code(Weight.OPEN, "The cited venue may be the recorded one by a name that the data do not know."),
    "version.differs": Code(
        Weight.OPEN, "What differs may be so in another version of the work, at the cited venue, which is not held."
    ),
    "volume.absent": Code(Weight.CONFLICT, "The cited volume is held completely, and nothing in it has this title."),
    "preprint.as_published": Code(
        Weight.ISSUE, "Only a preprint is held, and the cited volume is held without the work."
    ),
    "preprint.not_confirmed": Code(Weight.OPEN, "Only a preprint is held, and the cited volume is not."),
    "doi.malformed": Code(Weight.ISSUE, "The DOI does not have the form of one."),
    "doi.link": Code(Weight.NOTE, "The field for the DOI holds another link."),
    "doi.short": Code(
        Weight.NOTE, "The short form of a DOI, which only doi.org can resolve; it is compared with nothing."
    ),
    "doi.unassigned": Code(Weight.ISSUE, "The registrant's number in the DOI has never been given to anyone."),
    "doi.other_work": Code(Weight.CONFLICT, "A source holds the DOI for another work."),
    "doi.differs": Code(Weight.ISSUE, "The DOI is not the one that the records of the work state."),
    "doi.unknown": Code(Weight.ISSUE, "doi.org says that the DOI was never given out."),
    "doi.other_volume": Code(Weight.ISSUE, "The DOI begins as those of another volume do."),
    "doi.not_confirmed": Code(Weight.OPEN, "No source holds the DOI, and the papers of this volume have none."),
    "arxiv.malformed": Code(
        Weight.ISSUE, "The arXiv id does not have the form of one, or names a month that never was."
    ),
    "arxiv.other_work": Code(Weight.CONFLICT, "A source holds the arXiv id for another work."),
    "arxiv.unknown": Code(Weight.ISSUE, "arXiv says that it has no paper of this id."),
    "arxiv.after_year": Code(
        Weight.ISSUE, "The arXiv id was given after the cited year, for a publication by more than a year."
    ),
    "program.fault": Code(Weight.OPEN, "The program failed on this reference; nothing is said about the work."),
    "sources.narrow": Code(
        Weight.OPEN,
        "None of the sources that hold such works broadly has looked for the title, in a run that asks some.",
    ),
}
"""Issue codes, in the order of the documentation."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict has its status."""

    status: Status
    meaning: str


REASONS: dict[str, Reason] = {
    "record_agrees": Reason(Status.VALID, "A record agrees with every claimed field that can be compared."),
    "weak_web_match": Reason(
        Status.VALID, "A web search shows the title with one more agreeing fact; no source of records has the work."
    ),
    "metadata_mismatch": Reason(Status.SUSPICIOUS, "The work exists and is described wrongly; the issues say how."),
    "placeholder_authors": Reason(Status.SUSPICIOUS, "The authors are placeholders, not people."),
    "malformed_identifier": Reason(Status.SUSPICIOUS, "An identifier is impossible as written."),
    "identity_conflict": Reason(Status.INVALID, "Title, authors and identifiers belong to different works."),
    "absent_from_complete_volume": Reason(
        Status.INVALID, "The cited volume is held completely, and the whole database has no such title."
    ),
    "future_date": Reason(Status.INVALID, "The cited year has not begun."),
    "title_not_found": Reason(Status.UNVERIFIED, "No source at hand has the title, and none of them need have it."),
    "common_title": Reason(
        Status.UNVERIFIED, "Works have this short title, and nothing says that one of them is meant."
    ),
    "out_of_scope": Reason(Status.UNVERIFIED, "A web page, software, book or report: the sources need not have it."),
    "no_title": Reason(Status.UNVERIFIED, "The entry has no title to look up."),
    "not_asked": Reason(Status.UNVERIFIED, "No source was asked."),
    "not_confirmed": Reason(
        Status.UNVERIFIED, "The work was found, but a claim could be neither confirmed nor refuted."
    ),
    "not_a_reference": Reason(
        Status.UNVERIFIED, "The entry describes no work: it is commented out, or a style's control entry."
    ),
    "unreadable_entry": Reason(Status.ERROR, "No reference could be read from the entry; the issue says why."),
    "program_fault": Reason(Status.ERROR, "The program itself failed on this reference; the issue names the fault."),
    "source_failed": Reason(Status.ERROR, "A source failed, and what the others say does not decide."),
    "no_broad_source": Reason(
        Status.ERROR, "Online sources were to be asked, and none that holds such works broadly has looked for it."
    ),
}
"""Reason codes, in the order of the documentation."""


def issue(code: str, cited: str, recorded: str, explanation: str) -> Issue:
    """Return an issue of a known code; its severity follows from the code's weight."""
    severity = Severity.ISSUE if CODES[code].weight >= Weight.ISSUE else Severity.NOTE
    return Issue(code, severity, cited, recorded, explanation)


def heaviest(issues: tuple[Issue, ...]) -> Weight:
    """Return the weight that decides."""
    return max((CODES[item.code].weight for item in issues), default=Weight.NOTE)
