"""``GET /api/health``: whether title look-ups are possible, and over what."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.responses import JSONResponse

import citeproof
from citeproof.errors import DatabaseError

if TYPE_CHECKING:
    from starlette.responses import Response

    from citeproof.web.service import Service


def routes(service: Service) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["operation"])

    @router.get("/api/health", summary="Is the service able to answer?")
    async def health() -> Response:
        """Answer 200 in any case; ``status`` is ``error`` while the database file is missing or unreadable."""
        return JSONResponse(await asyncio.to_thread(health_object, service))

    return router


def health_object(service: Service) -> dict[str, Any]:
    """Return the state of the service."""
    database: dict[str, Any] = {"available": False, "file": service.shelf.path.name}
    try:
        with service.shelf.borrow() as open_database:
            database |= open_database.describe()
        database |= {"available": True, "age_seconds": round(time.time() - service.shelf.path.stat().st_mtime)}
    except (DatabaseError, OSError) as error:
        database["error"] = "the file does not exist" if not service.shelf.exists() else type(error).__name__
    status = "ok" if database["available"] else "error"
    return {"status": status, "version": citeproof.__version__, "database": database}
