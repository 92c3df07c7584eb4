"""``POST /api/search/title/batch``: many titles are looked up one after another.

Each title is recorded as it is done. The run gets its sum at the end.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from citeproof.errors import DatabaseError
from citeproof.runtime import new_run_id
from citeproof.runtime.events import BatchRun, BatchSummary, Search
from citeproof.serialization import lookup_object
from citeproof.web.api.answer_schemas import BatchAnswer, problems
from citeproof.web.api.request_schemas import MAX_BATCH_TITLES, TitleBatch, distinct
from citeproof.web.middleware.failures import log_failure
from citeproof.web.problems import ProblemError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from citeproof.web.backend import Backend

EMPTY = "The batch holds no title: send at least one that is not blank."
TOO_MANY = f"Batch size exceeds limit: at most {MAX_BATCH_TITLES} different titles; split the list."
ITEM_FAILED = "The look-up of this title failed; the service's log has the cause under the request id."
UNREADABLE = "The bibliographic database cannot be read, so no title was looked up; the service's log has the cause."
STOPPED = "the service was stopped before the batch was done"


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["search"])

    @router.post(
        "/api/search/title/batch",
        summary="Look many titles up",
        response_model=BatchAnswer,
        responses=problems(400, 401, 404, 408, 413, 422, 429, 500),
    )
    async def search(request: Request, body: TitleBatch) -> Response:
        """Look the titles up one after another and answer with a summary and one item for each.

        Blank titles and repeated ones (case aside) are dropped. An error in one title is that item's `error`.
        """
        return JSONResponse(await search_batch(backend, request, body))

    return router


@dataclass(slots=True)
class _Progress:
    """What became of the titles so far."""

    started: float = field(default_factory=time.perf_counter)
    items: list[dict[str, Any]] = field(default_factory=list)
    events: list[Future[None]] = field(default_factory=list)
    found: int = 0
    errors: int = 0
    unreadable: int = 0
    """Of the errors, those of the database itself."""

    def summary(self) -> BatchSummary:
        done = len(self.items)
        elapsed = 1000 * (time.perf_counter() - self.started)
        return BatchSummary(done, self.found, done - self.found - self.errors, self.errors, round(elapsed, 3))


async def search_batch(backend: Backend, request: Request, body: TitleBatch) -> dict[str, Any]:
    """Return summary and items once all of it is recorded.

    Raises :class:`ProblemError`: 400 for a list that is empty or too long, 404 without a database file, 500 when
    the database could be read for no title or the runtime store stayed locked. The error of one title is that item's
    alone. Whatever ends the batch early is written to its run.
    """
    titles = distinct(body.titles)
    if not titles:
        raise ProblemError(400, EMPTY)
    if len(titles) > MAX_BATCH_TITLES:
        raise ProblemError(400, TOO_MANY)
    backend.require_database()
    run = BatchRun(new_run_id(), request.scope["request_id"], MAX_BATCH_TITLES, len(body.titles), body.max_candidates)
    progress = _Progress()
    try:
        await backend.recorded(backend.store.start_run(run))
        for place, title in titles:
            await _search_item(backend, request, run, progress, place, title)
            await asyncio.sleep(0)  # other requests get their turn between any two titles
        await backend.recorded(*progress.events)
        if progress.unreadable == len(titles):
            raise ProblemError(500, UNREADABLE)
        summary = progress.summary()
        await backend.recorded(backend.store.complete_run(run.run_id, summary))
    except BaseException as error:
        status, reason = _ending(error)
        backend.store.abandon_run(run, status, reason, progress.summary())
        raise
    return {"summary": _summary_object(run, summary), "items": progress.items}


def _ending(error: BaseException) -> tuple[str, str]:
    """Return the status and the message of a run that ``error`` ended; an unforeseen one might quote a title."""
    if isinstance(error, asyncio.CancelledError):
        return "interrupted", STOPPED
    return "failed", error.detail if isinstance(error, ProblemError) else type(error).__name__


async def _search_item(
    backend: Backend, request: Request, run: BatchRun, progress: _Progress, place: int, title: str
) -> None:
    try:
        lookup = await backend.look_up(title, run.max_candidates)
    except Exception as error:  # noqa: BLE001 - one title must not cost the answers to all others
        log_failure(request.scope, error)
        search = Search(title, error=error)
        answer = {"found": False, "query_title": title, "error": ITEM_FAILED}
        progress.errors += 1
        progress.unreadable += isinstance(error, DatabaseError)
    else:
        search = Search(title, lookup)
        answer = lookup_object(lookup) | {"error": None}
        progress.found += lookup.found
    progress.items.append({"index": place} | answer)
    progress.events.append(backend.store.record_item(run.run_id, place, search))


def _summary_object(run: BatchRun, summary: BatchSummary) -> dict[str, Any]:
    head = {"run_id": run.run_id, "limit": run.limit, "total_input": run.total_input}
    return head | asdict(summary) | {"max_candidates": run.max_candidates}
