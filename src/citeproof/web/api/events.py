"""``GET /api/jobs/{id}/events``: each verdict of a job as it comes (server-sent events, WHATWG HTML, 9.2).

A stream that was cut goes on where ``Last-Event-ID`` says: a verdict's id is its place in the document.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Header, Request
from starlette.responses import Response, StreamingResponse

from citeproof.serialization import result_object
from citeproof.web.api.answer_schemas import problems
from citeproof.web.api.job_schemas import job_object
from citeproof.web.api.jobs import JobId, require_job
from citeproof.web.jobs.verdicts import unpacked
from citeproof.web.worker.connections import ENDLESS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from citeproof.web.backend import Backend

MEDIA_TYPE = "text/event-stream"
AT_ONCE = 50
"""Verdicts that are made ready at a time; other requests get their turn in between."""


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["jobs"])

    @router.get(
        "/api/jobs/{job_id}/events", summary="Each verdict as it comes", response_class=StreamingResponse,
        responses={
            200: {"description": "`progress`, `verdict` and `end` events.", "content": {MEDIA_TYPE: {}}},
            **problems(401, 404, 500),
        },
    )  # fmt: skip
    async def events(request: Request, job_id: JobId, last_event_id: Annotated[str, Header()] = "") -> Response:
        """Send `progress` (the job without its run), `verdict` (one result and its `index`), and `end` (the job)."""
        await require_job(backend, job_id)
        after = last_event_id.strip()
        first = int(after) + 1 if after.isascii() and after.isdecimal() and len(after) < 10 else 0
        request.scope[ENDLESS] = True
        headers = {"X-Accel-Buffering": "no"}  # nginx would keep the events back
        return StreamingResponse(stream(backend, job_id, first), 200, headers, MEDIA_TYPE)

    return router


async def stream(backend: Backend, job_id: str, first: int) -> AsyncIterator[str]:
    """Yield the events of a job from the verdict at place ``first`` on, until it has ended or is deleted."""
    sent = first
    store = backend.jobs.store
    job = None
    async for job in backend.jobs.watch(job_id):
        while sent < job.done:
            kept = await asyncio.to_thread(store.verdicts, job_id, sent, AT_ONCE)
            if not kept:
                break
            yield await asyncio.to_thread(_verdicts, kept, sent)
            sent += len(kept)
        yield event("progress", job_object(job))
    if job and job.ended:
        yield event("end", job_object(job))


def _verdicts(kept: Sequence[bytes], first: int) -> str:
    return "".join(
        event("verdict", {"index": place, **result_object(unpacked(one))}, place)
        for place, one in enumerate(kept, start=first)
    )


def event(name: str, content: Any, number: int | None = None) -> str:
    """Return one event; JSON has no line breaks of its own, so one line holds it."""
    named = "" if number is None else f"id: {number}\n"
    return f"{named}event: {name}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"
