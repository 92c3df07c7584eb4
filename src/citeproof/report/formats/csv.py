"""The report as CSV: one row per entry."""

import csv
from collections.abc import Callable
from typing import TextIO
from unicodedata import normalize

from citeproof.model.record import Record
from citeproof.model.verdict import Verdict
from citeproof.report.formats import rendering
from citeproof.report.wording import notice_link, record_link, relation, sentence_on

_FORMULA = frozenset("=+-@\t\r\n")
"""Characters at the beginning of a cell that may make a spreadsheet run the cell as a formula."""


def begin(out: TextIO) -> Callable[[Verdict], None]:
    """Return a function that writes a verdict to ``out``.

    The first call also writes the header row.
    """
    writer = csv.writer(out, lineterminator="\n")
    begun = False

    def write(verdict: Verdict) -> None:
        nonlocal begun
        row = _row(verdict)
        if not begun:
            writer.writerow(row.keys())
            begun = True
        writer.writerow(map(safe_cell, row.values()))

    return write


render = rendering(begin)


def _row(verdict: Verdict) -> dict[str, object]:
    reference, match = verdict.reference, verdict.best_match
    record = match.record if match else Record("", "")
    return {
        **{name: getattr(reference, name) for name in ("key", "paper", "file", "line")},
        "status": verdict.status.value,
        "reason": verdict.reason,
        "confidence": verdict.confidence,
        "cited_title": reference.title,
        "issues": " ".join(issue.code for issue in verdict.counted),
        "explanations": " ".join(issue.explanation for issue in verdict.counted),
        "flags": " ".join(verdict.flags),
        "notices": " ".join(filter(None, (notice_link(verdict, flag) for flag in verdict.flags))),
        "failed": " ".join(inquiry.source for inquiry in verdict.failures),
        "matched_title": record.title,
        "matched_authors": "; ".join(record.authors),
        "matched_year": record.year or "",
        **{f"matched_{name}": getattr(record, name) for name in ("venue", "key", "source")},
        "similarity": f"{match.similarity:.4f}" if match else "",
        "link": record_link(record),
        "meant": " | ".join(
            f"{relation(w)}: {w.record.title} ({w.record.source} {w.record.key})"
            for w in verdict.meant
        ),
        "remembered": verdict.remembered,
        "cited_text": reference.raw,
        "accepted": sentence_on(verdict),
        "chance": round(verdict.chance.invented, 6) if verdict.chance else "",
    }


def safe_cell(cell: object) -> object:
    """Return ``cell``. If a spreadsheet would run the text as a formula (OWASP, CSV injection),
    prefix ``'``.

    Spreadsheets also treat a full-width character, such as U+FF1D, like its normal form, such as
    ``=``.
    """
    if not isinstance(cell, str):
        return cell
    if "\n" not in cell:
        # the writer quotes a cell with a line feed, but not a cell with a carriage return
        cell = cell.replace("\r", "\n")
    return f"'{cell}" if normalize("NFKC", cell[:1]) in _FORMULA else cell
