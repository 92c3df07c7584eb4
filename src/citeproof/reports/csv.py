"""One row an entry, for spreadsheets."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from citeproof.models import Outcome, Severity
from citeproof.presentation.acceptances import sentence_on
from citeproof.presentation.view import USUAL
from citeproof.wording import notice_link, record_link, relation, remembered

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from citeproof.models import Candidate, Verdict
    from citeproof.presentation.view import View
    from citeproof.results import Run

COLUMNS = (
    "key", "paper", "file", "line", "status", "reason", "confidence", "cited_title", "issues", "explanations",
    "flags", "notices", "failed",
    "matched_title", "matched_authors", "matched_year", "matched_venue", "matched_key", "matched_source",
    "similarity", "link", "meant", "remembered", "cited_text", "accepted",
)  # fmt: skip
_MATCHED = sum(name.startswith("matched_") for name in COLUMNS) + 2
"""Columns about the best match."""


def render(run: Run, out: TextIO, _: View = USUAL) -> None:
    """Write ``run`` to ``out``, with a header row."""
    write = begin(out)
    for verdict in run.verdicts:
        write(verdict)


def begin(out: TextIO) -> Callable[[Verdict], None]:
    """Return what writes one verdict to ``out``, the first behind a header row."""
    writer = csv.writer(out, lineterminator="\n")
    header = [COLUMNS]

    def write(verdict: Verdict) -> None:
        while header:
            writer.writerow(header.pop())
        writer.writerow([_safe(cell) for cell in _row(verdict)])

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
    return [*row, *(_matched(match) if match else [""] * _MATCHED), meant, remembered(verdict), reference.raw, accepted]


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


def _safe(cell: object) -> object:
    """Keep a spreadsheet from reading text out of a bibliography as a formula (OWASP, CSV injection)."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
