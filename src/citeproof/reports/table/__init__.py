"""The report for people on a terminal: problems first, then what is open in a few lines, then the sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from citeproof.models import Status
from citeproof.presentation.acceptances import heading, listed
from citeproof.presentation.looks import MARKS, STYLES
from citeproof.presentation.overview import Overview, short_names
from citeproof.presentation.plain import told
from citeproof.presentation.view import USUAL, Detail, View
from citeproof.reports import console
from citeproof.reports.table.detail import print_all
from citeproof.reports.table.lines import hang, indent, one_line
from citeproof.reports.table.papers import print_papers
from citeproof.reports.table.problem import print_problem, where
from citeproof.reports.table.summary import print_notes, print_summary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from rich.console import Console

    from citeproof.models import Verdict
    from citeproof.presentation.overview import Group
    from citeproof.results import Run

_FEW = 5
"""Most entries that a group lists where not all are wanted; of more, one less and how many there are."""


def render(run: Run, out: TextIO, view: View = USUAL) -> None:
    """Write ``run`` to ``out``: in colour on a terminal, plain elsewhere."""
    screen = console(out, soft_wrap=False)
    if view.detail is Detail.FULL:
        print_all(screen, run)
        print_notes(screen, run, view)
        return
    _print_overview(screen, run, view)
    if view.detail is not Detail.PROBLEMS:
        print_papers(screen, run, everything=view.everything)
        print_summary(screen, run, view)


def _print_overview(console: Console, run: Run, view: View) -> None:
    overview = Overview.of(run.verdicts)
    names = short_names(verdict.reference.file for verdict in run.verdicts)
    quiet = view.detail is Detail.PROBLEMS
    if not quiet:
        _print_names(console, names)
    for verdict in overview.problems:
        print_problem(console, verdict, names)
    for group in overview.groups:
        if not quiet or group.status is Status.ERROR or group.status in view.failing:
            _print_group(console, group, names, everything=view.everything)
    if view.everything:
        for verdict in overview.valid:
            one_line(console, _entry(verdict, names, verdict.reference.title, f"{_mark(Status.VALID)} "))
        if overview.valid:
            console.print()
    for verdicts in (overview.accepted, overview.lapsed):
        if verdicts and not quiet:
            _print_accepted(console, verdicts, names)


def _print_names(console: Console, names: dict[str, str]) -> None:
    """Print the full names of the files once, where the entries show shorter ones."""
    for full, short in names.items():
        if full != short:
            console.print(Text(full, "bold"), soft_wrap=True)
    if any(full != short for full, short in names.items()):
        console.print()


def _print_group(console: Console, group: Group, names: dict[str, str], *, everything: bool) -> None:
    """Print what all verdicts of a group share, and one line for each of the first."""
    count = f"{_mark(group.status)} {len(group.verdicts):,} {group.status.value}  "
    hang(console, Text(count, STYLES[group.status]), Text(group.sentence))
    if len(searched := {verdict.searched for verdict in group.verdicts} - {""}) == 1:
        hang(console, Text("    "), Text(searched.pop(), "dim"))
    few = everything or len(group.verdicts) <= _FEW
    shown = group.verdicts if few else group.verdicts[: _FEW - 1]
    for verdict in shown:
        line = _entry(verdict, names, told(verdict), "    ")
        if group.status is Status.ERROR and not few:
            one_line(console, line)
        elif group.status is Status.ERROR:
            hang(console, Text("    "), line[4:])
        else:
            one_line(console, line)
    if more := len(group.verdicts) - len(shown):
        console.print(Text(f"    and {more:,} more; --all lists them", "dim"))
    console.print()


def _print_accepted(console: Console, verdicts: Sequence[Verdict], names: dict[str, str]) -> None:
    """Print who was accepted why and when, a line each: all of them, for what does not count must be seen."""
    hang(console, Text(), Text(heading(verdicts), "bold"))
    for verdict in verdicts:
        mark = (_mark(verdict.status), STYLES[verdict.status])
        indent(console, Text.assemble(mark, " ", *where(verdict, names), f"  {listed(verdict)}"))
    console.print()


def _entry(verdict: Verdict, names: dict[str, str], about: str, start: str) -> Text:
    return Text.assemble(start, *where(verdict, names), f"  {about}" if about else "")


def _mark(status: Status) -> str:
    return MARKS[status]
