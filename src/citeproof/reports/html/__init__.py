"""The report as one HTML file, which needs no network, and no script to be read.

It is written piece by piece, one paper after the other, so that its length costs no memory.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader

from citeproof.models import Status
from citeproof.presentation import summary
from citeproof.presentation.looks import MARKS, WORST_FIRST
from citeproof.presentation.overview import NAMELESS, Overview, is_problem, place_in, short_names
from citeproof.presentation.view import USUAL, Detail, View
from citeproof.reports.html.entry import entry_of
from citeproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from citeproof.models import Verdict
    from citeproof.results import Paper, Run

_PIECE = 64
"""Parts of the template that are written at a time."""
MOST_ENTRIES = 10_000
"""Of a longer run only what must be looked at is listed: an entry with its evidence has 1 to 2 kB, and no browser is
quick with a file of 170 MB."""
_LEFT_OUT = "Of {:,} entries those that must be looked at are listed; the others are counted. --all lists every one."


def render(run: Run, out: TextIO, view: View = USUAL) -> None:
    """Write ``run`` to ``out``."""
    names = short_names(verdict.reference.file for verdict in run.verdicts)
    run_lines = (*summary.basis(run), *summary.notes(run, everything=True), summary.exit_meaning(run, view))
    script = _asset("report.js")
    pieces = (
        _environment()
        .get_template("report.html")
        .stream(
            title=_title(run),
            sum=summary.counts(run.statistics),
            accepted=sum(run.statistics.accepted.values()),
            statuses=[(status, MARKS[status], run.statistics.by_status[status]) for status in WORST_FIRST],
            papers=_papers(run, names, view),
            left_out=_LEFT_OUT.format(len(run.verdicts)) if _is_long(run, view) else "",
            overview=[(number, paper.name or NAMELESS, paper) for number, paper in enumerate(run.papers, start=1)],
            lines=run_lines,
            style=_asset("report.css"),
            script=script,
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            version=__version__,
        )
    )
    pieces.enable_buffering(_PIECE)
    for piece in pieces:
        out.write(piece)


def _papers(run: Run, names: dict[str, str], view: View) -> Iterator[dict[str, Any]]:
    """Yield each paper with its entries, the worst first; with ``-q``, and of a long run, those to be looked at."""
    count = 0
    for number, paper in enumerate(run.papers, start=1):
        verdicts = list(_in_order(paper))
        if view.detail is Detail.PROBLEMS or _is_long(run, view):
            wanted = {Status.ERROR, *view.failing}
            verdicts = [v for v in verdicts if not v.is_accepted and (is_problem(v) or v.status in wanted)]
        entries = (
            entry_of(verdict, place_in(verdict.reference.place, names), f"entry-{count + place}")
            for place, verdict in enumerate(verdicts, start=1)
        )
        yield {"id": f"paper-{number}", "name": paper.name or NAMELESS, "paper": paper, "entries": entries}
        count += len(verdicts)


def _is_long(run: Run, view: View) -> bool:
    """Whether a run has more entries than people can be shown, and nobody asked for all of them."""
    return len(run.verdicts) > MOST_ENTRIES and not view.everything


def _in_order(paper: Paper) -> Iterator[Verdict]:
    overview = Overview.of(paper.verdicts)
    yield from overview.problems
    for group in overview.groups:
        yield from group.verdicts
    yield from overview.valid
    yield from overview.accepted


def _title(run: Run) -> str:
    papers = run.papers
    return (
        f"References of {papers[0].name or NAMELESS}" if len(papers) == 1 else f"References of {len(papers):,} papers"
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("citeproof.reports.html", "."), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )


@cache
def _asset(name: str) -> str:
    return files("citeproof.reports.html").joinpath(name).read_text("utf-8")
