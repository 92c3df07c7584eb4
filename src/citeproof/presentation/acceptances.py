"""What people are told of references that somebody has accepted, and of those whose acceptance is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Lapse
from citeproof.presentation.overview import NOTICES
from citeproof.wording import notice_link

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Acceptance, Verdict

_WHY = {
    Lapse.CHANGED: "the entry was changed since",
    Lapse.EXPIRED: "that day is over",
}


def heading(verdicts: Sequence[Verdict]) -> str:
    """Return what stands over the list of accepted references, or of those that are accepted no longer."""
    count = f"{len(verdicts):,}"
    one = len(verdicts) == 1
    if verdicts[0].is_accepted:
        return f"{count} accepted: a person has checked {'it' if one else 'them'}, and {_counts(one=one)}."
    return f"{count} accepted no longer: look at {'it' if one else 'them'}, and accept {'it' if one else 'them'} anew."


def said(verdict: Verdict) -> str:
    """Return reason and days of an acceptance: ``a report of our archive (2026-11-22, until 2027-11-22)``.

    Where it no longer holds, why: ``a report of our archive (2026-11-22; the entry was changed since)``.
    """
    acceptance = verdict.acceptance
    assert acceptance is not None
    why = f"; {_WHY[acceptance.lapsed]}" if acceptance.lapsed else ""
    return f"{acceptance.because} ({_days(acceptance)}{why})"


def listed(verdict: Verdict) -> str:
    """Return what the list of accepted references says of one: why, when, and whether its work has a notice."""
    notices = (f"{NOTICES[flag]} {notice_link(verdict, flag)}".strip() for flag in verdict.flags if flag in NOTICES)
    return " ".join([said(verdict), *notices])


def sentence_on(verdict: Verdict) -> str:
    """Return one sentence on the acceptance of a reference; empty where nobody has accepted it."""
    if not verdict.acceptance:
        return ""
    return f"{'Accepted' if verdict.is_accepted else 'Accepted no longer'}: {said(verdict)}."


def _days(acceptance: Acceptance) -> str:
    return f"{acceptance.on}, until {acceptance.until}" if acceptance.until else acceptance.on


def _counts(*, one: bool) -> str:
    return "it does not count" if one else "they do not count"
