"""Problems in the plain sentences that annotations, test reports and mails show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Severity, Status
from citeproof.presentation.acceptances import sentence_on
from citeproof.presentation.overview import NOTICES
from citeproof.presentation.works import facts, works
from citeproof.validation.advice import part, sentence
from citeproof.wording import notice_link, record_link, shown_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.models import Verdict

_LEFT_TO_ISSUES = frozenset({"not_confirmed", "unreadable_entry", "program_fault", "no_broad_source"})
"""Reasons of which the issues say more than the title."""


def message(verdict: Verdict) -> str:
    """Return what to do about ``verdict``, with the work that was meant, in one line."""
    return " ".join(_parts(verdict))


def title(verdict: Verdict) -> str:
    """Return the head of an annotation: ``SUSPICIOUS: valiant88``."""
    key = shown_key(verdict.reference) or verdict.reference.title
    return f"{verdict.status.value}: {key}" if key else verdict.status.value


def told(verdict: Verdict) -> str:
    """Return what one line says of an entry beside others of its reason.

    Where its reason leaves it to the issues: what could not be read, or not be confirmed. Of one whose fields are
    doubted its own text; else its title.
    """
    if verdict.reason == "parse_suspect":
        return " ".join(verdict.reference.raw.split())
    if verdict.reason not in _LEFT_TO_ISSUES:
        return verdict.reference.title
    error = verdict.status is Status.ERROR
    return "; ".join(part(issue, verdict) for issue in verdict.issues if error or issue.severity is Severity.NOTE)


def is_unreadable(verdict: Verdict) -> bool:
    """Whether the entry itself is why it could not be checked, rather than a source that failed."""
    counted = any(issue.severity is Severity.ISSUE for issue in verdict.issues)
    return verdict.status is Status.ERROR and verdict.reason == "unreadable_entry" and counted


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
