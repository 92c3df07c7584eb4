"""One problem on a terminal: what to do, what differs, and which work is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from citeproof.models import Agreement, Status
from citeproof.presentation.differences import differences
from citeproof.presentation.looks import MARKS, STYLES
from citeproof.presentation.overview import NOTICES, place_in
from citeproof.presentation.works import facts, works
from citeproof.reports.table.lines import hang, indent, marked, whole
from citeproof.validation.advice import sentence
from citeproof.validation.calibration import says_something
from citeproof.wording import notice_link, record_link, shown_key

if TYPE_CHECKING:
    from rich.console import Console

    from citeproof.models import NearestWork, Record, Verdict

_WIDTH = max(map(len, Status)) + 2
"""Columns of a status."""


def print_problem(console: Console, verdict: Verdict, names: dict[str, str]) -> None:
    """Print what is wrong with one reference; ``names`` are the short names of files."""
    reference = verdict.reference
    _print_head(console, verdict, names)
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
    for number, (label, work) in enumerate(works(verdict)):
        _print_work(console, label, work.record, Text("" if told and not number else _other_title(work)))
    if verdict.best_match and not verdict.meant:
        _print_work(console, "the work", verdict.best_match.record, Text(""))
    for flag in verdict.flags:
        if flag in NOTICES:
            indent(console, Text(NOTICES[flag], "bold"))
            whole(console, Text(notice_link(verdict, flag), "dim"), 6)
    console.print()


def _print_head(console: Console, verdict: Verdict, names: dict[str, str]) -> None:
    """Print mark, status, place, key, and how sure the status is where that says something."""
    status = verdict.status
    line = Text.assemble((f"{MARKS[status]} {status.value:<{_WIDTH}}", STYLES[status]), *where(verdict, names))
    sure = f"{verdict.confidence:.0%} sure" if says_something(verdict) else ""
    fits = line.cell_len + len(sure) + 2 <= console.width
    console.print(Text.assemble(line, (f"  {sure}" if sure and fits else "", "dim")), soft_wrap=True)
    if not fits:
        console.print(Text(f"    {sure}", "dim"))


def where(verdict: Verdict, names: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return place and key of an entry, in parts with their styles."""
    reference = verdict.reference
    place, key = place_in(reference.place, names), shown_key(reference)
    return ((place, "bold"), (" " if place and key else "", ""), (key, "bold"))


def _other_title(work: NearestWork) -> str:
    """Return the title of a work, or nothing where it is the cited one."""
    title = next((field for field in work.fields if field.field == "title"), None)
    return "" if title and title.agreement is Agreement.SAME else work.record.title


def _print_work(console: Console, label: str, record: Record, title: Text) -> None:
    about = Text(facts(record))
    if title:
        indent(console, Text.assemble((f"{label}: ", "dim"), title))
        indent(console, about, 6)
    else:
        indent(console, Text.assemble((f"{label}: ", "dim"), about))
    if link := record_link(record) or f"{record.source} {record.key}":
        whole(console, Text(link, "dim"), 6)
