"""Sentences about one verdict that several outputs share: the problem, the works that were meant, the acceptance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.model.codes import ReasonCode
from citeproof.model.reference import Severity
from citeproof.model.verdict import Acceptance, Lapse, Status, Verdict
from citeproof.report.advice import part, sentence
from citeproof.report.misses import kind_missed
from citeproof.report.overview import NOTICES
from citeproof.report.wording import notice_link, record_link, relation, shown_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citeproof.model.findings import NearestWork
    from citeproof.model.record import Record

_MOST_NAMES = 3


def works(verdict: Verdict) -> tuple[tuple[str, NearestWork], ...]:
    """Return the works that were meant, each with its relation to the reference.

    For a reference that mixes two works these are both: that of its title and that of its DOI. A work that only has
    a similar title is left out.
    """
    named = ((relation(work), work) for work in verdict.meant)
    telling = [(said, work) for said, work in named if said == "meant" or said.endswith(" of")]
    return tuple(telling[: 2 if verdict.status is Status.INVALID else 1])


def facts(record: Record) -> str:
    """Return authors, venue and year of a work: ``Leslie G. Valiant, Commun. ACM 1984``."""
    people, more = record.authors[:_MOST_NAMES], len(record.authors) - _MOST_NAMES
    names = ", ".join(people) + (f" and {more} more" if more > 0 else "")
    return ", ".join(filter(None, (names, f"{record.venue} {record.year or ''}".strip())))


_WHY = {
    Lapse.CHANGED: "the entry was changed since",
    Lapse.EXPIRED: "that day is over",
}


def heading(verdicts: Sequence[Verdict]) -> str:
    """Return the heading of the list of accepted references, or of those whose acceptance is no longer valid."""
    count = f"{len(verdicts):,}"
    one = len(verdicts) == 1
    if verdicts[0].is_accepted:
        return f"{count} accepted: a person has checked {'it' if one else 'them'}, and {_counts(one=one)}."
    return f"{count} accepted no longer: look at {'it' if one else 'them'}, and accept {'it' if one else 'them'} anew."


def said(verdict: Verdict) -> str:
    """Return reason and dates of an acceptance: ``a report of our archive (2026-11-22, until 2027-11-22)``.

    If it is no longer valid, also why: ``a report of our archive (2026-11-22; the entry was changed since)``.
    """
    acceptance = verdict.acceptance
    assert acceptance is not None
    why = f"; {_WHY[acceptance.lapsed]}" if acceptance.lapsed else ""
    return f"{acceptance.because} ({_days(acceptance)}{why})"


def listed(verdict: Verdict) -> str:
    """Return the line on an accepted reference: why and when it was accepted, and notices on its work."""
    notices = (f"{NOTICES[flag]} {notice_link(verdict, flag)}".strip() for flag in verdict.flags if flag in NOTICES)
    return " ".join([said(verdict), *notices])


def sentence_on(verdict: Verdict) -> str:
    """Return one sentence on the acceptance of a reference; empty if there is none."""
    if not verdict.acceptance:
        return ""
    return f"{'Accepted' if verdict.is_accepted else 'Accepted no longer'}: {said(verdict)}."


def _days(acceptance: Acceptance) -> str:
    return f"{acceptance.on}, until {acceptance.until}" if acceptance.until else acceptance.on


def _counts(*, one: bool) -> str:
    return "it does not count" if one else "they do not count"


LEFT_TO_ISSUES = frozenset(
    {ReasonCode.NOT_CONFIRMED, ReasonCode.UNREADABLE_ENTRY, ReasonCode.PROGRAM_FAULT, ReasonCode.NO_BROAD_SOURCE}
)
"""Reasons for which the issues say more than the title."""


def message(verdict: Verdict) -> str:
    """Return one line: what to do about ``verdict``, and the work that was meant."""
    return " ".join(_parts(verdict))


def title(verdict: Verdict) -> str:
    """Return the title of an annotation: ``SUSPICIOUS: valiant88``."""
    key = shown_key(verdict.reference) or verdict.reference.title
    return f"{verdict.status.value}: {key}" if key else verdict.status.value


def told(verdict: Verdict) -> str:
    """Return what identifies an entry in a list of entries with the same reason.

    This is its title; its text if the fields may be wrong; or its issues if they say what could not be read or
    confirmed.
    """
    if verdict.reason == ReasonCode.PARSE_SUSPECT:
        return " ".join(verdict.reference.raw.split())
    if verdict.reason not in LEFT_TO_ISSUES:
        return verdict.reference.title
    error = verdict.status is Status.ERROR
    return "; ".join(part(issue, verdict) for issue in verdict.issues if error or issue.severity is Severity.NOTE)


def listing(verdict: Verdict) -> str:
    """Return the line on an entry in such a list: ``patent: Method for node ranking``, or what :func:`told` returns."""
    kind = kind_missed(verdict)
    return f"{kind.one}: {told(verdict)}" if kind else told(verdict)


def is_unreadable(verdict: Verdict) -> bool:
    """Return whether the entry could not be read, as opposed to a source that failed."""
    counted = any(issue.severity is Severity.ISSUE for issue in verdict.issues)
    return verdict.status is Status.ERROR and verdict.reason == ReasonCode.UNREADABLE_ENTRY and counted


def _parts(verdict: Verdict) -> Iterator[str]:
    if verdict.status is not Status.VALID:
        yield sentence(verdict)
    for label, work in works(verdict):
        link = record_link(work.record)
        yield f"{label[0].upper()}{label[1:]}: {work.record.title}, {facts(work.record)}{f' <{link}>' if link else ''}."
    for flag in verdict.flags:
        if flag in NOTICES:
            yield f"{NOTICES[flag]} {notice_link(verdict, flag)}".strip()
    if verdict.acceptance:
        yield sentence_on(verdict)
