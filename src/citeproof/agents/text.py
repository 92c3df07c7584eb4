"""Answers in words, as a model reads them: one line for what agrees, a few for what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.agents.answers import MOST_WORKS, cited
from citeproof.models import MatchKind, Outcome, Severity, Status
from citeproof.wording import record_link, relation, remembered, sent_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citeproof.models import Lookup, NearestWork, Record, Verdict
    from citeproof.results import Run

_MEANS = {
    Status.SUSPICIOUS: "SUSPICIOUS: the work exists, and the reference describes it otherwise than the record.",
    Status.INVALID: "INVALID: the reference contradicts what is recorded, or a complete source lacks the work.",
    Status.UNVERIFIED: "UNVERIFIED: could not find it here. The sources asked need not hold it: "
    "this does not mean that the work does not exist.",
    Status.ERROR: "ERROR: could not be checked. This says nothing about the work.",
}
"""What a status means, for those that occur: a model must not read more into it."""
_IDENTIFIERS = (MatchKind.DOI, MatchKind.ARXIV_ID)
_LINKS = {MatchKind.MAIN_TITLE: "The same but for a subtitle", MatchKind.SAME_WORDS: "The same words in another order"}
_MOST_NAMES = 4


def of_run(run: Run, report: str) -> str:
    """Return the verdicts of ``run``, what their statuses mean, and where the whole ``report`` is."""
    numbered = (_numbered(number, verdict) for number, verdict in enumerate(run.verdicts, 1))
    occurring = {verdict.status for verdict in run.verdicts}
    return "\n".join(
        (
            str(run.statistics),
            *(line for lines in numbered for line in lines),
            *(text for status, text in _MEANS.items() if status in occurring),
            *(f"Note: {note}" for note in run.notes),
            *(f"Sent {sent_line(requests)}." for requests in run.sent),
            f"Whole report: {report}",
        )
    )


def of_verdict(verdict: Verdict) -> str:
    """Return one verdict with the evidence for it."""
    return "\n".join((*_numbered(1, verdict), *_evidence(verdict), *filter(None, [_MEANS.get(verdict.status)])))


def of_works(works: Sequence[NearestWork], verdict: Verdict) -> str:
    """Return the works that fit a description, or who could not find one."""
    lines = [f"{number}. {relation(work)}: {work_line(work.record)}" for number, work in enumerate(works, 1)]
    return "\n".join(lines or ["No work was found that fits the description.", *_evidence(verdict)])


def of_lookup(lookup: Lookup) -> str:
    """Return the answer to one title."""
    found = [candidate.record for candidate in lookup.candidates]
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        return f"Found{more}: {work_line(found[0])}"
    named = [candidate.record for candidate in lookup.related if candidate.match in _IDENTIFIERS]
    if named:
        return "\n".join(f"Has this identifier: {work_line(record)}" for record in named[:MOST_WORKS])
    lines = [f"{_LINKS[candidate.match]}: {work_line(candidate.record)}" for candidate in lookup.related[:MOST_WORKS]]
    if lookup.nearest:
        lines.append(f"Nearest title: {work_line(lookup.nearest.record)}")
    proof = "no title in this database is like it" if lookup.complete else "the search was cut: this proves nothing"
    return "\n".join([f"Not found: {proof}.", *lines])


def work_line(record: Record) -> str:
    """Return a work in one line: people, year, title, venue, link, and where it is recorded."""
    names = ", ".join(record.authors[:_MOST_NAMES]) + (" and others" if len(record.authors) > _MOST_NAMES else "")
    facts = (names, str(record.year or ""), f'"{record.title}"', record.venue, record_link(record))
    return f"{', '.join(filter(None, facts))} [{record.source} {record.key}]"


def _numbered(number: int, verdict: Verdict) -> Iterator[str]:
    key = f" ({verdict.reference.key})" if verdict.reference.key else ""
    yield f"{number}. {verdict.status.value}{key} {cited(verdict)} - {verdict.reason}"
    for issue in verdict.issues:
        label = issue.code if issue.severity is Severity.ISSUE else f"note {issue.code}"
        yield f"   {label}: {issue.explanation}"
    for doubt in verdict.reference.doubts:
        yield f"   may have been read wrongly: {doubt}"
    for flag in verdict.flags:
        yield f"   flag: {flag}"
    if said := remembered(verdict):
        yield f"   {said}"
    if verdict.meant:
        yield from (f"   {relation(work)}: {work_line(work.record)}" for work in verdict.meant[:MOST_WORKS])
    elif verdict.best_match:
        yield f"   agrees with {work_line(verdict.best_match.record)}"
    yield from (f"   {line}" for line in _failures(verdict))


def _failures(verdict: Verdict) -> Iterable[str]:
    failed = (inquiry for inquiry in verdict.evidence if inquiry.outcome is Outcome.FAILED)
    return (f"no answer from {inquiry.source}: {inquiry.detail}" for inquiry in failed)


def _evidence(verdict: Verdict) -> Iterator[str]:
    for inquiry in verdict.evidence:
        if inquiry.outcome is Outcome.ANSWERED:
            records = "1 record" if inquiry.records == 1 else f"{inquiry.records} records"
            proof = "; it holds nothing better" if inquiry.complete else ""
            yield f"   asked {inquiry.source}: {inquiry.detail or records}{proof}"
        elif inquiry.outcome is Outcome.SKIPPED:
            yield f"   not asked {inquiry.source}: {inquiry.detail}"
