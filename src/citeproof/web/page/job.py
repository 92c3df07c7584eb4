"""The HTML page ``/jobs/{id}``, which shows the verdicts of a verification job, and the page
``/status``.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from citeproof.model.run import Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.report.formats.html import entry_of
from citeproof.report.misses import miss_lines
from citeproof.report.overview import MARKS, WORST_FIRST, basis_lines, place_in, sum_line
from citeproof.report.pictures import status_bar
from citeproof.store.runtime.jobs import Job, JobState, JobStore
from citeproof.web.api.jobs import CORRECTED, REPORTS, UNKNOWN
from citeproof.web.backend import Backend
from citeproof.web.jobs.verdicts import BEGINNING, kind_of, run_of
from citeproof.web.page.rendering import render
from citeproof.web.page.search import NEEDS_TOKEN, silence, sources_asked

_ENTRIES = 50  # maximum number of verdicts on one page
_TAKEN_FOR = {
    "title": "a title",
    "titles": "titles, one per line",
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
}  # map from the kind of a document to its name for users; other kinds are shown unchanged
# labels of report formats; the names of other formats are shown in capitals
_DOWNLOADS = {"markdown": "Markdown", "jsonl": "JSON lines"}
# kinds of documents that consist of a single identifier, such as a DOI
_LONE = frozenset({"doi", "arxiv_id"})
# kinds of text that may be titles or references
_RUNNING_TEXT = frozenset({"reference", "text", "title", "titles"})
FOUND = "✓ Found"


@dataclass(frozen=True, slots=True)
class View:
    """One page of a list of verdicts, problems first. The list has all verdicts of a job, or only
    those with one status.
    """

    status: str  # the selected status; empty for all
    page: int
    pages: int
    found: int  # number of verdicts with the selected status, on all pages
    positions: tuple[int, ...]  # positions in the document, from 0, of the verdicts on the page

    @classmethod
    def of(cls, kinds: Sequence[tuple[Status, str]], wanted: str, page: str) -> Self:
        """Return a page of the verdicts with the status ``wanted``, or of all verdicts if no
        verdict has this status.

        ``kinds`` has the status and the reason of each verdict of the job. Undecided verdicts are
        grouped by reason. ``page`` is the number of the page as text. If it is not a number, the
        first page is returned.
        """
        chosen = wanted if wanted in {status.value for status, _ in kinds} else ""
        order = [
            (
                WORST_FIRST.index(status),
                reason if status in {Status.UNVERIFIED, Status.ERROR} else "",
            )
            for status, reason in kinds
        ]
        found = [place for place, (status, _) in enumerate(kinds) if chosen in {"", status.value}]
        found.sort(key=order.__getitem__)
        pages = max(1, -(-len(found) // _ENTRIES))
        number = (
            min(max(1, int(page)), pages)
            if page.isascii() and page.isdecimal() and len(page) < 10
            else 1
        )
        return cls(
            chosen,
            number,
            pages,
            len(found),
            tuple(found[(number - 1) * _ENTRIES : number * _ENTRIES]),
        )

    def link(self, status: str, page: int = 1) -> str:
        """Return the relative URL of a page of the verdicts with ``status``:
        ``?show=INVALID&page=2``.
        """
        return "?" + urlencode(
            ({"show": status} if status else {}) | ({"page": str(page)} if page > 1 else {})
        )


def add_routes(router: APIRouter, backend: Backend) -> None:
    """Add the HTTP routes ``/jobs/{id}`` and ``/status`` to ``router``."""

    @router.get("/jobs/{job_id}", include_in_schema=False)
    async def job_page(request: Request, job_id: str, show: str = "", page: str = "1") -> Response:
        if not request.scope.get("authorized", True):
            return _page(401, heading="Results", error=NEEDS_TOKEN)
        if not (job := await asyncio.to_thread(backend.jobs.store.job, job_id)):
            return _page(404, heading="No such results", error=UNKNOWN)
        return _page(200, **await asyncio.to_thread(_shown, backend.jobs.store, job, show, page))

    @router.get("/status", include_in_schema=False)
    async def status() -> Response:
        return HTMLResponse(render("status.html"))


def _page(status: int, **values: Any) -> Response:
    return HTMLResponse(render("job.html", **{"job": None, "running": False} | values), status)


def _shown(store: JobStore, job: Job, show: str, page: str) -> dict[str, Any]:
    view = View.of(list(map(kind_of, store.beginnings(job.job_id, BEGINNING))), show, page)
    run = run_of(job, store.verdicts_at(job.job_id, view.positions))
    corrected = [("Corrected .bib", CORRECTED)] if store.corrected(job.job_id) else []
    alone = (
        lone_identifier(run.verdicts[0], run.database)
        if job.taken_for in _LONE and run.verdicts
        else None
    )
    lines = (
        [next(basis_lines(run)), *(miss_lines(run) if job.done == len(run.verdicts) else ())]
        if job.begun
        else []
    )
    if job.state is JobState.FINISHED and job.total is not None and job.done < job.total:
        lines.insert(
            0, f"The job reached its time limit: {job.done} of {job.total} entries were verified."
        )
    return {
        "job": job,
        "running": not job.ended,
        "heading": _heading(job),
        "sum": _sum(job) if not job.ended else alone[1] if alone else _counts(job, run.verdicts),
        "alone": alone,
        "sample": run.database.get("path") == "sample.db",
        "bar": status_bar(job.by_status, 0 if job.ended else job.total or 0),
        "lines": lines,
        "view": view,
        "entries": [
            (
                # An entry in pasted text has a position only if there are several entries.
                entry_of(
                    verdict,
                    (
                        place_in(verdict.reference.place, {})
                        if verdict.reference.place.file or job.done > 1
                        else ""
                    ),
                    f"entry-{position + 1}",
                ),
                silence(verdict),
                alone[0] if alone else FOUND if is_found(verdict) else "",
                f"/api/jobs/{job.job_id}/cases/{position}" if verdict.is_flagged else "",
            )
            for position, verdict in zip(view.positions, run.verdicts, strict=False)
        ],
        "first": (view.page - 1) * _ENTRIES + 1,
        "only_a_title": (
            "A work has this title. Nothing else is cited, so nothing else was compared."
        ),
        "other": _as_titles(job, run.verdicts),
        "statuses": [
            (status, MARKS[status], job.by_status.get(status.value, 0)) for status in WORST_FIRST
        ],
        "downloads": [
            *corrected,
            *((_DOWNLOADS.get(kind, kind.upper()), kind) for kind in REPORTS),
        ],
    }


def lone_identifier(verdict: Verdict, database: Mapping[str, Any]) -> tuple[str, str]:
    """Return two texts, a label and a sentence, that say whether a work with the cited DOI or arXiv
    id was found.

    ``database`` describes the database.
    """
    cited = verdict.reference
    name = "DOI" if cited.doi else "arXiv id"
    wanted = (cited.doi or cited.arxiv_id).lower()
    if any(
        wanted in {work.record.doi.lower(), work.record.arxiv_id.lower()} for work in verdict.meant
    ):
        return FOUND, f"The work with this {name} is below."
    asked = sources_asked(database)
    said = f"No source that was asked has a work with this {name}{f': {asked}' if asked else ''}."
    return "? Not found", f"{said} It may still exist."


def is_found(verdict: Verdict) -> bool:
    """Return whether the reference is VALID and has only a title.

    The page then says that the title was found.
    """
    cited = verdict.reference
    described = cited.authors or cited.venue or cited.year or cited.doi or cited.arxiv_id
    return verdict.is_valid and not described


def _as_titles(job: Job, verdicts: Sequence[Verdict]) -> str:
    """Return the references of a job as text, one per line, for a form that looks them up as
    titles.

    Empty unless the document was pasted text.
    """
    if job.name or not job.ended or job.taken_for not in _RUNNING_TEXT or len(verdicts) != job.done:
        return ""
    return "\n".join(" ".join(verdict.reference.raw.split()) for verdict in verdicts)


def _heading(job: Job) -> str:
    if not job.begun:
        return job.name or "Results"
    one = job.taken_for == "text" and job.total == 1
    taken_for = _TAKEN_FOR.get("reference" if one else job.taken_for, job.taken_for)
    return f"{job.name}, read as {taken_for}" if job.name else f"Read as {taken_for}"


def _counts(job: Job, shown: Sequence[Verdict]) -> str:
    """Return a sentence with the numbers of verdicts of a job that has ended: ``3 of 4 titles
    found``. ``shown`` are the verdicts on the page.
    """
    found = sum(map(is_found, shown))
    if found and job.done == len(shown) == found + job.by_status.get(Status.UNVERIFIED.value, 0):
        return f"{found} of {job.done} titles found" if job.done > 1 else "The title is found"
    if job.state is JobState.FAILED and not job.done:
        return "This document was not verified."
    return sum_line(
        replace(Statistics.of((), job.seconds), entries=job.done, by_status=Counter(job.by_status))
    )


def _sum(job: Job) -> str:
    if not job.begun:
        return "Waiting for its turn" if job.state is JobState.WAITING else "Reading the document"
    problems = job.by_status.get(Status.INVALID.value, 0) + job.by_status.get(
        Status.SUSPICIOUS.value, 0
    )
    of_all = "" if job.total is None else f" of {job.total:,}"
    return f"{job.done:,}{of_all} verified, {problems:,} with problems so far"
