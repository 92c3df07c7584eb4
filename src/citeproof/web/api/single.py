"""``POST /api/search/title``: one title is looked up and recorded, then answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from citeproof.runtime.events import Search
from citeproof.serialization import lookup_object
from citeproof.web.api.answer_schemas import LookupAnswer, problems
from citeproof.web.api.request_schemas import TitleSearch, collapse
from citeproof.web.backend import MISSING, Backend
from citeproof.web.middleware.failures import log_failure
from citeproof.web.problems import ProblemError
from citeproof.web.worker.reloading_database import DatabaseMissingError

if TYPE_CHECKING:
    from citeproof.models import Lookup

FAILED = "The look-up failed; the service's log has the cause under the request id."


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["search"])

    @router.post(
        "/api/search/title",
        summary="Look one title up",
        response_model=LookupAnswer,
        responses=problems(400, 401, 404, 408, 413, 422, 429, 500),
    )
    async def search(request: Request, body: TitleSearch) -> Response:
        """Answer with the best match at or above the threshold; below it `found` is false and `nearest` explains."""
        lookup = await search_title(backend, request, body.title, body.max_candidates)
        return JSONResponse(lookup_object(lookup))

    return router


async def search_title(backend: Backend, request: Request, title: str, max_candidates: int) -> Lookup:
    """Return the answer to ``title`` once it is recorded.

    Raises :class:`ProblemError`: 404 without a database file, 500 when the look-up failed or the runtime store
    stayed locked. A failed look-up is recorded as well.
    """
    title = collapse(title)
    request_id = request.scope["request_id"]
    try:
        lookup = await backend.look_up(title, max_candidates)
    except DatabaseMissingError:
        raise ProblemError(404, MISSING) from None
    except Exception as error:  # noqa: BLE001 - whatever the look-up raises is this request's error alone
        log_failure(request.scope, error)
        await backend.recorded(backend.store.record_single(request_id, max_candidates, Search(title, error=error)))
        raise ProblemError(500, FAILED) from None
    try:
        await backend.recorded(backend.store.record_single(request_id, max_candidates, Search(title, lookup)))
    except ProblemError as error:
        backend.store.record_failed(request_id, max_candidates, Search(title, error=error))
        raise
    return lookup
