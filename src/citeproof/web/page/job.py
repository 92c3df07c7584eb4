"""``GET /jobs/{id}``: a job as a page: what it was taken for, and each verdict, problems first; ``GET /status``."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from citeproof.models import Status
from citeproof.presentation import summary
from citeproof.presentation.looks import MARKS, WORST_FIRST
from citeproof.presentation.overview import place_in
from citeproof.reports.html.entry import entry_of
from citeproof.runtime.jobs import JobState
from citeproof.web.api.jobs import CORRECTED, REPORTS, UNKNOWN
from citeproof.web.jobs.verdicts import run_of
from citeproof.web.page.rendering import render
from citeproof.web.page.search import NEEDS_TOKEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Place, Verdict
    from citeproof.runtime.jobs import Job
    from citeproof.web.backend import Backend

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
LONE = frozenset({"doi", "arxiv_id"})
INTERRUPTED = "The time of a job was over: {} of {} entries were verified."
SAMPLE_RECORDS = 400
"""A database of fewer records is the built-in sample, or no better."""


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter()

    @router.get("/jobs/{job_id}", include_in_schema=False)
    async def job_page(request: Request, job_id: str) -> Response:
        if not request.scope.get("authorized", True):
            return _page(401, heading="Results", error=NEEDS_TOKEN)
        job = await backend.jobs.job(job_id)
        if not job:
            return _page(404, heading="No such results", error=UNKNOWN)
        kept = await asyncio.to_thread(backend.jobs.store.verdicts, job_id)
        values = await asyncio.to_thread(shown, job, kept)
        corrected: str = await asyncio.to_thread(backend.jobs.store.corrected, job_id)
        if corrected:
            values["kinds"].append(CORRECTED)
        return _page(200, **values)

    @router.get("/status", include_in_schema=False)
    async def status() -> Response:
        return HTMLResponse(render("status.html"))

    return router


def _page(status: int, **values: Any) -> Response:
    return HTMLResponse(render("job.html", **{"job": None, "running": False} | values), status)


def shown(job: Job, kept: Sequence[bytes]) -> dict[str, Any]:
    """Return what ``job.html`` shows of ``job`` and its verdicts."""
    run = run_of(job, kept)
    alone = lone_identifier(run.verdicts[0]) if job.header and job.header.taken_for in LONE and run.verdicts else None
    order = {status: place for place, status in enumerate(WORST_FIRST)}
    numbered = sorted(enumerate(run.verdicts, start=1), key=lambda one: (order[one[1].status], one[0]))
    lines = [*summary.basis(run), *run.notes] if job.header else []
    if job.state is JobState.FINISHED and job.header and job.done < job.header.total:
        lines.insert(0, INTERRUPTED.format(job.done, job.header.total))
    return {
        "job": job,
        "running": not job.ended,
        "heading": _heading(job),
        "sum": _sum(job) if not job.ended else alone[1] if alone else summary.counts(run.statistics),
        "alone": alone,
        "reason": job.reason,
        "sample": bool(run.database) and run.database.get("records", 0) < SAMPLE_RECORDS,
        "lines": lines,
        "count": job.done,
        "entries": [
            entry_of(verdict, _place(verdict.reference.place, job.done), f"entry-{number}")
            for number, verdict in numbered
        ],
        "statuses": [(status, MARKS[status], job.by_status.get(status.value, 0)) for status in WORST_FIRST],
        "kinds": list(REPORTS),
    }


def lone_identifier(verdict: Verdict) -> tuple[str, str]:
    """Return the badge and the sentence for a DOI or an arXiv id that was asked alone.

    It claims nothing about a work but that there is one, so its verdict, which compares descriptions, says too little.
    """
    cited = verdict.reference
    name = "DOI" if cited.doi else "arXiv id"
    wanted = (cited.doi or cited.arxiv_id).lower()
    held = any(wanted in {work.record.doi.lower(), work.record.arxiv_id.lower()} for work in verdict.meant)
    if held:
        return "✓ Found", f"The work with this {name} is below."
    return "? Not found", f"No source that was asked has a work with this {name}. It may exist all the same."


def _place(place: Place, entries: int) -> str:
    """Return where an entry stands; of what was pasted the line, where there are several."""
    if place.file:
        return place_in(place, {})
    return f"line {place.line}" if place.line and entries > 1 else ""


def _heading(job: Job) -> str:
    if not job.header:
        return f"{job.name or 'Results'}"
    taken_for = TAKEN_FOR.get(job.header.taken_for, job.header.taken_for)
    return f"{job.name}, taken for {taken_for}" if job.name else f"Taken for {taken_for}"


def _sum(job: Job) -> str:
    if not job.header:
        return "Waiting for a place" if job.state is JobState.WAITING else "Reading the document"
    problems = job.by_status.get(Status.INVALID.value, 0) + job.by_status.get(Status.SUSPICIOUS.value, 0)
    return f"{job.done:,} of {job.header.total:,} verified, {problems:,} with problems so far"
