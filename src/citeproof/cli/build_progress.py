"""Progress of a build on standard error: what has been read, then what has been indexed, each with the time left."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.bibdb.build import Progress


BAR_COLUMNS = 16


@contextmanager
def shown() -> Iterator[Callable[[Progress], None]]:
    """Yield what a build reports to; only a terminal sees it."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich import progress as bars
    from rich.console import Console
    from rich.table import Column

    columns = (
        bars.TextColumn("{task.description:<8}"),
        bars.BarColumn(bar_width=BAR_COLUMNS),
        bars.TextColumn("{task.fields[detail]}", table_column=Column(no_wrap=True)),
        bars.TimeRemainingColumn(compact=True),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as display:
        reading = display.add_task("reading", total=None, detail="")
        indexing = display.add_task("indexing", total=1.0, detail="", visible=False)

        def update(state: Progress) -> None:
            display.update(reading, completed=state.read, total=state.size or None, detail=_read(state))
            if state.stage == "indexing":
                display.update(indexing, completed=state.indexed, detail=state.step, visible=True)

        yield update


def _read(state: Progress) -> str:
    """Return how much has been read; it fits beside the bar on 80 columns."""
    rate = state.records / state.seconds if state.seconds and state.stage == "reading" else 0.0
    amount = f"{state.read / 1e6:,.0f}/{state.size / 1e6:,.0f} MB, {state.records:,} records"
    return f"{amount}, {rate:,.0f}/s" if rate else amount
