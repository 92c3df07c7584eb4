"""Write the results of a screening as one Excel workbook: papers, findings and signals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.screen.tables import clean
from citeproof.store.replacement import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.screen.results import Results

FILE = "screening.xlsx"
MOST_ROWS = 1_048_575
"""Maximum rows of a sheet of Excel, without the header."""
MOST_LETTERS = 32_767
"""Maximum characters of a cell of Excel."""
_STATUSES = ("INVALID", "SUSPICIOUS", "ERROR", "UNVERIFIED", "VALID")


def write_workbook(results: Results, folder: Path) -> None:
    """Write the workbook into ``folder``; it replaces the old one when it is complete.

    Text is never a formula or a link. Raises :class:`BuildError` if the folder cannot be written to.
    """
    from xlsxwriter import Workbook

    sheets = {
        "papers": (("Paper", 50), ("References", 10), *((each.title(), 11) for each in _STATUSES), ("Not read", 40)),
        "findings": (
            ("Paper", 40), ("Entry", 16), ("Line", 6), ("Page", 6), ("Status", 12), ("Title", 60), ("Finding", 60),
            ("Record", 60), ("Year", 6), ("Link", 40),
        ),
        "signals": (("Signal", 20), ("Seen", 80), ("Papers", 60), ("Works", 80)),
    }  # fmt: skip
    rows = {"papers": _papers(results), "findings": _findings(results), "signals": _signals(results)}
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with replacing(folder / FILE) as building, Workbook(str(building), options) as book:
        bold = book.add_format({"bold": True})
        for name, columns in sheets.items():
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 1)
            for number, (title, width) in enumerate(columns):
                sheet.set_column(number, number, width)
                sheet.write_string(0, number, title, bold)
            last = 0
            for last, row in zip(range(1, MOST_ROWS + 1), rows[name], strict=False):
                for number, value in enumerate(row):
                    if isinstance(value, int):
                        sheet.write_number(last, number, value)
                    elif value:
                        sheet.write_string(last, number, clean(str(value))[:MOST_LETTERS])
            sheet.autofilter(0, 0, last, len(columns) - 1)


def _papers(results: Results) -> Iterator[tuple[Any, ...]]:
    for paper in sorted(results.papers(), key=lambda paper: paper.rank):
        yield paper.name, paper.entries, *(paper.by_status[status] for status in _STATUSES), paper.trouble


def _findings(results: Results) -> Iterator[tuple[Any, ...]]:
    for one in results.open_entries():
        match = one.match
        link = f"https://doi.org/{match['doi']}" if match.get("doi") else ""
        year = match.get("year") or ""
        yield (
            one.paper, one.key, one.line or "", one.page or "", one.status, one.title, one.said,
            match.get("title", ""), year, link,
        )  # fmt: skip


def _signals(results: Results) -> Iterator[tuple[Any, ...]]:
    for kind, found in results.signals:
        for signal in found:
            papers = map(results.corpus.paper_name, signal.papers)
            titles = results.corpus.titles(signal.references)
            yield kind.name.replace("_", " "), signal.said, "; ".join(papers), "; ".join(titles)
