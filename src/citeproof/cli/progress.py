"""Progress on standard error: done of all, by status, time left. Only a terminal sees it."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from citeproof.models import Status
from citeproof.presentation.looks import MARKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.models import Verdict

WORDS_FROM = 120
"""Columns from which on there is room for the names of the statuses; below that their marks stand for them."""


@contextmanager
def progress_bar() -> Iterator[Callable[[Verdict, int], None] | None]:
    """Yield what shows each verdict as it comes, with the number of all entries; None where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    console = Console(stderr=True)
    columns = (
        MofNCompleteColumn(table_column=Column(no_wrap=True)),
        TextColumn("{task.description}"),
        BarColumn(bar_width=10 if console.width < WORDS_FROM else 40),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("")
        counts = Counter[Status]()

        def show(verdict: Verdict, total: int) -> None:
            counts[verdict.status] += 1
            progress.update(task, total=total, advance=1, description=_tally(counts, console.width))

        yield show


def _tally(counts: Counter[Status], width: int) -> str:
    names = {status: status.lower() if width >= WORDS_FROM else MARKS[status] for status in Status}
    return "  ".join(f"{counts[status]} {names[status]}" for status in Status if counts[status])
