"""The overview of a screening: one HTML page that stands by itself."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader

from citeproof.models import Status
from citeproof.storage.replacement import replacing
from citeproof.validation.codes import REASONS

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from citeproof.screen.results import Results

FILE = "overview.html"
MOST_PAPERS = 200
"""So many papers are listed, those that matter most first."""
MOST_SIGNALS = 25
"""So many signals of a kind."""
MOST_NAMES = 8
"""So many papers of one signal."""


def write_overview(results: Results, folder: Path, notes: tuple[str, ...] = ()) -> None:
    """Write the page into ``folder``, in place of the one before when it is complete.

    Raises :class:`BuildError` when the folder cannot be written to.
    """
    papers = list(results.papers())
    by_status = {status.value: sum(paper.by_status[status] for paper in papers) for status in Status}
    environment = Environment(loader=PackageLoader("citeproof.screen", "."), autoescape=True, trim_blocks=True)
    page = environment.get_template(FILE).render(
        papers=len(papers),
        unread=[paper for paper in papers if paper.trouble],
        ranked=nsmallest(MOST_PAPERS, (paper for paper in papers if paper.entries), key=lambda paper: paper.rank),
        entries=sum(by_status.values()),
        distinct=results.distinct,
        by_status=by_status,
        reasons=[(reason, REASONS[reason].meaning, count) for reason, count in results.by_reason.items()],
        signals=[_kind(results, kind, found) for kind, found in results.signals],
        notes=notes,
        database=results.store.kept("database"),
    )
    with replacing(folder / FILE) as building:
        building.write_text(page, "utf-8", "replace")


def _kind(results: Results, kind: Any, found: list[Any]) -> dict[str, Any]:
    shown = [
        {
            "said": signal.said,
            "papers": [results.corpus.paper_name(paper) for paper in signal.papers[:MOST_NAMES]],
            "more": max(0, len(signal.papers) - MOST_NAMES),
        }
        for signal in found[:MOST_SIGNALS]
    ]
    return {"name": kind.NAME.replace("_", " "), "meaning": kind.MEANING, "count": len(found), "shown": shown}
