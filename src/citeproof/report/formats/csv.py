"""CSV: one row for each entry."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING
from unicodedata import normalize

from citeproof.model.findings import Outcome
from citeproof.model.reference import Severity
from citeproof.report.sentences import sentence_on
from citeproof.report.view import USUAL, View
from citeproof.report.wording import notice_link, record_link, relation

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from citeproof.model.record import Candidate
    from citeproof.model.run import Run
    from citeproof.model.verdict import Verdict

COLUMNS = (
    "key", "paper", "file", "line", "status", "reason", "confidence", "cited_title", "issues", "explanations",
    "flags", "notices", "failed",
    "matched_title", "matched_authors", "matched_year", "matched_venue", "matched_key", "matched_source",
    "similarity", "link", "meant", "remembered", "cited_text", "accepted", "chance",
)  # fmt: skip
_FORMULA = frozenset("=+-@\t\r\n")
"""Characters that start a formula in a spreadsheet, or are skipped before one."""
_MATCHED = sum(name.startswith("matched_") for name in COLUMNS) + 2
"""Number of columns about the best match."""


def render(run: Run, out: TextIO, _: View = USUAL) -> None:
    """Write ``run`` to ``out``, with a header row."""
    write = begin(out)
    for verdict in run.verdicts:
        write(verdict)


def begin(out: TextIO) -> Callable[[Verdict], None]:
    """Return a function that writes one verdict to ``out``, after a header row."""
    writer = csv.writer(out, lineterminator="\n")
    header = [COLUMNS]

    def write(verdict: Verdict) -> None:
        while header:
            writer.writerow(header.pop())
        writer.writerow([safe_cell(cell) for cell in _row(verdict)])

    return write


def _row(verdict: Verdict) -> list[object]:
    reference, match = verdict.reference, verdict.best_match
    issues = [issue for issue in verdict.issues if issue.severity is Severity.ISSUE]
    row: list[object] = [
        reference.key,
        reference.paper,
        reference.file,
        reference.line,
        verdict.status.value,
        verdict.reason,
        verdict.confidence,
        reference.title,
        " ".join(issue.code for issue in issues),
        " ".join(issue.explanation for issue in issues),
        " ".join(verdict.flags),
        " ".join(filter(None, (notice_link(verdict, flag) for flag in verdict.flags))),
        " ".join(inquiry.source for inquiry in verdict.evidence if inquiry.outcome is Outcome.FAILED),
    ]
    accepted = sentence_on(verdict)
    meant = " | ".join(f"{relation(w)}: {w.record.title} ({w.record.source} {w.record.key})" for w in verdict.meant)
    matched = _matched(match) if match else [""] * _MATCHED
    chance = round(verdict.chance.invented, 6) if verdict.chance else ""
    return [*row, *matched, meant, verdict.remembered, reference.raw, accepted, chance]


def _matched(match: Candidate) -> list[object]:
    record = match.record
    return [
        record.title,
        "; ".join(record.authors),
        record.year or "",
        record.venue,
        record.key,
        record.source,
        f"{match.similarity:.4f}",
        record_link(record),
    ]


def safe_cell(cell: object) -> object:
    """Return ``cell`` with a quote before what a spreadsheet would run as a formula (OWASP, CSV injection).

    Spreadsheets also take full-width signs, such as U+FF1D, for the signs that they are normalised to.
    """
    if not isinstance(cell, str):
        return cell
    if "\n" not in cell:
        cell = cell.replace("\r", "\n")  # the writer quotes a cell with a line feed, and none with a carriage return
    return f"'{cell}" if normalize("NFKC", cell[:1]) in _FORMULA else cell
