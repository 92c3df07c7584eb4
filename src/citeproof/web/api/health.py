"""``GET /api/health`` and ``GET /api/ready``: whether title look-ups are possible, and over what."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from citeproof.models import Method
from citeproof.version import __version__
from citeproof.web.api.answer_schemas import Health, Ready, problems
from citeproof.web.problems import ProblemError

if TYPE_CHECKING:
    from citeproof.web.backend import Backend

STARTING = "The process for verification jobs is just starting; look again in a second."


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["operation"])

    @router.head("/api/health", include_in_schema=False)
    @router.get("/api/health", summary="Can titles be looked up?", response_model=Health)
    async def health() -> Response:
        """Answer 200 in any case; `status` is `error` while the database file is missing or unreadable."""
        return JSONResponse(await asyncio.to_thread(health_object, backend))

    @router.head("/api/ready", include_in_schema=False)
    @router.get("/api/ready", summary="Should requests be sent here?", response_model=Ready, responses=problems(503))
    async def ready() -> Response:
        """Answer 200 once titles can be looked up and jobs are taken, else 503, for what spreads or restarts services.

        Later a process for jobs that ends is started again, and this stays 200: jobs wait for it.
        """
        state = await asyncio.to_thread(health_object, backend)
        if state["status"] != "ok":
            raise ProblemError(503, f"Nothing can be looked up, because of the database: {state['database']['error']}.")
        if not backend.jobs.ready:
            raise ProblemError(503, STARTING)
        return JSONResponse({"status": "ok"})

    return router


def health_object(backend: Backend) -> dict[str, Any]:
    """Return the state of the service."""
    path = backend.database.path
    database: dict[str, Any] = {"available": False, "file": path.name}
    try:
        with backend.database.borrow() as lent:
            described = lent.describe()
        age = max(0, round(time.time() - path.stat().st_mtime))
    except Exception as error:  # noqa: BLE001 - whatever it is, this answer says that nothing can be looked up
        missing = not backend.database.exists()
        database["error"] = "the file does not exist" if missing else f"cannot be read: {type(error).__name__}"
    else:
        described.pop("path", None)  # where the server keeps its files is no client's business
        method = Method.INDEXED if described["indexes"] else Method.BRUTEFORCE
        database |= {"available": True, "age_seconds": age, "method": method.value, **described}
    status = "ok" if database["available"] else "error"
    return {"status": status, "version": __version__, "database": database}
