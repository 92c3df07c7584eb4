"""Write the Excel workbook of a screening: papers, findings and signals."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from citeproof.report.overview import WORST_FIRST
from citeproof.screen.results import Results
from citeproof.screen.signals import LABELS
from citeproof.screen.tables import clean
from citeproof.store.files import replacing
from citeproof.store.sql import Row
from citeproof.verification.validation.codes import REASONS

_MOST_ROWS = 1_048_575  # maximum number of rows of an Excel sheet, without the header
_MOST_LETTERS = 32_767  # maximum number of characters in an Excel cell


def write_workbook(results: Results, folder: Path) -> None:
    """Write ``screening.xlsx`` into ``folder``.

    Raises :class:`ImportError` if openpyxl is not installed.
    """
    from openpyxl import Workbook
    from openpyxl.styles import Font

    columns = {
        "papers": (
            ("Paper", 50),
            ("References", 10),
            *((each.title(), 11) for each in WORST_FIRST),
            ("Chance of an invented reference", 12),
            ("Chance of three", 12),
            ("Invented, expected", 12),
            ("Look at", 30),
            ("Not read", 40),
        ),
        "findings": (
            ("Paper", 40),
            ("Entry", 16),
            ("Line", 6),
            ("Page", 6),
            ("Status", 12),
            ("Title", 60),
            ("Finding", 60),
            ("Record", 60),
            ("Year", 6),
            ("Link", 40),
        ),
        "signals": (("Signal", 20), ("Seen", 80), ("Papers", 60), ("Works", 80)),
    }
    rows = _ranked_papers(results), _open_entries(results), _named_signals(results)
    book = Workbook(write_only=True)
    for (name, titles), sheet_rows in zip(columns.items(), rows, strict=True):
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "B2"
        header = []
        for letter, (title, width) in zip(ascii_uppercase, titles, strict=False):
            sheet.column_dimensions[letter].width = width
            header.append(_cell(sheet, title))
            header[-1].font = Font(bold=True)
        sheet.append(header)
        for row in islice(sheet_rows, _MOST_ROWS):
            sheet.append([_cell(sheet, value) for value in row])
        sheet.auto_filter.ref = f"A1:{letter}{_MOST_ROWS + 1}"
    with replacing(folder / "screening.xlsx") as building:
        book.save(building)


def _cell(sheet: Any, value: object) -> Any:
    """Return ``value`` as a cell of ``sheet``. Text is neither a formula nor an error."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, WriteOnlyCell

    if isinstance(value, int | float):
        return value
    text = ILLEGAL_CHARACTERS_RE.sub("?", clean(str(value or "")))[:_MOST_LETTERS]
    cell = WriteOnlyCell(sheet, text or None)
    if text:
        cell.data_type = "s"
    return cell


def _ranked_papers(results: Results) -> Iterator[Row]:
    for paper in sorted(results.papers, key=lambda paper: paper.rank):
        yield (
            paper.name,
            paper.entries,
            *(paper.by_status[status] for status in WORST_FIRST),
            *(round(chance, 4) for chance in (paper.invented.one, paper.invented.three)),
            round(paper.invented.expected, 2),
            ", ".join(paper.carried_by),
            paper.trouble,
        )


def _open_entries(results: Results) -> Iterator[Row]:
    """Yield a row of the Excel sheet for each bibliography entry that is not VALID, with the reason
    and the matching record.
    """
    select = (
        "SELECT n.name, e.key, e.line, e.page, e.status, e.fields, e.trouble, e.reason, e.details"
        " FROM entries e JOIN papers n ON n.id = e.paper WHERE NOT e.is_note AND e.status <>"
        " 'VALID' ORDER BY e.paper, e.position"
    )
    for paper, key, line, page, status, fields, trouble, reason, details in results.store.each(
        select
    ):
        found = json.loads(details or '{"issues": [], "match": null}')
        issues = [issue["explanation"] for issue in found["issues"] if issue["severity"] == "issue"]
        said = trouble or " ".join(issues) or (REASONS[reason].meaning if reason in REASONS else "")
        title = json.loads(fields or "{}").get("title")
        match = found["match"] or {}
        link = match.get("doi") and f"https://doi.org/{match['doi']}"
        yield (
            paper,
            key,
            line or "",
            page or "",
            status,
            title,
            said,
            match.get("title"),
            match.get("year"),
            link,
        )


def _named_signals(results: Results) -> Iterator[Row]:
    for kind, found in results.signals.items():
        for signal in found:
            papers = "; ".join(map(results.paper_name, signal.papers))
            yield (
                LABELS[kind],
                signal.said,
                papers,
                "; ".join(results.titles(signal.references)),
            )
