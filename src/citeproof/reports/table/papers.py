"""One line a paper: how its list was read, and how many of its entries have which status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from citeproof.presentation.looks import MARKS, WORST_FIRST
from citeproof.presentation.overview import NAMELESS
from citeproof.reports.table.lines import indent
from citeproof.wording import extraction_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from citeproof.models import Extraction
    from citeproof.results import Paper, Run

_MOST = 20
"""Most papers that are listed where not all are wanted; of more, those of which something is to be said."""


def print_papers(console: Console, run: Run, *, everything: bool) -> None:
    """Print how the lists of running text were read, and where there are several papers, the sum of each."""
    papers = run.papers
    every = everything or max(len(papers), len(run.extractions)) <= _MOST
    for extraction in run.extractions:
        if every or extraction.fault:
            _print_extraction(console, extraction)
    if run.extractions:
        console.print()
    if len(papers) > 1:
        _print_sums(console, papers, every=every)


def _print_extraction(console: Console, extraction: Extraction) -> None:
    console.print(Text(f"{extraction.file}: {extraction_line(extraction)}"), soft_wrap=True)
    if extraction.fault:
        indent(console, Text(f"THE LIST LOOKS WRONGLY READ: {extraction.fault}", "bold red"), 2)


def _print_sums(console: Console, papers: Sequence[Paper], *, every: bool) -> None:
    console.print(Text(f"{len(papers):,} papers", "bold"))
    flagged = sorted(papers, key=_flagged, reverse=True)[:_MOST]
    shown = [paper for paper in papers if every or (paper in flagged and any(_flagged(paper)))]
    for paper in shown:
        counts = "  ".join(
            f"{MARKS[status]} {paper.by_status[status]} {status.lower()}"
            for status in WORST_FIRST
            if paper.by_status[status]
        )
        console.print(Text.assemble("  ", paper.name or NAMELESS, (f"  {counts}", "dim")), soft_wrap=True)
    if more := len(papers) - len(shown):
        console.print(Text(f"  and {more:,} more; --all lists them", "dim"))
    console.print()


def _flagged(paper: Paper) -> tuple[int, ...]:
    """Return how many entries of ``paper`` are wrong, and how many could not be checked."""
    invalid, suspicious, error = (paper.by_status[status] for status in WORST_FIRST[:3])
    return invalid + suspicious, error
