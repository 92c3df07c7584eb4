"""HTTP routes ``/api/search/title`` and ``/api/search/title/batch``, which look up titles and
record each search.
"""

import asyncio
import secrets
import time
from concurrent.futures import Future
from dataclasses import asdict
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from citeproof.model.errors import DatabaseError
from citeproof.model.record import Lookup
from citeproof.model.stored import JsonObject
from citeproof.report.serialization import lookup_object
from citeproof.store.runtime.store import BatchRun, BatchSummary, Search
from citeproof.web.api.shapes import (
    MAX_BATCH_TITLES,
    BatchAnswer,
    LookupAnswer,
    TitleBatch,
    TitleSearch,
    distinct,
)
from citeproof.web.backend import MISSING, Backend, NotRecordedError
from citeproof.web.middleware import log_failure
from citeproof.web.problems import ProblemError, problems
from citeproof.web.reloading_database import DatabaseMissingError

ITEM_FAILED = (
    "The look-up of this title failed; the service's log has the cause under the request id."
)
UNREADABLE = (
    "The bibliographic database cannot be read, so no title was looked up; the service's log has"
    " the cause."
)


def add_routes(router: APIRouter, backend: Backend) -> None:
    """Add the HTTP routes for looking up titles to ``router``."""
    responses = problems(400, 401, 404, 408, 413, 422, 429, 500)

    @router.post(
        "/api/search/title",
        summary="Look one title up",
        response_model=LookupAnswer,
        responses=responses,
    )
    async def single(request: Request, body: TitleSearch) -> Response:
        """Return the record with the most similar title at or above the threshold. If there is
        none, `found` is false, and `nearest` is the most similar title below the threshold. With
        `all`, return every record that reaches the threshold.
        """
        lookup = await search_title(
            backend, request, body.title, body.max_candidates, every=body.all
        )
        return JSONResponse(lookup_object(lookup))

    @router.post(
        "/api/search/title/batch",
        summary="Look many titles up",
        response_model=BatchAnswer,
        responses=responses,
    )
    async def batch(request: Request, body: TitleBatch) -> Response:
        """Look the titles up one after another, and return a summary and one item for each.

        Blank and repeated titles (ignoring case) are dropped. If one title fails, its item has an
        `error`.
        """
        return JSONResponse(await search_batch(backend, request, body))


async def search_title(
    backend: Backend, request: Request, title: str, max_candidates: int, *, every: bool = False
) -> Lookup:
    """Look up ``title`` and record the search. If ``every`` is true, all records that reach the
    threshold are found, and not only the best.

    Raises :class:`ProblemError` with status 404 if there is no database, and with status 500 if the
    look-up fails.
    """
    record = partial(backend.store.record_single, request.scope["request_id"], max_candidates)
    try:
        lookup = await backend.look_up(title, max_candidates, every=every)
    except DatabaseMissingError:
        raise ProblemError(404, MISSING) from None
    except Exception as error:  # noqa: BLE001 - any error fails this request only
        log_failure(request.scope, error)
        await backend.recorded(record(Search(title, error=error)))
        raise ProblemError(
            500, "The look-up failed; the service's log has the cause under the request id."
        ) from None
    try:
        await backend.recorded(record(Search(title, lookup)))
    except NotRecordedError as error:
        record(Search(title, error=error), has_deadline=False)
        raise
    return lookup


async def search_batch(backend: Backend, request: Request, body: TitleBatch) -> JsonObject:
    """Look up several titles and record the searches.

    Return a JSON object with the fields of :class:`BatchAnswer`.

    Raises :class:`ProblemError` with status 400 for no titles or too many titles, 404 if there is
    no database, and 500 on other errors.
    """
    if not (titles := distinct(body.titles)):
        raise ProblemError(
            400, "The batch has no title: send at least one title that is not blank."
        )
    if len(titles) > MAX_BATCH_TITLES:
        raise ProblemError(
            400,
            f"Batch size exceeds limit: at most {MAX_BATCH_TITLES} different titles; split the"
            " list.",
        )
    backend.require_database()
    request_id, run_id = request.scope["request_id"], secrets.token_hex(16)
    run = BatchRun(run_id, request_id, MAX_BATCH_TITLES, len(body.titles), body.max_candidates)
    started = time.perf_counter()
    items: list[JsonObject] = []
    events: list[Future[None]] = []
    unreadable, completing = 0, False

    def summary() -> BatchSummary:
        found, errors = (
            sum(item["found"] for item in items),
            sum(item["error"] is not None for item in items),
        )
        milliseconds = round(1000 * (time.perf_counter() - started), 3)
        return BatchSummary(len(items), found, len(items) - found - errors, errors, milliseconds)

    try:
        await backend.recorded(backend.store.start_run(run))
        for place, title in titles:
            try:
                lookup = await backend.look_up(title, run.max_candidates, every=body.all)
                search, answer = Search(title, lookup), lookup_object(lookup) | {"error": None}
            except Exception as error:  # noqa: BLE001 - the other titles are still answered
                log_failure(request.scope, error)
                search = Search(title, error=error)
                answer = {"found": False, "query_title": title, "error": ITEM_FAILED}
                unreadable += isinstance(error, DatabaseError)
            items.append({"index": place} | answer)
            events.append(backend.store.record_item(run.run_id, place, search))
            await asyncio.sleep(0)  # let other requests run between two titles
        await backend.recorded(*events)
        if unreadable == len(titles):
            raise ProblemError(500, UNREADABLE)
        done = summary()
        completing = True
        await backend.recorded(backend.store.complete_run(run.run_id, done))
    except BaseException as error:
        # If the end of the batch is queued or may be written already, a second record of it would
        # be counted twice.
        if not completing or isinstance(error, NotRecordedError):
            # Other messages are left out, because they may quote a title.
            status, reason = (
                "failed",
                error.detail if isinstance(error, ProblemError) else type(error).__name__,
            )
            if isinstance(error, asyncio.CancelledError):
                status, reason = "interrupted", "the service was stopped before the batch was done"
            backend.store.abandon_run(run, status, reason, summary().duration_ms)
        raise
    head = {"run_id": run.run_id, "limit": run.limit, "total_input": run.total_input}
    return {"summary": head | asdict(done) | {"max_candidates": run.max_candidates}, "items": items}
