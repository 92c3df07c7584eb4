"""``GET /api/runtime/stats``: everything the runtime store counts."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict
from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from citeproof.errors import DatabaseError
from citeproof.web.api.answer_schemas import RuntimeStatistics, problems
from citeproof.web.problems import ProblemError

if TYPE_CHECKING:
    from citeproof.web.backend import Backend

UNREADABLE = "The runtime store cannot be read; the service's log says why."

_log = logging.getLogger("citeproof.web")


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["operation"])

    @router.get(
        "/api/runtime/stats",
        summary="Counters and record counts",
        response_model=RuntimeStatistics,
        responses=problems(401, 500),
    )
    async def stats() -> Response:
        """Answer with all counters, the records of each table, the jobs now, and the last 24 hours by the hour."""
        try:
            statistics = await asyncio.to_thread(backend.store.statistics)
        except DatabaseError as error:
            _log.error("no statistics: %s", error)
            raise ProblemError(500, UNREADABLE) from None
        return JSONResponse(asdict(statistics))

    return router
