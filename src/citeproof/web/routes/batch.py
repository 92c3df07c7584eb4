"""``POST /api/search/title/batch``: many titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from citeproof.web.answers import BatchAnswer, problems
from citeproof.web.batch import search_batch
from citeproof.web.bodies import TitleBatch  # noqa: TC001 - FastAPI reads it

if TYPE_CHECKING:
    from citeproof.web.service import Service


def routes(service: Service) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["search"])

    @router.post(
        "/api/search/title/batch",
        summary="Look many titles up",
        response_model=BatchAnswer,
        responses=problems(400, 401, 404, 413, 422, 429, 500),
    )
    async def search(request: Request, body: TitleBatch) -> Response:
        """Look the titles up one after another and answer with a summary and one item for each.

        Blank titles and repeated ones (case aside) are dropped. An error in one title is that item's `error`.
        """
        return JSONResponse(await search_batch(service, request, body))

    return router
