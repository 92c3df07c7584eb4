"""CSV: one row for each entry."""

import csv
from collections.abc import Callable
from typing import TextIO
from unicodedata import normalize

from citeproof.model.findings import Outcome
from citeproof.model.run import Run
from citeproof.model.verdict import Verdict
from citeproof.report.overview import USUAL, View
from citeproof.report.wording import notice_link, record_link, relation, sentence_on

COLUMNS = (
    "key", "paper", "file", "line", "status", "reason", "confidence", "cited_title", "issues", "explanations",
    "flags", "notices", "failed",
    "matched_title", "matched_authors", "matched_year", "matched_venue", "matched_key", "matched_source",
    "similarity", "link", "meant", "remembered", "cited_text", "accepted", "chance",
)  # fmt: skip
_FORMULA = frozenset("=+-@\t\r\n")
"""Characters that start a formula in a spreadsheet, or that spreadsheets skip before a formula."""


def render(run: Run, out: TextIO, _: View = USUAL) -> None:
    """Write ``run`` to ``out``, with a header row."""
    write = begin(out)
    for verdict in run.verdicts:
        write(verdict)


def begin(out: TextIO) -> Callable[[Verdict], None]:
    """Return a function that writes one verdict to ``out``, after a header row."""
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    header = [writer.writeheader]

    def write(verdict: Verdict) -> None:
        while header:
            header.pop()()
        writer.writerow({name: safe_cell(cell) for name, cell in _row(verdict).items()})

    return write


def _row(verdict: Verdict) -> dict[str, object]:
    reference = verdict.reference
    row: dict[str, object] = {
        **{name: getattr(reference, name) for name in ("key", "paper", "file", "line")},
        "status": verdict.status.value,
        "reason": verdict.reason,
        "confidence": verdict.confidence,
        "cited_title": reference.title,
        "issues": " ".join(issue.code for issue in verdict.counted),
        "explanations": " ".join(issue.explanation for issue in verdict.counted),
        "flags": " ".join(verdict.flags),
        "notices": " ".join(filter(None, (notice_link(verdict, flag) for flag in verdict.flags))),
        "failed": " ".join(inquiry.source for inquiry in verdict.evidence if inquiry.outcome is Outcome.FAILED),
        "meant": " | ".join(
            f"{relation(w)}: {w.record.title} ({w.record.source} {w.record.key})" for w in verdict.meant
        ),
        "remembered": verdict.remembered,
        "cited_text": reference.raw,
        "accepted": sentence_on(verdict),
        "chance": round(verdict.chance.invented, 6) if verdict.chance else "",
    }
    if match := verdict.best_match:
        record = match.record
        row |= {f"matched_{name}": getattr(record, name) for name in ("title", "venue", "key", "source")}
        row |= {"matched_authors": "; ".join(record.authors), "matched_year": record.year or ""}
        row |= {"similarity": f"{match.similarity:.4f}", "link": record_link(record)}
    return row


def safe_cell(cell: object) -> object:
    """Return ``cell``, with a quotation mark before a formula that a spreadsheet would run (OWASP, CSV injection).

    Spreadsheets also treat full-width characters, such as U+FF1D, like the characters to which they are normalised.
    """
    if not isinstance(cell, str):
        return cell
    if "\n" not in cell:
        cell = cell.replace("\r", "\n")  # the writer quotes a cell with a line feed, and none with a carriage return
    return f"'{cell}" if normalize("NFKC", cell[:1]) in _FORMULA else cell
