"""``POST /api/search/title``: one title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from citeproof.reports.lookup import lookup_object
from citeproof.web.answers import LookupAnswer, problems
from citeproof.web.bodies import TitleSearch  # noqa: TC001 - FastAPI reads it
from citeproof.web.single import search_title

if TYPE_CHECKING:
    from citeproof.web.service import Service


def routes(service: Service) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["search"])

    @router.post(
        "/api/search/title",
        summary="Look one title up",
        response_model=LookupAnswer,
        responses=problems(400, 401, 404, 413, 422, 429, 500),
    )
    async def search(request: Request, body: TitleSearch) -> Response:
        """Answer with the best match at or above the threshold; below it `found` is false and `nearest` explains."""
        lookup = await search_title(service, request, body.title, body.max_candidates)
        return JSONResponse(lookup_object(lookup))

    return router
