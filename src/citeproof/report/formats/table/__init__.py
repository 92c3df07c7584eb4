"""The report on a terminal: problems first, then entries left open in a few lines, then the summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

from citeproof.model.findings import Agreement
from citeproof.model.record import Record
from citeproof.model.run import Run
from citeproof.model.verdict import Status, Verdict
from citeproof.report import wording
from citeproof.report.advice import sentence
from citeproof.report.differences import differences
from citeproof.report.formats.table.detail import print_all
from citeproof.report.overview import (
    MARKS,
    STYLES,
    USUAL,
    Detail,
    Group,
    Overview,
    View,
    place_in,
    remembered_lines,
    short_names,
)
from citeproof.report.terminal import (
    console,
    hang,
    indent,
    marked,
    one_line,
    print_notes,
    print_papers,
    print_summary,
    whole,
)
from citeproof.verification.certainty.calibration import in_words

_WIDTH = max(map(len, Status)) + 2
"""Columns for the status."""
_FEW = 5
"""Maximum lines of a group without ``-v``; the last line counts the rest."""


def render(run: Run, out: TextIO, view: View = USUAL) -> None:
    """Write ``run`` to ``out``: in colour on a terminal, plain elsewhere."""
    screen = console(out, soft_wrap=False)
    if view.detail is Detail.FULL:
        print_all(screen, run)
        print_notes(screen, run, view)
        return
    _print_overview(screen, run, view)
    if view.detail is Detail.PROBLEMS:
        for line in remembered_lines(run):
            hang(screen, Text(), Text(line))
    else:
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
            one_line(console, _entry(verdict, names, verdict.reference.title, f"{MARKS[Status.VALID]} "))
        if overview.valid:
            console.print()
    for verdicts in (overview.accepted, overview.lapsed):
        if verdicts and not quiet:
            _print_accepted(console, verdicts, names)


def _print_names(console: Console, names: dict[str, str]) -> None:
    """Print the full names of files once, if the entries show shorter ones."""
    shortened = [full for full, short in names.items() if full != short]
    for full in shortened:
        console.print(Text(full, "bold"), soft_wrap=True)
    if shortened:
        console.print()


def _print_group(console: Console, group: Group, names: dict[str, str], *, everything: bool) -> None:
    """Print the sentence on a group, and one line for each of its first entries."""
    count = f"{MARKS[group.status]} {len(group.verdicts):,} {group.status.value}  "
    hang(console, Text(count, STYLES[group.status]), Text(group.sentence))
    if len(searched := {verdict.searched for verdict in group.verdicts} - {""}) == 1:
        hang(console, Text("    "), Text(searched.pop(), "dim"))
    few = everything or len(group.verdicts) <= _FEW
    shown = group.verdicts if few else group.verdicts[: _FEW - 1]
    for verdict in shown:
        line = _entry(verdict, names, wording.listing(verdict), "    ")
        if few and group.reason in wording.LEFT_TO_ISSUES:
            hang(console, Text("    "), line[4:])
        else:
            one_line(console, line)
    if more := len(group.verdicts) - len(shown):
        console.print(Text(f"    and {more:,} more; --all lists them", "dim"))
    console.print()


def _print_accepted(console: Console, verdicts: Sequence[Verdict], names: dict[str, str]) -> None:
    """Print one line for every accepted reference: why and when. None is left out, because they do not count."""
    hang(console, Text(), Text(wording.heading(verdicts), "bold"))
    for verdict in verdicts:
        mark = (MARKS[verdict.status], STYLES[verdict.status])
        indent(console, Text.assemble(mark, " ", *where(verdict, names), f"  {wording.listed(verdict)}"))
    console.print()


def _entry(verdict: Verdict, names: dict[str, str], about: str, start: str) -> Text:
    return Text.assemble(start, *where(verdict, names), f"  {about}" if about else "")


def print_problem(console: Console, verdict: Verdict, names: dict[str, str]) -> None:
    """Print the problem with one reference; ``names`` maps files to short names."""
    reference = verdict.reference
    head = f"{MARKS[verdict.status]} {verdict.status.value:<{_WIDTH}}"
    console.print(Text.assemble((head, STYLES[verdict.status]), *where(verdict, names)), soft_wrap=True)
    if reference.title:
        indent(console, Text(reference.title))
    if verdict.status is not Status.VALID:
        indent(console, Text(sentence(verdict), "bold"))
    found = differences(verdict)
    for difference in found:
        name = f" {difference.field}" if len(found) > 1 else ""
        width = len(f"recorded{name}") + 2
        hang(console, Text(f"      {f'cited{name}':<{width}}", "dim"), marked(difference.cited))
        hang(console, Text(f"      {f'recorded{name}':<{width}}", "dim"), marked(difference.recorded))
    told = any(difference.field == "title" for difference in found)
    for number, (label, work) in enumerate(wording.works(verdict)):
        is_cited = (told and not number) or "title" in work.fields_that(Agreement.SAME)
        _print_work(console, label, work.record, Text("" if is_cited else work.record.title))
    if verdict.best_match and not verdict.meant:
        _print_work(console, "the work", verdict.best_match.record, Text(""))
    for said, link in wording.notices(verdict):
        indent(console, Text(said, "bold"))
        whole(console, Text(link, "dim"), 6)
    if how_often := in_words(verdict):
        indent(console, Text(f"{how_often[0].upper()}{how_often[1:]}.", "dim"))
    console.print()


def where(verdict: Verdict, names: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return place and key of an entry, as parts with styles."""
    reference = verdict.reference
    place, key = place_in(reference.place, names), wording.shown_key(reference)
    return ((place, "bold"), (" " if place and key else "", ""), (key, "bold"))


def _print_work(console: Console, label: str, record: Record, title: Text) -> None:
    about = Text(wording.facts(record))
    if title:
        indent(console, Text.assemble((f"{label}: ", "dim"), title))
        indent(console, about, 6)
    else:
        indent(console, Text.assemble((f"{label}: ", "dim"), about))
    if link := wording.record_link(record) or f"{record.source} {record.key}":
        whole(console, Text(link, "dim"), 6)
