"""HTTP routes below ``/api/jobs/{id}``. They return the state, verdicts, events and reports of a
verification job, or delete the job.

Events are server-sent events (WHATWG HTML, section 9.2). The id of a ``verdict`` event is the
position of the reference in the document, from 0.
"""

import asyncio
import importlib
import io
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from citeproof.report.serialization import result_object
from citeproof.store.runtime.jobs import Job
from citeproof.verification.evidence.line import Evidence
from citeproof.web.api.shapes import JobWithRun, job_object, job_with_run
from citeproof.web.api.verify import searched
from citeproof.web.backend import Backend
from citeproof.web.jobs.verdicts import run_of, unpacked
from citeproof.web.listener import ENDLESS
from citeproof.web.options import MAX_REFERENCES
from citeproof.web.problems import ProblemError, problems
from citeproof.web.searcher import Searches

UNKNOWN = "There is no such job. It may have been deleted, or its results have expired."
NOT_FLAGGED = (
    "There is no flagged entry at this position: no entry, or an entry whose verdict is "
    "neither SUSPICIOUS nor INVALID."
)
NOTHING_CORRECTED = (
    "There is no corrected bibliography: nothing in the document can be corrected, or it is not"
    " BibTeX."
)
REPORTS = {
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "sarif": "application/sarif+json",
    "markdown": "text/markdown; charset=utf-8",
}
"""Map from the name of a report format, such as ``html``, to the media type of the report."""
CORRECTED = "bib"
"""Name of the corrected BibTeX file among the report formats: ``/api/jobs/{id}/report.bib``."""
EVENT_STREAM = "text/event-stream"
_EVENTS_AT_ONCE = 50  # maximum number of verdicts that are read from the database and sent together
_MOST_RESULTS = 1_000_000

JobId = Annotated[str, Path(description="Random id of the job. Whoever knows it can read the job.")]
First = Annotated[
    int, Query(ge=0, le=_MOST_RESULTS, description="Position of the first result, from 0.")
]
Most = Annotated[
    int, Query(ge=0, le=_MOST_RESULTS, description="Maximum number of results in the answer.")
]
Index = Annotated[int, Path(ge=0, le=_MOST_RESULTS, description="Position of the entry, from 0.")]
Kind = Annotated[
    str,
    Path(description="Format of the report.", json_schema_extra={"enum": [*REPORTS, CORRECTED]}),
]


def add_routes(router: APIRouter, backend: Backend) -> None:
    """Add the HTTP routes below ``/api/jobs/`` to ``router``."""

    @router.get(
        "/api/jobs/{job_id}",
        summary="State of a job",
        response_model=JobWithRun,
        responses=problems(401, 404, 422, 500),
    )
    async def state(job_id: JobId, first: First = 0, most: Most = MAX_REFERENCES) -> Response:
        """Return the state of the job and its run so far, or the part that `first` and `most`
        select.

        `run.statistics` counts the results in the answer, `by_status` those of the whole job.
        """
        job = await require_job(backend, job_id)
        return JSONResponse(
            await asyncio.to_thread(job_with_run, backend.jobs.store, job, first, most)
        )

    @router.delete(
        "/api/jobs/{job_id}",
        summary="Delete a job",
        status_code=204,
        responses=problems(401, 404, 500),
    )
    async def delete(job_id: JobId) -> Response:
        """Delete the job with its document and results; a running job is stopped."""
        if not await asyncio.to_thread(backend.jobs.store.delete, job_id):
            raise ProblemError(404, UNKNOWN)
        return Response(status_code=204)

    @router.get(
        "/api/jobs/{job_id}/events",
        summary="Events of a job",
        response_class=StreamingResponse,
        responses={
            200: {
                "description": "`progress`, `verdict` and `end` events.",
                "content": {EVENT_STREAM: {}},
            },
            **problems(401, 404, 500),
        },
    )
    async def events(
        request: Request, job_id: JobId, last_event_id: Annotated[str, Header()] = ""
    ) -> Response:
        """Send `progress` (the job without its run), `verdict` (one result and its `index`), and
        `end` (the job).
        """
        await require_job(backend, job_id)
        after = last_event_id.strip()
        first = int(after) + 1 if after.isascii() and after.isdecimal() and len(after) < 10 else 0
        request.scope[ENDLESS] = True
        headers = {"X-Accel-Buffering": "no"}  # prevents nginx from buffering the events
        return StreamingResponse(stream(backend, job_id, first), 200, headers, EVENT_STREAM)

    @router.get(
        "/api/jobs/{job_id}/report.{kind}",
        summary="A report of a job",
        response_class=Response,
        responses={
            200: {"description": "The report.", "content": {"*/*": {}}},
            **problems(401, 404, 409, 500),
        },
    )
    async def report(job_id: JobId, kind: Kind) -> Response:
        """Return the report that the command line writes for the same run, as a download."""
        return await report_of(backend, await require_job(backend, job_id), kind)

    @router.get(
        "/api/jobs/{job_id}/cases/{index}",
        summary="A wrong verdict to report",
        response_model=Evidence,
        responses=problems(401, 404, 409, 422, 429, 500),
    )
    async def case(request: Request, job_id: JobId, index: Index) -> Response:
        """Return a flagged entry with its verdict and the records found, as a download in the form
        of CONTRIBUTING.

        The entry is verified again for this file. The file has the fields of the entry, but not its
        text or position.
        """
        await require_job(backend, job_id)
        kept = await asyncio.to_thread(backend.jobs.store.verdicts_at, job_id, [index])
        verdict = unpacked(kept[0]) if kept else None
        if not verdict or not verdict.is_flagged:
            raise ProblemError(404, NOT_FLAGGED)
        answer = backend.searcher.ask(Searches.case, verdict.reference, backend.threshold)
        status, line = await searched(request, answer)
        if status is not verdict.status:
            said = (
                "The database was replaced after this verdict, and the verdict is now "
                f"{status.value}. Verify the document again."
            )
            raise ProblemError(409, said)
        return _file(f"{line}\n", "application/json", f"case-{index + 1}.json")


async def require_job(backend: Backend, job_id: str) -> Job:
    """Return the job with the id ``job_id``.

    Raises :class:`ProblemError` with status 404 if there is no such job.
    """
    if job := await asyncio.to_thread(backend.jobs.store.job, job_id):
        return job
    raise ProblemError(404, UNKNOWN)


async def report_of(backend: Backend, job: Job, kind: str) -> Response:
    """Return a report of ``job`` as a file to download. ``kind`` is the report format, such as
    ``html``, or ``bib`` for the corrected BibTeX file.

    Raises :class:`ProblemError` if there is no such format, or the report does not exist yet.
    """
    if kind not in (*REPORTS, CORRECTED):
        raise ProblemError(
            404, f"There is no report of that kind; use one of {', '.join((*REPORTS, CORRECTED))}."
        )
    if not job.ended:
        raise ProblemError(
            409, "This job has not ended yet. Its reports are available after its end."
        )
    if kind != CORRECTED:
        return _file(
            await asyncio.to_thread(_render, backend, kind, job), REPORTS[kind], f"citeproof.{kind}"
        )
    if not (content := await asyncio.to_thread(backend.jobs.store.corrected, job.job_id)):
        raise ProblemError(404, NOTHING_CORRECTED)
    return _file(content, "application/x-bibtex; charset=utf-8", "corrected.bib")


def _render(backend: Backend, kind: str, job: Job) -> str:
    module: Any = importlib.import_module(f"citeproof.report.formats.{kind}")
    module.render(
        run_of(job, backend.jobs.store.verdicts(job.job_id)), out := io.StringIO(newline="")
    )
    return out.getvalue()


def _file(content: str, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content.encode("utf-8", "backslashreplace"), 200, headers, media_type)


async def stream(backend: Backend, job_id: str, first: int) -> AsyncIterator[str]:
    """Yield the server-sent events of a job until the job has ended.

    Verdicts before position ``first`` are omitted.
    """
    job = None
    async for job in backend.jobs.watch(job_id):
        while first < job.done:
            if not (events := await asyncio.to_thread(_verdicts, backend, job_id, first)):
                break
            yield "".join(events)
            first += len(events)
        yield _event("progress", job_object(job))
    if job and job.ended:
        yield _event("end", job_object(job))


def _verdicts(backend: Backend, job_id: str, first: int) -> list[str]:
    kept = backend.jobs.store.verdicts(job_id, first, _EVENTS_AT_ONCE)
    objects = (
        {"index": place, **result_object(unpacked(one))}
        for place, one in enumerate(kept, start=first)
    )
    return [f"id: {content['index']}\n{_event('verdict', content)}" for content in objects]


def _event(name: str, content: Any) -> str:
    # The data of an event must be one line. This JSON has no line breaks.
    return f"event: {name}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"
