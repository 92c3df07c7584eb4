"""``GET /api/runtime/stats``: everything the runtime store counts."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from citeproof.web.api.answer_schemas import RuntimeStatistics, problems

if TYPE_CHECKING:
    from citeproof.web.backend import Backend


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["operation"])

    @router.get(
        "/api/runtime/stats",
        summary="Counters and record counts",
        response_model=RuntimeStatistics,
        responses=problems(401),
    )
    async def stats() -> Response:
        """Answer with all counters, the records of each table and the searches of the last 24 hours."""
        return JSONResponse(asdict(await asyncio.to_thread(backend.store.statistics)))

    return router
