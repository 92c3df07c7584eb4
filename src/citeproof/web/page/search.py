"""``GET /``: the box that takes anything, and ``?title=`` with the answer; ``POST /``: a job of what was sent.

Everything here works without JavaScript.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from citeproof.errors import DatabaseError
from citeproof.web.api.request_schemas import DEFAULT_CANDIDATES, MAX_TITLE_CHARACTERS, collapse
from citeproof.web.api.single import search_title
from citeproof.web.api.verify import document_of, start_job
from citeproof.web.page.asked import sources_asked
from citeproof.web.page.rendering import render
from citeproof.web.page.result_row import result_row
from citeproof.web.problems import ProblemError

if TYPE_CHECKING:
    from citeproof.models import Lookup
    from citeproof.web.backend import Backend

NEEDS_TOKEN = "This service asks for a token, which the page can send only with JavaScript."  # noqa: S105 - a sentence
_PATIENCE = 1.0
"""Seconds that a page waits for its view to be counted; the count itself is never lost."""


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter()

    @router.head("/", include_in_schema=False)
    @router.get("/", include_in_schema=False)
    async def page(request: Request, title: str | None = None) -> Response:
        if request.method == "GET":
            await asyncio.wait({asyncio.wrap_future(backend.store.count_page_view())}, timeout=_PATIENCE)
        if title is None:
            return HTMLResponse(render("page.html"))
        try:
            lookup = await _search(backend, request, title)
        except ProblemError as error:
            return HTMLResponse(render("page.html", text=title, error=error.detail), error.status)
        asked = "" if lookup.found else await asyncio.to_thread(_sources, backend)
        return HTMLResponse(render("page.html", text=title, answer=result_row(lookup, asked)))

    @router.post("/", include_in_schema=False)
    async def verify(request: Request) -> Response:
        try:
            if not request.scope.get("authorized", True):
                raise ProblemError(401, NEEDS_TOKEN)
            job = await start_job(backend, await document_of(request))
        except ProblemError as error:
            return HTMLResponse(render("page.html", error=error.detail), error.status, error.headers)
        return RedirectResponse(f"/jobs/{job.job_id}", 303)

    return router


def _sources(backend: Backend) -> str:
    with suppress(DatabaseError), backend.database.borrow() as database:
        return sources_asked(database.describe())
    return ""


async def _search(backend: Backend, request: Request, title: str) -> Lookup:
    if not title.strip():
        raise ProblemError(422, "Enter a title.")
    if len(collapse(title)) > MAX_TITLE_CHARACTERS:
        raise ProblemError(422, "A title has at most 2,000 characters.")
    if not request.scope.get("authorized", True):
        raise ProblemError(401, NEEDS_TOKEN)
    return await search_title(backend, request, title, DEFAULT_CANDIDATES)
