"""The last lines on a terminal: the sum, what the answers rest on, notes, the exit code, where the report is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from citeproof.presentation import summary
from citeproof.presentation.view import Detail
from citeproof.reports.table.lines import hang

if TYPE_CHECKING:
    from rich.console import Console

    from citeproof.presentation.view import View
    from citeproof.results import Run


def print_summary(console: Console, run: Run, view: View, where: str = "") -> None:
    """Print the sum of ``run`` and all that concerns it as a whole; ``where`` says where the full report went."""
    hang(console, Text(), Text(summary.counts(run.statistics), "bold"))
    for line in summary.basis(run):
        hang(console, Text(), Text(line))
    print_notes(console, run, view)
    if where:
        console.print(Text(where), soft_wrap=True)


def print_notes(console: Console, run: Run, view: View) -> None:
    """Print the notes on ``run`` and what its exit code means."""
    for note in summary.notes(run, everything=view.everything or view.detail is Detail.FULL):
        hang(console, Text("Note: ", "dim"), Text(note))
    hang(console, Text(), Text(summary.exit_meaning(run, view)))
