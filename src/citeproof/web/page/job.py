"""``GET /jobs/{id}``: a job as a page: what it was taken for, and its verdicts, problems first; ``GET /status``.

A page has at most :data:`ENTRIES` verdicts, so that looking at a job costs as much however long it is.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from citeproof.models import Status
from citeproof.presentation import summary
from citeproof.presentation.looks import MARKS, WORST_FIRST
from citeproof.presentation.overview import place_in
from citeproof.reports.html.entry import entry_of
from citeproof.results import Statistics
from citeproof.runtime.jobs import JobState
from citeproof.web.api.jobs import CORRECTED, REPORTS, UNKNOWN
from citeproof.web.jobs.verdicts import BEGINNING, run_of, status_of
from citeproof.web.page.asked import silence, sources_asked
from citeproof.web.page.rendering import render
from citeproof.web.page.search import NEEDS_TOKEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from citeproof.models import Place, Verdict
    from citeproof.runtime.jobs import Job, JobStore
    from citeproof.web.backend import Backend

ENTRIES = 50
"""Verdicts of one page."""
TAKEN_FOR = {
    "title": "a title",
    "titles": "titles, one a line",
    "doi": "a DOI",
    "arxiv_id": "an arXiv id",
    "reference": "a reference",
    "text": "a list of references",
    "bibtex": "BibTeX",
    "latex": "LaTeX",
    "pdf": "a paper as PDF",
    "ris": "RIS",
    "csl-json": "CSL-JSON",
    "json-list": "references in JSON",
    "archive": "an archive of papers",
}
"""What a document may be taken for, in words; another format is called by its name."""
DOWNLOADS = {"markdown": "Markdown", "jsonl": "JSON lines"}
"""Names of reports for people, where they are not the capitals of their kind."""
LONE = frozenset({"doi", "arxiv_id"})
INTERRUPTED = "The time of a job was over: {} of {} entries were verified."
SAMPLE_RECORDS = 400
"""A database of fewer records is the built-in sample, or no better."""


@dataclass(frozen=True, slots=True)
class View:
    """Which verdicts of a job are shown: those of one status or all, a page of them, problems first."""

    status: str = ""
    """Empty for all."""
    page: int = 1
    pages: int = 1
    found: int = 0
    """How many there are on all pages."""
    positions: tuple[int, ...] = ()
    """Where those of the page stand in the document, from 0."""

    @classmethod
    def of(cls, statuses: Sequence[Status], wanted: str, page: str) -> View:
        """Choose from the ``statuses`` of all verdicts; a page that is not there is the nearest that is."""
        chosen = wanted if wanted in {status.value for status in statuses} else ""
        found = [place for place, status in enumerate(statuses) if chosen in {"", status.value}]
        found.sort(key=lambda place: WORST_FIRST.index(statuses[place]))
        pages = max(1, -(-len(found) // ENTRIES))
        number = min(max(1, int(page)), pages) if page.isascii() and page.isdecimal() and len(page) < 10 else 1
        return cls(chosen, number, pages, len(found), tuple(found[(number - 1) * ENTRIES : number * ENTRIES]))

    def link(self, status: str, page: int = 1) -> str:
        """Return the address of another part of the same job."""
        asked = ({"show": status} if status else {}) | ({"page": str(page)} if page > 1 else {})
        return f"?{urlencode(asked)}" if asked else "?"


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter()

    @router.get("/jobs/{job_id}", include_in_schema=False)
    async def job_page(request: Request, job_id: str, show: str = "", page: str = "1") -> Response:
        if not request.scope.get("authorized", True):
            return _page(401, heading="Results", error=NEEDS_TOKEN)
        job = await backend.jobs.job(job_id)
        if not job:
            return _page(404, heading="No such results", error=UNKNOWN)
        return _page(200, **await asyncio.to_thread(_read, backend.jobs.store, job, show, page))

    @router.get("/status", include_in_schema=False)
    async def status() -> Response:
        return HTMLResponse(render("status.html"))

    return router


def _page(status: int, **values: Any) -> Response:
    return HTMLResponse(render("job.html", **{"job": None, "running": False} | values), status)


def _read(store: JobStore, job: Job, show: str, page: str) -> dict[str, Any]:
    """Return what is shown of one page of ``job``."""
    view = View.of(list(map(status_of, store.beginnings(job.job_id, BEGINNING))), show, page)
    values = shown(job, view, store.verdicts_at(job.job_id, view.positions))
    corrected = [("Corrected .bib", CORRECTED)] if store.corrected(job.job_id) else []
    return values | {"downloads": [*corrected, *((DOWNLOADS.get(kind, kind.upper()), kind) for kind in REPORTS)]}


def shown(job: Job, view: View, kept: Sequence[bytes]) -> dict[str, Any]:
    """Return what ``job.html`` shows of ``job``, with the verdicts ``kept`` that ``view`` names."""
    run = run_of(job, kept)
    alone = (
        lone_identifier(run.verdicts[0], run.database)
        if job.header and job.header.taken_for in LONE and run.verdicts
        else None
    )
    whole = replace(Statistics.of((), job.seconds), entries=job.done, by_status=Counter(job.by_status))
    lines = [next(summary.basis(run))] if job.header else []
    total = job.header.total if job.header else None
    if job.state is JobState.FINISHED and total is not None and job.done < total:
        lines.insert(0, INTERRUPTED.format(job.done, total))
    return {
        "job": job,
        "running": not job.ended,
        "heading": _heading(job),
        "sum": _sum(job) if not job.ended else alone[1] if alone else _counts(job, whole),
        "alone": alone,
        "reason": job.reason,
        "sample": bool(run.database) and run.database.get("records", 0) < SAMPLE_RECORDS,
        "lines": lines,
        "notes": run.notes,
        "count": job.done,
        "view": view,
        "entries": [
            (entry_of(verdict, _place(verdict.reference.place, job.done), f"entry-{position + 1}"), silence(verdict))
            for position, verdict in zip(view.positions, run.verdicts, strict=False)
        ],
        "first": (view.page - 1) * ENTRIES + 1,
        "statuses": [(status, MARKS[status], job.by_status.get(status.value, 0)) for status in WORST_FIRST],
    }


def lone_identifier(verdict: Verdict, database: Mapping[str, Any]) -> tuple[str, str]:
    """Return the badge and the sentence for a DOI or an arXiv id that was asked alone.

    It claims nothing about a work but that there is one, so its verdict, which compares descriptions, says too little.
    """
    cited = verdict.reference
    name = "DOI" if cited.doi else "arXiv id"
    wanted = (cited.doi or cited.arxiv_id).lower()
    held = any(wanted in {work.record.doi.lower(), work.record.arxiv_id.lower()} for work in verdict.meant)
    if held:
        return "✓ Found", f"The work with this {name} is below."
    asked = sources_asked(database)
    said = f"No source that was asked has a work with this {name}{f': {asked}' if asked else ''}."
    return "? Not found", f"{said} It may exist all the same."


def _place(place: Place, entries: int) -> str:
    """Return where an entry stands; of what was pasted, where there are several."""
    return place_in(place, {}) if place.file or entries > 1 else ""


def _heading(job: Job) -> str:
    if not job.header:
        return f"{job.name or 'Results'}"
    taken_for = TAKEN_FOR.get(job.header.taken_for, job.header.taken_for)
    return f"{job.name}, taken for {taken_for}" if job.name else f"Taken for {taken_for}"


def _counts(job: Job, whole: Statistics) -> str:
    """Return the sum of a job that has ended; of one that has failed before its first verdict, that it has."""
    return "This document was not verified." if job.state is JobState.FAILED and not job.done else summary.counts(whole)


def _sum(job: Job) -> str:
    if not job.header:
        return "Waiting for its turn" if job.state is JobState.WAITING else "Reading the document"
    problems = job.by_status.get(Status.INVALID.value, 0) + job.by_status.get(Status.SUSPICIOUS.value, 0)
    of_all = "" if job.header.total is None else f" of {job.header.total:,}"
    return f"{job.done:,}{of_all} verified, {problems:,} with problems so far"
