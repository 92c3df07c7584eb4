"""Progress of a download on standard error: what has arrived, how fast, and the time left."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.net.download import Arrived


@contextmanager
def shown() -> Iterator[Callable[[Arrived], None]]:
    """Yield what a download reports to; only a terminal sees it. The display ends with the last byte."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("fetching"), bars.BarColumn(bar_width=16), bars.DownloadColumn(),
        bars.TransferSpeedColumn(), bars.TimeRemainingColumn(compact=True),
    )  # fmt: skip
    display = bars.Progress(*columns, console=Console(stderr=True), transient=True)
    task = display.add_task("fetching", total=None)

    def update(state: Arrived) -> None:
        display.start()
        display.update(task, completed=state.bytes, total=state.size or None)
        if state.bytes == state.size:
            display.stop()

    try:
        yield update
    finally:
        display.stop()
