"""Every code of a verdict with its meaning; :mod:`citeproof.verification.validation.policy` has the weights.

``docs/verdicts.md`` documents the codes; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from citeproof.model.verdict import Status
from citeproof.verification.validation import difference, outage, reading
from citeproof.verification.validation.rules import rules

_PROGRAM = {"program.fault": "The program failed on this reference; nothing is said about the work."}
CODES: Mapping[str, str] = {
    code: meaning
    for codes in (*(rule.CODES for rule in rules()), difference.CODES, reading.CODES, outage.CODES, _PROGRAM)
    for code, meaning in codes.items()
}
"""Issue codes with their meaning."""


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
        Status.SUSPICIOUS, "The database has the complete cited volume, and no such title at all."
    ),
    "absent_from_complete_source": Reason(
        Status.SUSPICIOUS, "A source that has all such works or identifiers has neither the identifier nor the title."
    ),
    "not_in_cited_volume": Reason(
        Status.SUSPICIOUS, "The database has nearly all papers of the cited volume, and no such title at all."
    ),
    "future_date": Reason(Status.INVALID, "The cited year has not begun."),
    "title_not_found": Reason(Status.UNVERIFIED, "No available source has the title, and none of them must have it."),
    "found_nowhere": Reason(
        Status.UNVERIFIED,
        "Every available source that covers such works broadly was searched for the title; none has it.",
    ),
    "remembered_differs": Reason(
        Status.UNVERIFIED, "Only a record of the cache has the title, and the reference describes it otherwise."
    ),
    "common_title": Reason(
        Status.UNVERIFIED, "Works have this short title, and nothing says that one of them is meant."
    ),
    "out_of_scope": Reason(Status.UNVERIFIED, "A web page, software, book or report: the sources need not have it."),
    "no_title": Reason(Status.UNVERIFIED, "The entry has no title to look up."),
    "not_asked": Reason(Status.UNVERIFIED, "No source was asked."),
    "not_confirmed": Reason(
        Status.UNVERIFIED, "The work was found, but a claim could be neither confirmed nor refuted."
    ),
    "parse_suspect": Reason(
        Status.UNVERIFIED, "The entry was read from running text, perhaps wrongly: look at the text itself."
    ),
    "not_a_reference": Reason(
        Status.UNVERIFIED, "The entry describes no work: it is commented out, or a style's control entry."
    ),
    "unreadable_entry": Reason(Status.ERROR, "No reference could be read from the entry; the issue says why."),
    "program_fault": Reason(Status.ERROR, "The program itself failed on this reference; the issue names the fault."),
    "source_failed": Reason(Status.ERROR, "A source failed, and what the others say does not decide."),
    "no_broad_source": Reason(
        Status.ERROR, "Online sources were to be asked, and none that covers such works broadly was searched for it."
    ),
}
"""Reason codes, in the order of the documentation."""
