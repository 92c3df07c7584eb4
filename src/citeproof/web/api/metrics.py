"""``GET /metrics``: the service's figures for Prometheus."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from citeproof.web.jobs.figures import JobFigures

if TYPE_CHECKING:
    from citeproof.web.backend import Backend


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["operation"])

    @router.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        figures = JobFigures(backend.store, backend.jobs.store)
        return Response(await asyncio.to_thread(backend.metrics.render, figures), media_type=CONTENT_TYPE_LATEST)

    return router
