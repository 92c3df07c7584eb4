"""``/api/jobs/{id}``: how far a job is, what it has found, its reports; and its end before its time."""

from __future__ import annotations

import asyncio
import importlib
import io
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import JSONResponse, Response

from citeproof.web.api.answer_schemas import problems
from citeproof.web.api.job_schemas import JobWithRun, job_with_run
from citeproof.web.jobs.limits import MAX_REFERENCES
from citeproof.web.jobs.verdicts import run_of
from citeproof.web.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.runtime.jobs import Job
    from citeproof.web.backend import Backend

UNKNOWN = "There is no such job. It may have been deleted, or its results have expired."
NOT_ENDED = "This job has not ended yet; its reports come then."
NOTHING_CORRECTED = "There is no corrected bibliography: nothing in the document can be corrected, or it is not BibTeX."
REPORTS = {
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "sarif": "application/sarif+json",
    "markdown": "text/markdown; charset=utf-8",
}
"""The modules of :mod:`citeproof.reports` that a job's run is rendered with, and the media type of each."""
CORRECTED = "bib"
MOST_RESULTS = 1_000_000

JobId = Annotated[str, Path(description="Cannot be guessed: whoever has it may read the job.")]
First = Annotated[int, Query(ge=0, le=MOST_RESULTS, description="Leave out the results before this place.")]
Most = Annotated[int, Query(ge=0, le=MOST_RESULTS, description="Answer with so many results at most.")]
Kind = Annotated[str, Path(description="The form of the report.", json_schema_extra={"enum": [*REPORTS, CORRECTED]})]


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["jobs"])

    @router.get(
        "/api/jobs/{job_id}", summary="How far is a job?", response_model=JobWithRun,
        responses=problems(401, 404, 422, 500),
    )  # fmt: skip
    async def state(job_id: JobId, first: First = 0, most: Most = MAX_REFERENCES) -> Response:
        """Answer with the job's state and the run so far, or the part of it that `first` and `most` name.

        `run.statistics` sum up the results of the answer, `by_status` those of the job.
        """
        job = await require_job(backend, job_id)
        kept = await asyncio.to_thread(backend.jobs.store.verdicts, job_id, first, most)
        return JSONResponse(await asyncio.to_thread(job_with_run, job, kept))

    @router.delete("/api/jobs/{job_id}", summary="Delete a job", status_code=204, responses=problems(401, 404, 500))
    async def delete(job_id: JobId) -> Response:
        """Stop the job, if it runs, and delete all that is kept of it."""
        if not await asyncio.to_thread(backend.jobs.store.delete, job_id):
            raise ProblemError(404, UNKNOWN)
        return Response(status_code=204)

    @router.get(
        "/api/jobs/{job_id}/report.{kind}", summary="A report of a job", response_class=Response,
        responses={
            200: {"description": "The report.", "content": {"*/*": {}}},
            **problems(401, 404, 409, 500),
        },
    )  # fmt: skip
    async def report(job_id: JobId, kind: Kind) -> Response:
        """Answer with the report that the command line makes of the same run, as a file to keep."""
        job = await require_job(backend, job_id)
        if kind not in (*REPORTS, CORRECTED):
            raise ProblemError(404, f"There is no report of that kind; use one of {', '.join((*REPORTS, CORRECTED))}.")
        if not job.ended:
            raise ProblemError(409, NOT_ENDED)
        if kind == CORRECTED:
            content = await asyncio.to_thread(backend.jobs.store.corrected, job_id)
            if not content:
                raise ProblemError(404, NOTHING_CORRECTED)
            return _file(content, "application/x-bibtex; charset=utf-8", "corrected.bib")
        kept = await asyncio.to_thread(backend.jobs.store.verdicts, job_id)
        content = await asyncio.to_thread(partial(render, kind, job, kept))
        return _file(content, REPORTS[kind], f"citeproof.{kind}")

    return router


async def require_job(backend: Backend, job_id: str) -> Job:
    """Return a job; refuse the request with 404 where there is none of that id."""
    job = await backend.jobs.job(job_id)
    if not job:
        raise ProblemError(404, UNKNOWN)
    return job


def render(kind: str, job: Job, kept: Sequence[bytes]) -> str:
    """Return a report of what ``job`` has found."""
    out = io.StringIO(newline="")
    module: Any = importlib.import_module(f"citeproof.reports.{kind}")
    module.render(run_of(job, kept), out)
    return out.getvalue()


def _file(content: str, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content.encode("utf-8", "backslashreplace"), 200, headers, media_type)
