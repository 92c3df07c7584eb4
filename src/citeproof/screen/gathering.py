"""Write the tables and the overview of a screening, a report on each paper, and letters to authors."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path

from jinja2 import Environment, PackageLoader

from citeproof.model.errors import InputError, install_command
from citeproof.model.run import Run
from citeproof.report.dossier import OBJECTION
from citeproof.report.formats import html, markdown
from citeproof.report.overview import Detail, View, basis_lines, is_problem
from citeproof.screen import signals
from citeproof.screen.results import Results, run_of
from citeproof.screen.store import ScreeningStore
from citeproof.screen.tables import write_parquet, write_tables, write_workbook
from citeproof.store.files import replacing
from citeproof.verification.validation.codes import REASONS

_FILE = "overview.html"  # name of the overview page, and of its template
SHOWN_PAPERS = 100  # number of papers that the overview lists at first, the worst ones; a filter shows more


def _write_overview(results: Results, folder: Path, notes: tuple[str, ...], links: Mapping[int, str]) -> None:
    """Write the overview page into ``folder``. ``links`` maps numbers of papers to the addresses of their reports."""
    environment = Environment(loader=PackageLoader("citeproof.screen", "."), autoescape=True, trim_blocks=True)
    page = environment.get_template(_FILE).render(
        results=results,
        ranked=sorted((paper for paper in results.papers if paper.entries), key=lambda paper: paper.rank),
        shown=SHOWN_PAPERS,
        links=links,
        reasons=REASONS,
        meanings={kind: " ".join((find.__doc__ or "").split()) for kind, find in signals.KINDS.items()},
        notes=notes,
    )
    _write(folder / _FILE, page)


def _write(path: Path, text: str) -> None:
    with replacing(path) as building:
        building.write_text(text, "utf-8", "replace")


KINDS = ("html", "letters")
"""Kinds of reports on single papers."""
_FOLDER = "reports"  # name of the folder of the reports in the folder of results
_LETTERS = 60  # maximum characters of a paper's name in the name of its report


def _write_reports(results: Results, folder: Path, kinds: Collection[str]) -> dict[int, str]:
    """Write reports of ``kinds``. Return a map from each paper's number to the address of its report in ``folder``."""
    links = {}
    for paper in results.papers if kinds else ():
        try:
            run = run_of(results.store, paper.name)
        except InputError:  # nothing of it could be read or checked
            continue
        name = f"{paper.number:05}-{re.sub(r'[^A-Za-z0-9._]+', '-', paper.name)[-_LETTERS:].strip('-.')}"
        if "html" in kinds:
            links[paper.number] = f"{_FOLDER}/{name}.html"
            html.render(run, out := StringIO())
            _write(folder / links[paper.number], out.getvalue())
        if "letters" in kinds and (text := letter(paper.name, run)):
            _write(folder / _FOLDER / f"{name}.md", text)
    return links


def letter(paper: str, run: Run) -> str:
    """Return a letter to the authors in Markdown: findings, evidence and how to answer; empty without findings."""
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


def gather(
    store: ScreeningStore, folder: Path, notes: tuple[str, ...] = (), reports: Collection[str] = ()
) -> tuple[Results, tuple[str, ...]]:
    """Write tables, workbook, overview and the requested ``reports`` into ``folder``. Return results and all notes.

    Raises :class:`BuildError` if the folder cannot be written to.
    """
    results = Results(store)
    write_tables(results, folder)
    try:
        write_workbook(results, folder)
    except ImportError:
        notes = (*notes, "There is no workbook, since xlsxwriter is not installed.")
    try:
        write_parquet(results, folder)
    except ImportError:
        notes = (*notes, f"The tables are CSV alone; for Parquet: {install_command('bulk')}, and run this again.")
    _write_overview(results, folder, notes, _write_reports(results, folder, reports))
    return results, notes
