"""Progress of a build on standard error: bytes read of the whole, records, records a second, time left."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.bibdb.build import Progress


@contextmanager
def shown() -> Iterator[Callable[[Progress], None]]:
    """Yield what a build reports to; only a terminal sees it."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.DownloadColumn(),
        bars.TextColumn("{task.fields[records]:,} records, {task.fields[rate]:,.0f}/s"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("reading", total=None, records=0, rate=0.0)

        def update(state: Progress) -> None:
            rate = state.records / state.seconds if state.seconds else 0.0
            display.update(
                task, description=state.stage, completed=state.read, total=state.size, records=state.records, rate=rate
            )

        yield update
