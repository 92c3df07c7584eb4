"""Answers of the MCP tools as text for a language model."""

from collections.abc import Iterator, Sequence

from citeproof.model.findings import Agreement, NearestWork, Outcome
from citeproof.model.quantity import quantity
from citeproof.model.record import Lookup, Record
from citeproof.model.reference import Bibliography, Reference
from citeproof.model.run import Run
from citeproof.model.verdict import Status, Verdict
from citeproof.report.wording import (
    IDENTIFIERS,
    RELATED,
    record_link,
    relation,
    sent_line,
    status_name,
)
from citeproof.text.similarity import differ_in_words

MEANINGS = {
    Status.VALID: "VALID: a record agrees.",
    Status.SUSPICIOUS: (
        "SUSPICIOUS: a record describes the work differently, or a complete volume lacks "
        "the work; correct the reference, or leave it out."
    ),
    Status.INVALID: (
        "INVALID: the reference cannot be right: two recorded facts contradict it, or it "
        "states something impossible; leave it out."
    ),
    Status.UNVERIFIED: (
        "UNVERIFIED: the work was not found here, which does not mean that it does not "
        "exist; say that you could not verify it."
    ),
    Status.ERROR: "ERROR: the reference could not be checked; this says nothing about the work.",
}
"""Map from the status of a verdict to an explanation for the language model."""
MAX_WORKS = 3
"""Maximum number of similar works listed for one reference."""


def account_text(bibliography: Bibliography) -> str:
    """Return a text that says how a bibliography was read: the entries with their fields, and the
    lines that belong to no entry.
    """
    lines = [quantity(len(bibliography.entries), "entry", "entries")]
    for number, entry in enumerate(bibliography.entries, 1):
        if not isinstance(entry, Reference):
            lines.append(f"{number}. could not be read: {entry}")
            continue
        people = "; ".join(entry.authors) + (" and others" if entry.and_others else "")
        fields = {
            "authors": people,
            "title": entry.title,
            "venue": entry.venue,
            "year": entry.year,
            "DOI": entry.doi,
            "arXiv id": entry.arxiv_id,
        }
        said = ", ".join(f"{name}: {value}" for name, value in fields.items() if value)
        lines.append(f"{number}. line {entry.line}: {said or 'no field was recognised'}")
        lines += (f"   may have been read wrongly: {doubt}" for doubt in entry.doubts)
    lines += (f"Note: {note}" for note in bibliography.notes)
    return "\n".join(lines)


def run_text(run: Run, report: str) -> str:
    """Return the verdicts of ``run`` as text, with the meanings of the statuses. ``report`` is the
    URI of the full report.
    """
    occurring = {verdict.status for verdict in run.verdicts} - {Status.VALID}
    lines = [str(run.statistics)]
    lines += (
        line
        for number, verdict in enumerate(run.verdicts, 1)
        for line in _verdict_lines(number, verdict)
    )
    lines += (text for status, text in MEANINGS.items() if status in occurring)
    lines += (f"Note: {note}" for note in run.notes)
    lines += (f"Sent {sent_line(requests)}." for requests in run.sent)
    return "\n".join([*lines, f"Whole report: {report}"])


def verdict_text(verdict: Verdict) -> str:
    """Return a verdict as text, with the sources that were queried and the meaning of the
    status.
    """
    return "\n".join(
        (*_verdict_lines(1, verdict), *_evidence_lines(verdict), MEANINGS[verdict.status])
    )


def works_text(works: Sequence[NearestWork], verdict: Verdict) -> str:
    """Return ``works`` as text, one work per line.

    If there are no works, list the sources that were queried.
    """
    lines = [line for number, work in enumerate(works, 1) for line in _found_lines(number, work)]
    return "\n".join(
        lines or ["No work was found that fits the description.", *_evidence_lines(verdict)]
    )


def lookup_text(lookup: Lookup) -> str:
    """Return the result of a look-up of a title or identifier as text."""
    if found := lookup.candidates:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        near = differ_in_words(lookup.query, found[0].record.title)
        how = "Similar, but with other words in the title" if near else "Found"
        return f"{how}{more}: {work_line(found[0].record)}"
    if named := [
        candidate.record for candidate in lookup.related if candidate.match in IDENTIFIERS
    ]:
        return "\n".join(
            f"Has this identifier: {work_line(record)}" for record in named[:MAX_WORKS]
        )
    related = lookup.related[:MAX_WORKS]
    lines = [f"{RELATED[one.match].capitalize()}: {work_line(one.record)}" for one in related]
    if lookup.nearest:
        alike = f"{lookup.nearest.similarity:.0%} alike"
        lines.append(f"Nearest title ({alike}): {work_line(lookup.nearest.record)}")
    proof = (
        "this database has no similar title"
        if lookup.complete
        else "the search was stopped early, so this proves nothing"
    )
    return "\n".join([f"Not found: {proof}.", *lines])


def work_line(record: Record) -> str:
    """Return one line about a work: authors, year, title, venue, link, and source and key of the
    record.
    """
    names = ", ".join(record.authors[:4]) + (" and others" if len(record.authors) > 4 else "")
    facts = (names, str(record.year or ""), f'"{record.title}"', record.venue, record_link(record))
    return f"{', '.join(filter(None, facts))} [{record.source} {record.key}]"


def _verdict_lines(number: int, verdict: Verdict) -> Iterator[str]:
    key = f" ({verdict.reference.key})" if verdict.reference.key else ""
    yield f"{number}. {status_name(verdict)}{key} {cited(verdict)} - {verdict.reason}"
    for issue in verdict.issues:
        label = issue.code if issue.counts else f"note {issue.code}"
        yield f"   {label}: {issue.explanation}"
    for doubt in verdict.reference.doubts:
        yield f"   may have been read wrongly: {doubt}"
    for flag in verdict.flags:
        yield f"   flag: {flag}"
    if remembered := verdict.remembered:
        yield f"   {remembered}"
    if verdict.meant:
        yield from (
            f"   {relation(work)}: {work_line(work.record)}" for work in verdict.meant[:MAX_WORKS]
        )
    elif verdict.best_match:
        yield f"   agrees with {work_line(verdict.best_match.record)}"
    yield from (f"   no answer from {one.source}: {one.detail}" for one in verdict.failures)


def _found_lines(number: int, work: NearestWork) -> Iterator[str]:
    """Yield a line about ``work``, which begins with ``number``, and then a line for each field in
    which the work differs from the query.
    """
    yield f"{number}. {work_line(work.record)}"
    for field in work.fields:
        differs = field.agreement in {Agreement.DIFFERENT, Agreement.PARTLY}
        if differs and field.field != "title" and field.cited:
            yield f"   {field.field}: recorded {field.recorded or 'nothing'}, given {field.cited}"


def _evidence_lines(verdict: Verdict) -> Iterator[str]:
    for inquiry in verdict.evidence:
        if inquiry.answered:
            records = quantity(inquiry.records, "record")
            proof = "; it is proved that it has no better record" if inquiry.complete else ""
            yield f"   queried {inquiry.source}: {inquiry.detail or records}{proof}"
        elif inquiry.outcome is Outcome.SKIPPED:
            yield f"   not queried {inquiry.source}: {inquiry.detail}"


def cited(verdict: Verdict) -> str:
    """Return the title of the reference.

    If the title is missing, return the first 80 characters of the reference.
    """
    return verdict.reference.title or " ".join(verdict.reference.raw.split())[:80]
