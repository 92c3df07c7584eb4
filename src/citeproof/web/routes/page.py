"""``GET /``: the title search page; with ``?title=`` it carries the answer, so it works without JavaScript."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from citeproof.web.bodies import DEFAULT_CANDIDATES, MAX_TITLE_CHARACTERS
from citeproof.web.pages import render
from citeproof.web.problems import ProblemError
from citeproof.web.result_row import result_row
from citeproof.web.single import search_title

if TYPE_CHECKING:
    from citeproof.models import Lookup
    from citeproof.web.service import Service

_PATIENCE = 1.0
"""Seconds that a page waits for its view to be counted; the count itself is never lost."""


def routes(service: Service) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter()

    @router.head("/", include_in_schema=False)
    @router.get("/", include_in_schema=False)
    async def page(request: Request, title: str | None = None) -> Response:
        if request.method == "GET":
            await asyncio.wait({asyncio.wrap_future(service.store.count_page_view())}, timeout=_PATIENCE)
        if title is None:
            return HTMLResponse(render("page.html"))
        try:
            lookup = await _search(service, request, title)
        except ProblemError as error:
            return HTMLResponse(render("page.html", title=title, error=error.detail), error.status)
        return HTMLResponse(render("page.html", title=title, answer=result_row(lookup)))

    return router


async def _search(service: Service, request: Request, title: str) -> Lookup:
    if not title.strip():
        raise ProblemError(422, "Enter a title.")
    if len(title) > MAX_TITLE_CHARACTERS:
        raise ProblemError(422, "A title has at most 2,000 characters.")
    if not request.scope.get("authorized", True):
        raise ProblemError(401, "This service asks for a token, which the page can send only with JavaScript.")
    return await search_title(service, request, title, DEFAULT_CANDIDATES)
