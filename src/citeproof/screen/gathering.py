"""Write the tables and the overview of a screening, and sum it up."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader

from citeproof.model.errors import install_command
from citeproof.model.verdict import Status
from citeproof.screen.reports import write_reports
from citeproof.screen.results import Results
from citeproof.screen.store import ScreeningStore
from citeproof.screen.tables import write_parquet, write_tables, write_workbook
from citeproof.store.replacement import replacing
from citeproof.verification.validation.codes import REASONS

FILE = "overview.html"
"""Name of the page, and of its template."""
SHOWN_PAPERS = 100
"""Papers in the list at first; a filter or a button shows more. The worst come first."""
MOST_SIGNALS = 25
"""Maximum signals of a kind."""
MOST_NAMES = 8
"""Maximum papers named for a signal."""
MOST_WORKS = 5
"""Maximum works named for a signal."""


def write_overview(
    results: Results, folder: Path, notes: tuple[str, ...] = (), links: Mapping[int, str] | None = None
) -> None:
    """Write the page into ``folder``, with ``links`` to papers by their numbers; it replaces the old one when complete.

    Raises :class:`BuildError` if the folder cannot be written to.
    """
    papers = list(results.papers())
    by_status = {status.value: sum(paper.by_status[status] for paper in papers) for status in Status}
    environment = Environment(loader=PackageLoader("citeproof.screen", "."), autoescape=True, trim_blocks=True)
    page = environment.get_template(FILE).render(
        papers=len(papers),
        unread=[paper for paper in papers if paper.trouble],
        base_rate=results.base_rate,
        ranked=sorted((paper for paper in papers if paper.entries), key=lambda paper: paper.rank),
        shown=SHOWN_PAPERS,
        links=links or {},
        entries=sum(by_status.values()),
        distinct=results.distinct,
        by_status=by_status,
        reasons=[(reason, REASONS[reason].meaning, count) for reason, count in results.by_reason.items()],
        signals=[_kind(results, kind, found) for kind, found in results.signals],
        notes=notes,
        database=results.store.kept("database"),
    )
    with replacing(folder / FILE) as building:
        building.write_text(page, "utf-8", "replace")


def _kind(results: Results, kind: Any, found: list[Any]) -> dict[str, Any]:
    shown = [
        {
            "said": signal.said,
            "papers": [(paper, results.corpus.paper_name(paper)) for paper in signal.papers[:MOST_NAMES]],
            "more": max(0, len(signal.papers) - MOST_NAMES),
            "works": results.corpus.titles(signal.references[:MOST_WORKS]),
            "more_works": max(0, len(signal.references) - MOST_WORKS),
        }
        for signal in found[:MOST_SIGNALS]
    ]
    return {"name": kind.name.replace("_", " "), "meaning": kind.meaning, "count": len(found), "shown": shown}


NO_WORKBOOK = "There is no workbook, since xlsxwriter is not installed."
NO_TABLES = "The tables are CSV alone; for Parquet: {}, and run this again."
"""Notes on results whose library is missing."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Totals of a screening."""

    papers: int
    unread: int
    """Papers that could not be read."""
    distinct: int
    by_status: Mapping[str, int]
    """Number of entries by status."""
    signals: Mapping[str, int]
    """Number of signals by kind."""
    notes: tuple[str, ...] = ()


def gather(store: ScreeningStore, folder: Path, notes: tuple[str, ...] = (), reports: Collection[str] = ()) -> Summary:
    """Write tables, workbook, overview and the ``reports`` asked for into ``folder``, and return the totals.

    Raises :class:`BuildError` if the folder cannot be written to.
    """
    results = Results(store)
    write_tables(results, folder)
    for write, note in ((write_workbook, NO_WORKBOOK), (write_parquet, NO_TABLES)):
        try:
            write(results, folder)
        except ImportError:
            notes = (*notes, note.format(install_command("bulk")))
    write_overview(results, folder, notes, write_reports(results, folder, reports))
    return summed(results, notes)


def summed(results: Results, notes: tuple[str, ...] = ()) -> Summary:
    """Return the totals of ``results``."""
    papers = unread = 0
    by_status = dict.fromkeys((status.value for status in Status), 0)
    for paper in results.papers():
        papers += 1
        unread += bool(paper.trouble)
        for status, count in paper.by_status.items():
            by_status[status] += count
    signals = {kind.name: len(found) for kind, found in results.signals}
    return Summary(papers, unread, results.distinct, by_status, signals, notes)
