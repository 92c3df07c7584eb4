"""The report on a terminal: problems first, then a few lines on undecided entries, then the summary."""

from collections.abc import Sequence
from typing import TextIO

from rich.text import Text

from citeproof.model.findings import Agreement
from citeproof.model.record import Record
from citeproof.model.run import Run
from citeproof.model.verdict import Status, Verdict
from citeproof.report import overview, wording
from citeproof.report.advice import sentence
from citeproof.report.differences import differences
from citeproof.report.formats.table.detail import print_all
from citeproof.report.overview import MARKS, STYLES, USUAL, Detail, Group, Overview, View
from citeproof.report.terminal import Screen, marked, print_notes, print_papers, print_summary
from citeproof.verification.certainty.calibration import in_words

_WIDTH = max(map(len, Status)) + 2
"""Width of the column with the status."""
_FEW = 5
"""Maximum lines of a group without ``-v``. The last line counts the rest."""


def render(run: Run, out: TextIO, view: View = USUAL) -> None:
    """Write ``run`` to ``out``: in colour on a terminal, plain elsewhere."""
    screen = Screen(out)
    if view.detail is Detail.FULL:
        print_all(screen, run)
        print_notes(screen, run, view)
        return
    _print_entries(screen, run, view)
    if view.detail is Detail.PROBLEMS:
        for line in overview.remembered_lines(run):
            screen.hang("", line)
    else:
        print_papers(screen, run, everything=view.everything)
        print_summary(screen, run, view)


def _print_entries(screen: Screen, run: Run, view: View) -> None:
    sections = Overview.of(run.verdicts)
    names = overview.short_names(verdict.reference.file for verdict in run.verdicts)
    quiet = view.detail is Detail.PROBLEMS
    if not quiet and (shortened := [full for full, short in names.items() if full != short]):
        for full in shortened:
            screen.whole((full, "bold"))
        screen.print()
    for verdict in sections.problems:
        _print_problem(screen, verdict, names)
    for group in sections.groups:
        if not quiet or group.status is Status.ERROR or group.status in view.failing:
            _print_group(screen, group, names, everything=view.everything)
    if view.everything and sections.valid:
        for verdict in sections.valid:
            screen.shortened(_entry(verdict, names, verdict.reference.title, f"{MARKS[Status.VALID]} "))
        screen.print()
    for verdicts in (sections.accepted, sections.lapsed):
        if verdicts and not quiet:
            _print_accepted(screen, verdicts, names)


def _print_group(screen: Screen, group: Group, names: dict[str, str], *, everything: bool) -> None:
    """Print the sentence on a group, and one line for each of its first entries."""
    count = f"{MARKS[group.status]} {len(group.verdicts):,} {group.status.value}  "
    screen.hang((count, STYLES[group.status]), group.sentence)
    if len(searched := {verdict.searched for verdict in group.verdicts} - {""}) == 1:
        screen.hang("    ", (searched.pop(), "dim"))
    few = everything or len(group.verdicts) <= _FEW
    shown = group.verdicts if few else group.verdicts[: _FEW - 1]
    for verdict in shown:
        line = _entry(verdict, names, wording.listing(verdict), "    ")
        if few and group.reason in wording.LEFT_TO_ISSUES:
            screen.hang("    ", line[4:])
        else:
            screen.shortened(line)
    if more := len(group.verdicts) - len(shown):
        screen.print(Text(f"    and {more:,} more; --all lists them", "dim"))
    screen.print()


def _print_accepted(screen: Screen, verdicts: Sequence[Verdict], names: dict[str, str]) -> None:
    """Print one line for every accepted reference, with reason and date. All are listed, because they do not count."""
    screen.hang("", (wording.heading(verdicts), "bold"))
    for verdict in verdicts:
        mark = (MARKS[verdict.status], STYLES[verdict.status])
        screen.indent(mark, " ", *_where(verdict, names), f"  {wording.listed(verdict)}")
    screen.print()


def _entry(verdict: Verdict, names: dict[str, str], about: str, start: str) -> Text:
    return Text.assemble(start, *_where(verdict, names), f"  {about}" if about else "")


def _print_problem(screen: Screen, verdict: Verdict, names: dict[str, str]) -> None:
    """Print the problem with one reference. ``names`` has short names of files."""
    head = f"{MARKS[verdict.status]} {verdict.status.value:<{_WIDTH}}"
    screen.whole((head, STYLES[verdict.status]), *_where(verdict, names))
    if verdict.reference.title:
        screen.indent(verdict.reference.title)
    if verdict.status is not Status.VALID:
        screen.indent((sentence(verdict), "bold"))
    found = differences(verdict)
    for difference in found:
        name = f" {difference.field}" if len(found) > 1 else ""
        width = len(f"recorded{name}") + 2
        screen.hang((f"      {f'cited{name}':<{width}}", "dim"), marked(difference.cited))
        screen.hang((f"      {f'recorded{name}':<{width}}", "dim"), marked(difference.recorded))
    told = any(difference.field == "title" for difference in found)
    for number, (label, work) in enumerate(wording.works(verdict)):
        is_cited = (told and not number) or "title" in work.fields_that(Agreement.SAME)
        _print_work(screen, label, work.record, "" if is_cited else work.record.title)
    if verdict.best_match and not verdict.meant:
        _print_work(screen, "the work", verdict.best_match.record)
    for said, link in wording.notices(verdict):
        screen.indent((said, "bold"))
        screen.whole(" " * 6, (link, "dim"))
    if how_often := in_words(verdict):
        screen.indent((f"{how_often[0].upper()}{how_often[1:]}.", "dim"))
    screen.print()


def _where(verdict: Verdict, names: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return place and key of an entry as parts with styles."""
    place, key = overview.place_in(verdict.reference.place, names), wording.shown_key(verdict.reference)
    return ((place, "bold"), (" " if place and key else "", ""), (key, "bold"))


def _print_work(screen: Screen, label: str, record: Record, title: str = "") -> None:
    screen.indent((f"{label}: ", "dim"), title or wording.facts(record))
    if title:
        screen.indent(wording.facts(record), by=6)
    if link := wording.record_link(record) or f"{record.source} {record.key}":
        screen.whole(" " * 6, (link, "dim"))
