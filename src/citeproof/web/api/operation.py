"""HTTP routes for monitoring: ``/api/health``, ``/api/ready``, ``/api/runtime/stats`` and
``/metrics``.
"""

import asyncio
import time
from dataclasses import asdict

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import JSONResponse, Response

from citeproof.model.errors import DatabaseError
from citeproof.model.record import Method
from citeproof.model.stored import JsonObject
from citeproof.model.version import __version__
from citeproof.store.runtime.store import RuntimeStatistics
from citeproof.web.api.shapes import Health, Ready
from citeproof.web.backend import Backend, job_figures
from citeproof.web.logs import log
from citeproof.web.problems import ProblemError, problems


def add_routes(router: APIRouter, backend: Backend) -> None:
    """Add the HTTP routes for monitoring to ``router``."""

    @router.head("/api/health", include_in_schema=False)
    @router.get("/api/health", summary="Can titles be looked up?", response_model=Health)
    async def health() -> Response:
        """Always answer 200; `status` is `error` while the database file is missing or
        unreadable.
        """
        return JSONResponse(await asyncio.to_thread(health_object, backend))

    @router.head("/api/ready", include_in_schema=False)
    @router.get(
        "/api/ready",
        summary="Should requests be sent here?",
        response_model=Ready,
        responses=problems(503),
    )
    async def ready() -> Response:
        """Answer 200 when titles can be looked up and recorded and jobs are taken, else 503, for
        load balancers and supervisors.

        While a worker is restarted the answer stays 200, because jobs wait for it.
        """
        state = await asyncio.to_thread(health_object, backend)
        if state["status"] != "ok":
            raise ProblemError(
                503,
                f"Nothing can be looked up, because of the database: {state['database']['error']}.",
            )
        await backend.require_store()
        if not backend.jobs.ready:
            raise ProblemError(
                503, "The first process for verification jobs is starting; look again in a second."
            )
        return JSONResponse({"status": "ok"})

    @router.get(
        "/api/runtime/stats",
        summary="Counters and record counts",
        response_model=RuntimeStatistics,
        responses=problems(401, 500),
    )
    async def stats() -> Response:
        """Return all counters, the rows of each table, the open jobs, and the last 24 hours by
        hour.
        """
        try:
            statistics = await asyncio.to_thread(backend.store.statistics)
        except DatabaseError as error:
            log.error("no statistics: %s", error)
            raise ProblemError(
                500, "The runtime store cannot be read; the service's log says why."
            ) from None
        return JSONResponse(asdict(statistics))

    @router.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        figures = job_figures(backend.store)  # generator that reads the store during render()
        return Response(
            await asyncio.to_thread(backend.metrics.render, figures), media_type=CONTENT_TYPE_LATEST
        )


def health_object(backend: Backend) -> JsonObject:
    """Return a JSON object with the fields of :class:`Health`: the state of the service and of the
    database.
    """
    path = backend.database.path
    try:
        with backend.database.borrow() as opened:
            described = opened.describe()
        age = max(0, round(time.time() - path.stat().st_mtime))
    except Exception as error:  # noqa: BLE001 - after any error nothing can be looked up
        cause = (
            f"cannot be read: {type(error).__name__}"
            if backend.database.exists()
            else "the file does not exist"
        )
        database = {"available": False, "file": path.name, "error": cause}
    else:
        described.pop("path", None)  # clients must not see paths of the server
        method = Method.INDEXED if described["indexes"] else Method.BRUTEFORCE
        database = {
            "available": True,
            "file": path.name,
            "age_seconds": age,
            "method": method.value,
            **described,
        }
    return {
        "status": "ok" if database["available"] else "error",
        "version": __version__,
        "database": database,
    }
