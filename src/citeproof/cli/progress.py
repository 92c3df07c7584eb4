"""Progress on standard error: done of all, by status, time left. Only a terminal sees it."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from citeproof.models import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.models import Verdict


@contextmanager
def progress_bar() -> Iterator[Callable[[Verdict, int], None] | None]:
    """Yield what shows each verdict as it comes, with the number of all entries; None where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("")
        counts = Counter[Status]()

        def show(verdict: Verdict, total: int) -> None:
            counts[verdict.status] += 1
            tally = "  ".join(f"{counts[status]} {status.lower()}" for status in Status if counts[status])
            progress.update(task, total=total, advance=1, description=tally)

        yield show
