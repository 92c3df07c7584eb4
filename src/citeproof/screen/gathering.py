"""Write the tables and the overview of a screening, a report on each paper, and letters to authors; sum it up."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader

from citeproof.model.errors import InputError, install_command
from citeproof.model.run import Run
from citeproof.model.verdict import Status
from citeproof.report.dossier import OBJECTION
from citeproof.report.formats import html, markdown
from citeproof.report.overview import Detail, View, basis_lines, is_problem
from citeproof.screen.results import PaperSum, Results, run_of
from citeproof.screen.store import ScreeningStore
from citeproof.screen.tables import write_parquet, write_tables, write_workbook
from citeproof.store.files import replacing
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
            "papers": [(paper, results.paper_name(paper)) for paper in signal.papers[:MOST_NAMES]],
            "more": max(0, len(signal.papers) - MOST_NAMES),
            "works": results.titles(signal.references[:MOST_WORKS]),
            "more_works": max(0, len(signal.references) - MOST_WORKS),
        }
        for signal in found[:MOST_SIGNALS]
    ]
    return {"name": kind.name.replace("_", " "), "meaning": kind.meaning, "count": len(found), "shown": shown}


KINDS = ("html", "letters")
"""Kinds of reports on single papers."""
FOLDER = "reports"
"""Folder of the reports in the folder of results."""
_LETTERS = 60
"""Maximum characters of a paper's name in the name of its report."""


def write_reports(results: Results, folder: Path, kinds: Collection[str]) -> dict[int, str]:
    """Write the reports of ``kinds``; return the address of each paper's HTML report in ``folder``, by number.

    Raises :class:`BuildError` if the folder cannot be written to.
    """
    links = {}
    for paper in results.papers() if kinds else ():
        try:
            run = run_of(results.store, paper.name)
        except InputError:  # nothing of it could be read or checked
            continue
        for name, text in _texts(paper, run, kinds):
            with replacing(folder / FOLDER / name) as building:
                building.write_text(text, "utf-8", "replace")
            if name.endswith(".html"):
                links[paper.number] = f"{FOLDER}/{name}"
    return links


def _texts(paper: PaperSum, run: Run, kinds: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and content of each file on ``paper``."""
    name = f"{paper.number:05}-{re.sub(r'[^A-Za-z0-9._]+', '-', paper.name)[-_LETTERS:].strip('-.')}"
    if "html" in kinds:
        out = StringIO()
        html.render(run, out)
        yield f"{name}.html", out.getvalue()
    if "letters" in kinds and (text := letter(paper.name, run)):
        yield f"{name}.md", text


def letter(paper: str, run: Run) -> str:
    """Return a letter to the authors of ``paper`` in Markdown: the findings with evidence, and how to answer.

    Empty if there is no finding.
    """
    found = tuple(verdict for verdict in run.verdicts if is_problem(verdict) and not verdict.is_accepted)
    if not found:
        return ""
    out = StringIO()
    markdown.render(replace(run, verdicts=found), out, View(Detail.PROBLEMS))
    asked = "One of them does not agree" if len(found) == 1 else f"{len(found):,} of them do not agree"
    introduction = (
        f"We compared the {len(run.verdicts):,} references of this paper with a bibliographic database. {asked} with "
        "what we found. Please look at each one, and correct it or tell us why it is right as it is."
    )
    answers = "\n".join(f"* {sentence}" for sentence in (OBJECTION[0], OBJECTION[2], OBJECTION[4]))
    title = f"# The references of {markdown.plain(paper)}"
    basis = markdown.plain(next(iter(basis_lines(run))))
    return f"{title}\n\n{introduction}\n\n{out.getvalue()}## How to answer\n\n{answers}\n\n{basis}\n"


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
    """Write tables, workbook, overview and the requested ``reports`` into ``folder``, and return the totals.

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
