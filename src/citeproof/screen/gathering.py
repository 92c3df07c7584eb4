"""The last stage: tables, signals and overview from what was read and checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.models import Status
from citeproof.screen.overview import write_overview
from citeproof.screen.results import Results

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from citeproof.screen.store import ScreeningStore

NO_TABLES = (
    "The Parquet tables were not written, because pyarrow is missing: pip install '.[bulk]', and run this again."
)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a screening comes to, in a few numbers."""

    papers: int
    unread: int
    """Papers of which nothing could be read."""
    distinct: int
    by_status: Mapping[str, int]
    """Entries by status, each place counted."""
    signals: Mapping[str, int]
    """How many of each kind were found."""
    notes: tuple[str, ...] = ()


def gather(store: ScreeningStore, folder: Path, notes: tuple[str, ...] = ()) -> Summary:
    """Write what is shown of a screening into ``folder``; files of an earlier run are replaced one by one.

    Raises :class:`BuildError` when the folder cannot be written to.
    """
    results = Results(store)
    try:
        from citeproof.screen.tables import write_tables
    except ImportError:
        notes = (*notes, NO_TABLES)
    else:
        write_tables(results, folder)
    write_overview(results, folder, notes)
    return summed(results, notes)


def summed(results: Results, notes: tuple[str, ...] = ()) -> Summary:
    """Return ``results`` in a few numbers."""
    papers = unread = 0
    by_status = dict.fromkeys((status.value for status in Status), 0)
    for paper in results.papers():
        papers += 1
        unread += bool(paper.trouble)
        for status, count in paper.by_status.items():
            by_status[status] += count
    signals = {kind.NAME: len(found) for kind, found in results.signals}
    return Summary(papers, unread, results.distinct, by_status, signals, notes)
