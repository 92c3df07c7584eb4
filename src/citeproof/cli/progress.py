"""Progress on standard error: done of all, by status, time left. Only a terminal sees it."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from citeproof.models import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citeproof.models import Verdict


def shown(verdicts: Iterable[Verdict], total: int) -> Iterator[Verdict]:
    """Yield ``verdicts`` and show how far they are of ``total``."""
    if not sys.stderr.isatty():
        yield from verdicts
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        counts = Counter[Status]()
        for verdict in verdicts:
            counts[verdict.status] += 1
            tally = "  ".join(f"{counts[status]} {status.lower()}" for status in Status if counts[status])
            progress.update(task, advance=1, description=tally)
            yield verdict
