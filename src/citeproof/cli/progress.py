"""Progress bars, which are shown if standard error is a terminal, and rounded sizes, numbers and
durations for users.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from citeproof.cli.output import say
from citeproof.model.quantity import quantity
from citeproof.model.verdict import Status, Verdict
from citeproof.report.overview import MARKS

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from citeproof.database.building.progress import Progress as Build

WORDS_FROM = 120
"""Minimum number of columns of a terminal that shows the names of statuses, such as ``valid``.

Narrower terminals show symbols.
"""
BAR_COLUMNS = 16
QUIET_SECONDS = 20
"""Minimum seconds between two messages that say which document is being read, if there is no
terminal.
"""


@contextmanager
def _bars(
    columns: Callable[[Any, int], Sequence[Any]], *, started: bool = True
) -> Iterator[Bars | None]:
    """Context manager with a progress bar of the library rich, or None without a terminal.

    ``columns`` is a function that takes the module ``rich.progress`` and the width of the terminal,
    and returns the parts of the bar.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    display = progress.Progress(*columns(progress, console.width), console=console, transient=True)
    if started:
        display.start()
    try:
        yield display
    finally:
        display.stop()


class Reading:
    """Shows which document is being read: in the progress bar of :func:`checking` or, without a
    terminal, in messages on standard error.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.said = ""
        self._clock = clock
        self._last = clock()

    def __call__(self, name: str) -> None:
        """Say that the document ``name`` is read now."""
        self.said = f"reading {name}"
        if not sys.stderr.isatty() and self._clock() - self._last >= QUIET_SECONDS:
            say(self.said)
            self._last = self._clock()


@contextmanager
def checking(reading: Reading) -> Iterator[Callable[[Verdict, int], None] | None]:
    """Context manager with a callback that shows progress: ``callback(verdict, total)``. None
    without a terminal. Before the first verdict, the bar shows the text of ``reading``.
    """
    columns = lambda rich, width: (  # noqa: E731
        rich.MofNCompleteColumn(table_column=rich.Column(no_wrap=True)),
        rich.TextColumn("{task.description}{task.fields[reading].said}", markup=False),
        rich.BarColumn(bar_width=10 if width < WORDS_FROM else 40),
        rich.TimeRemainingColumn(compact=True),
    )
    with _bars(columns) as bars:
        if bars is None:
            yield None
            return
        task = bars.add_task("", total=None, reading=reading)
        counts = Counter[Status]()

        def show(verdict: Verdict, total: int) -> None:
            counts[verdict.status] += 1
            names = {
                one: one.lower() if bars.console.width >= WORDS_FROM else MARKS[one]
                for one in Status
            }
            tally = "  ".join(f"{counts[one]} {names[one]}" for one in Status if counts[one])
            bars.update(task, total=total, advance=1, description=tally, reading=Reading())

        yield show


@contextmanager
def stages() -> Iterator[tuple[Callable[[str, int], None], Callable[[int], None]]]:
    """Context manager with two callbacks that show a bar per stage: ``begin(stage, total)`` and
    ``advance(count)``.
    """
    columns = lambda rich, _: (  # noqa: E731
        rich.TextColumn("{task.description:8}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TimeRemainingColumn(),
    )
    with _bars(columns) as bars:
        if bars is None:
            yield (lambda _stage, _total: None), (lambda _count: None)
            return
        tasks = []

        def begin(stage: str, total: int) -> None:
            tasks.append(bars.add_task(stage, total=total))

        yield begin, lambda count: bars.advance(tasks[-1], count)


@contextmanager
def building() -> Iterator[Callable[[Build], None]]:
    """Context manager with a callback that shows the progress of building a database: reading, then
    indexing.
    """
    columns = lambda rich, _: (  # noqa: E731
        rich.TextColumn("{task.description:<8}"),
        rich.BarColumn(bar_width=BAR_COLUMNS),
        rich.TextColumn("{task.fields[detail]}", table_column=rich.Column(no_wrap=True)),
        rich.TimeRemainingColumn(compact=True),
    )
    with _bars(columns) as bars:
        if bars is None:
            yield lambda _: None
            return
        reading = bars.add_task("reading", total=None, detail="")
        indexing = bars.add_task("indexing", total=1.0, detail="", visible=False)

        def update(state: Build) -> None:
            # this text is short enough for a bar in 80 columns
            detail = (
                f"{state.read / 1e6:,.0f}/{state.size / 1e6:,.0f} MB, {state.records:,} records"
            )
            if state.records and state.seconds and state.stage == "reading":
                detail += f", {state.records / state.seconds:,.0f}/s"
            bars.update(reading, completed=state.read, total=state.size or None, detail=detail)
            if state.stage == "indexing":
                bars.update(indexing, completed=state.indexed, detail=state.step, visible=True)

        yield update


@contextmanager
def fetching() -> Iterator[Callable[[int, int], None]]:
    """Context manager with a callback that shows a download: ``callback(received_bytes,
    total_bytes)``.
    """
    columns = lambda rich, _: (  # noqa: E731
        rich.TextColumn("fetching"),
        rich.BarColumn(bar_width=BAR_COLUMNS),
        rich.DownloadColumn(),
        rich.TransferSpeedColumn(),
        rich.TimeRemainingColumn(compact=True),
    )
    with _bars(columns, started=False) as bars:
        if bars is None:
            yield lambda *_: None
            return
        task = bars.add_task("fetching", total=None)

        def update(arrived: int, size: int) -> None:
            bars.start()
            bars.update(task, completed=arrived, total=size or None)
            if arrived == size:
                bars.stop()

        yield update


def size(count: int) -> str:
    """Return a number of bytes as text: ``65 MB``, ``1.1 GB``, ``330 GB``."""
    for unit, one in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= one:
            return f"{count / one:,.{int(count < 10 * one)}f} {unit}"
    return f"{count} bytes"


def count(number: int) -> str:
    """Return a number as text: ``65,000``, ``8.2 million``."""
    return (
        f"{number / 10**6:,.{int(number < 10**7)}f} million" if number >= 10**6 else f"{number:,}"
    )


def duration(seconds: float) -> str:
    """Return a number of seconds as text: ``less than a minute``, ``5 minutes``, ``9 hours``."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    if minutes < 120:
        return quantity(minutes, "minute")
    return f"{minutes / 60:,.0f} hours"
